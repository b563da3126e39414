#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/hash.h"
#include "driver/communicator.h"
#include "driver/faults.h"
#include "driver/manager.h"
#include "driver/merge.h"
#include "driver/task_encoder.h"

namespace pimsweep::driver {

/// A task of encoding as sent to a rank.
struct EncodingOrder {
  std::uint64_t number = 0;
  /// Path of the ExtentIndex, and where in it the task begins.
  std::string index{};
  std::uint64_t position = 0;
  results::BlockTask task{};
};
std::string to_bytes(const EncodingOrder& order);
EncodingOrder encoding_order_from(std::string_view bytes);

/// What became of it: the size and hash of its file of blocks (driver/own_files.h), which begins with the notes and the
/// head. Messages stay short: one that a lost rank will never take must not block its sender.
struct EncodingReply {
  std::uint64_t number = 0;
  std::string error{};
  std::uint64_t front = 0;
  Hash128 front_hash{};
  std::uint64_t body = 0;
  Hash128 body_hash{};
};
std::string to_bytes(const EncodingReply& reply);
EncodingReply encoding_reply_from(std::string_view bytes);

/// A worker's side.
class EncodingWorker {
 public:
  /// The references must outlive it.
  EncodingWorker(const sweep::Plan& plan, Evaluator& evaluator, std::string journals, Fault fault)
      : plan_(plan), evaluator_(evaluator), journals_(std::move(journals)), fault_(fault) {}
  /// Encodes and writes the blocks. Errors are in the reply.
  EncodingReply run(const EncodingOrder& order);

 private:
  const sweep::Plan& plan_;
  Evaluator& evaluator_;
  std::string journals_;
  Fault fault_;
  std::optional<TaskEncoder> encoder_;
};

/// Rank 0's side: lets all ranks encode the blocks of the results file, and places them. What a lost rank has not done
/// is done by others.
class EncodingTeam {
 public:
  using Clock = std::chrono::steady_clock;

  /// The idle ranks of the manager are the members. `encodes_here`: rank 0 encodes too when it has nothing to place.
  EncodingTeam(Communicator& communicator, Manager& manager, std::string journals, bool encodes_here, Fault fault);

  void encode(const MergeWork& work);

 private:
  struct Member {
    /// Tasks that it has.
    std::size_t load = 0;
    /// Time spent listening since it was last heard of.
    Clock::duration silent{};
  };
  struct Given {
    int rank = 0;
    results::BlockTask task;
  };

  bool receive(const MergeWork& work);
  void take(const MergeWork& work, const EncodingReply& reply);
  void hand_out(const MergeWork& work);
  std::optional<results::BlockTask> next_task(const MergeWork& work);
  bool encode_one(const MergeWork& work);
  void check_members();
  void drop(int rank);
  void set_load(int rank, std::size_t load);

  Communicator& communicator_;
  Manager& manager_;
  std::string journals_;
  bool encodes_here_;
  Fault fault_;
  std::map<int, Member> members_;
  /// The members, those with the fewest tasks first.
  std::set<std::pair<std::size_t, int>> by_load_;
  /// Tasks by number.
  std::map<std::uint64_t, Given> given_;
  std::uint64_t next_number_ = 0;
  /// Tasks that lost ranks had, and such that rank 0 has to do.
  std::deque<results::BlockTask> returned_;
  std::deque<results::BlockTask> own_;
  Clock::time_point last_check_{};
};

}  // namespace pimsweep::driver
