#include "driver/handshake.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <system_error>

#include "base/bytes.h"
#include "driver/output_files.h"

namespace pimsweep::driver {

std::string to_bytes(const Ready& ready) {
  std::string bytes;
  append_number(bytes, ready.plan.high);
  append_number(bytes, ready.plan.low);
  append_text(bytes, ready.host);
  append_number(bytes, ready.pid);
  append_number(bytes, ready.cores);
  append_text(bytes, ready.error);
  return bytes;
}

Ready ready_from(std::string_view bytes) {
  ByteReader reader(bytes);
  Ready ready;
  ready.plan.high = reader.number<std::uint64_t>();
  ready.plan.low = reader.number<std::uint64_t>();
  ready.host = reader.text();
  ready.pid = reader.number<std::int64_t>();
  ready.cores = reader.number<std::int32_t>();
  ready.error = reader.text();
  return ready;
}

std::set<std::string> collect_ready(Communicator& communicator, Run& run, std::vector<WorkerInfo>& workers) {
  std::set<std::string> problems;
  std::error_code unreadable;
  const auto until = std::chrono::steady_clock::now() + 10 * run.limits().silence;
  BackOff back_off;
  for (int ready_ranks = 1; ready_ranks < communicator.size() && std::chrono::steady_clock::now() < until;) {
    const auto message = communicator.poll();
    if (!message) {
      back_off.sleep();
      continue;
    }
    ++ready_ranks;
    const Ready ready = ready_from(message->bytes);
    workers[static_cast<std::size_t>(message->source)] = {
        ready.host, ready.pid, OutputFiles::journal_path(run.output().journals(), run.name(), message->source),
        ready.cores};
    if (!ready.error.empty()) {
      problems.insert(fmt::format("on host {}: {}", ready.host, ready.error));
    } else if (ready.plan != run.plan().hash()) {
      problems.insert(fmt::format(
          "host {} reads a different plan from the same file: are the files equal on all hosts?", ready.host));
    } else if (const std::string& journal = workers[static_cast<std::size_t>(message->source)].journal;
               !std::filesystem::exists(journal, unreadable)) {
      // The merge would not find it either, and every run would lose what this rank has done.
      problems.insert(fmt::format("on host {}: '{}' is not the folder that rank 0 on {} sees under this name",
                                  ready.host, run.output().journals(), workers[0].host));
    }
  }
  return problems;
}

}  // namespace pimsweep::driver
