#include "driver/worker.h"

#include <stdexcept>

#include "base/bytes.h"
#include "driver/grant.h"

namespace pimsweep {

namespace {

/// Three times the time that a grant is meant to take.
constexpr auto budget = std::chrono::milliseconds(100);

Report close(JournalWriter& journal) {
  Report report;
  try {
    journal.close();
  } catch (const std::exception& error) {
    report.error = error.what();
  }
  return report;
}

}  // namespace

int work(Communicator& communicator, Evaluator& evaluator, JournalWriter& journal) {
  while (true) {
    const Message message = communicator.wait();
    switch (message.tag) {
      case Tag::grant:
        communicator.send(0, Tag::report,
                          to_bytes(evaluate_grant(grant_from(message.bytes), budget, evaluator, journal)));
        break;
      case Tag::close:
        communicator.send(0, Tag::report, to_bytes(close(journal)));
        break;
      case Tag::finish:
        return ByteReader(message.bytes).number<std::int32_t>();
      default:
        throw std::logic_error("the manager sent something that no worker expects");
    }
  }
}

}  // namespace pimsweep
