#include "driver/handshake.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "base/bytes.h"
#include "driver/manager_link.h"
#include "driver/output_files.h"
#include "driver/process.h"
#include "driver/run_options.h"
#include "driver/stop_signal.h"

namespace pimsweep::driver {

std::string to_bytes(const Ready& ready) {
  std::string bytes;
  append_number(bytes, ready.plan.high);
  append_number(bytes, ready.plan.low);
  append_text(bytes, ready.host);
  append_number(bytes, ready.pid);
  append_number(bytes, ready.cores);
  append_text(bytes, ready.error);
  append_number(bytes, ready.status);
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
  ready.status = reader.number<std::int32_t>();
  return ready;
}

void StartProblems::add(std::string message, int exit_status) {
  status = messages.empty() ? exit_status : std::min(status, exit_status);
  messages.insert(std::move(message));
}

namespace {

/// The workers that have not replied, and the processes of those that are on this host.
class Awaited {
 public:
  explicit Awaited(const Communicator& communicator) {
    for (int rank = 1; rank < communicator.size(); ++rank) processes_[rank] = communicator.process_of(rank);
  }

  bool empty() const { return processes_.empty(); }
  void replied(int rank) { processes_.erase(rank); }
  void note_place(int rank, const Place& place) {
    const auto awaited = processes_.find(rank);
    // A process of another container with the same host name has a number of its own.
    if (awaited != processes_.end() && place.host == Communicator::host() && !has_exited(place.pid))
      awaited->second = place.pid;
  }
  /// No longer waits for workers whose process has ended.
  void give_up_dead(std::vector<WorkerInfo>& workers) {
    std::erase_if(processes_, [&](const auto& awaited) {
      const auto [rank, process] = awaited;
      if (process == 0 || !has_exited(process)) return false;
      workers[static_cast<std::size_t>(rank)].host = Communicator::host();
      return true;
    });
  }

 private:
  /// By rank; 0 where it is not known.
  std::map<int, std::int64_t> processes_;
};

}  // namespace

StartProblems collect_ready(Communicator& communicator, Run& run, std::vector<WorkerInfo>& workers) {
  StartProblems problems;
  std::error_code unreadable;
  const auto until = std::chrono::steady_clock::now() + 10 * run.limits().silence;
  BackOff back_off;
  Awaited awaited(communicator);
  while (!awaited.empty() && StopSignal::received() == 0 && std::chrono::steady_clock::now() < until) {
    const auto message = communicator.poll();
    if (!message) {
      // What a worker sent before it died comes first.
      awaited.give_up_dead(workers);
      back_off.sleep();
      continue;
    }
    if (message->tag == Tag::alive) {
      awaited.note_place(message->source, place_from(message->bytes));
      continue;
    }
    awaited.replied(message->source);
    const Ready ready = ready_from(message->bytes);
    workers[static_cast<std::size_t>(message->source)] = {
        ready.host, ready.pid, OutputFiles::journal_path(run.output().journals(), run.name(), message->source),
        ready.cores};
    if (!ready.error.empty()) {
      problems.add(fmt::format("on host {}: {}", ready.host, ready.error), ready.status);
    } else if (ready.plan != run.plan().hash()) {
      problems.add(fmt::format("host {} reads a different plan from the same file: are the files equal on all hosts?",
                               ready.host),
                   exit_bad_input);
    } else if (const std::string& journal = workers[static_cast<std::size_t>(message->source)].journal;
               !std::filesystem::exists(journal, unreadable)) {
      // The merge would not find it either, and every run would lose what this rank has done.
      problems.add(fmt::format("on host {}: '{}' is not the folder that rank 0 on {} sees under this name", ready.host,
                               run.output().journals(), workers[0].host),
                   exit_bad_input);
    }
  }
  return problems;
}

}  // namespace pimsweep::driver
