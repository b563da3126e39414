#include "driver/worker.h"

#include <stdexcept>

#include "base/bytes.h"

namespace pimsweep::driver {

namespace {

Report close(results::JournalWriter& journal) {
  Report report;
  try {
    journal.close();
  } catch (const std::exception& error) {
    report.error = error.what();
  }
  return report;
}

}  // namespace

std::string to_bytes(const Farewell& farewell) {
  std::string bytes;
  append_number(bytes, std::int32_t{farewell.status});
  append_number(bytes, static_cast<std::uint8_t>(farewell.leave_at_once));
  return bytes;
}

Farewell farewell_from(std::string_view bytes) {
  ByteReader reader(bytes);
  Farewell farewell;
  farewell.status = reader.number<std::int32_t>();
  farewell.leave_at_once = reader.number<std::uint8_t>() != 0;
  return farewell;
}

Farewell work(Communicator& communicator, GrantRunner& runner, results::JournalWriter& journal, const Pulse& pulse) {
  while (true) {
    const Message message = communicator.wait();
    switch (message.tag) {
      case Tag::grant: {
        Report report = runner.run(order_from(message.bytes));
        if (report.error.empty()) report.error = pulse.error();
        communicator.send(0, Tag::report, to_bytes(report));
        break;
      }
      case Tag::close:
        communicator.send(0, Tag::report, to_bytes(close(journal)));
        break;
      case Tag::finish:
        return farewell_from(message.bytes);
      default:
        throw std::logic_error("the manager sent something that no worker expects");
    }
  }
}

}  // namespace pimsweep::driver
