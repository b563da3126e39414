#include "driver/worker.h"

#include <stdexcept>

#include "base/bytes.h"

namespace pimsweep::driver {

namespace {

Report close(journal::Writer& journal) {
  Report report;
  try {
    journal.close();
  } catch (const std::exception& error) {
    report.error = error.what();
  }
  return report;
}

}  // namespace

std::string to_bytes(const Finish& finish) {
  std::string bytes;
  append_number(bytes, std::int32_t{finish.status});
  append_number(bytes, static_cast<std::uint8_t>(finish.exit_without_finalize));
  return bytes;
}

Finish finish_from(std::string_view bytes) {
  ByteReader reader(bytes);
  Finish finish;
  finish.status = reader.number<std::int32_t>();
  finish.exit_without_finalize = reader.number<std::uint8_t>() != 0;
  return finish;
}

Finish serve_grants(Communicator& communicator, ManagerLink& manager, const sweep::Plan& plan, GrantRunner& runner,
                    journal::Writer& journal, const Heartbeat& heartbeat) {
  while (true) {
    const Message message = manager.wait();
    switch (message.tag) {
      case Tag::grant: {
        const Lease lease = lease_from(message.bytes);
        choose_points(plan, lease);
        Report report = runner.run(lease);
        if (report.error.empty()) report.error = heartbeat.error();
        communicator.send(0, Tag::report, to_bytes(report));
        break;
      }
      case Tag::close:
        communicator.send(0, Tag::report, to_bytes(close(journal)));
        break;
      case Tag::finish:
        return finish_from(message.bytes);
      default:
        throw std::logic_error("unexpected message from the manager");
    }
  }
}

}  // namespace pimsweep::driver
