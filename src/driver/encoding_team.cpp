#include "driver/encoding_team.h"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "base/bytes.h"
#include "base/message.h"
#include "base/posix_file.h"
#include "driver/own_files.h"

namespace pimsweep::driver {

namespace {

/// Tasks of a member: with fewer than three one would wait for rank 0, which encodes a block itself and places several
/// before it listens again.
constexpr std::size_t max_load = 3;
/// Results that may wait for those before them, for each member: bounds the space of their files.
constexpr std::size_t waiting_per_member = 4;
constexpr auto member_check_period = std::chrono::milliseconds(200);

/// Reads part of a file of blocks; nothing if it is not what was written.
std::optional<std::string> read_part(const std::string& path, std::uint64_t offset, std::uint64_t size,
                                     const Hash128& hash) {
  try {
    const PosixFile file = PosixFile::read_from(path);
    if (offset + size > file.size()) return std::nullopt;
    std::string bytes(size, '\0');
    if (file.read_at(offset, bytes.data(), size) < size || hash128(bytes) != hash) return std::nullopt;
    return bytes;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

std::string to_bytes(const EncodingOrder& order) {
  std::string bytes;
  append_number(bytes, order.number);
  append_text(bytes, order.index);
  append_number(bytes, order.position);
  append_text(bytes, to_bytes(order.task));
  return bytes;
}

EncodingOrder encoding_order_from(std::string_view bytes) {
  ByteReader reader(bytes);
  EncodingOrder order;
  order.number = reader.number<std::uint64_t>();
  order.index = reader.text();
  order.position = reader.number<std::uint64_t>();
  order.task = results::block_task_from(reader.text());
  return order;
}

std::string to_bytes(const EncodingReply& reply) {
  std::string bytes;
  append_number(bytes, reply.number);
  append_text(bytes, reply.error);
  for (const std::uint64_t number : {reply.front, reply.front_hash.high, reply.front_hash.low, reply.body,
                                     reply.body_hash.high, reply.body_hash.low})
    append_number(bytes, number);
  return bytes;
}

EncodingReply encoding_reply_from(std::string_view bytes) {
  ByteReader reader(bytes);
  EncodingReply reply;
  reply.number = reader.number<std::uint64_t>();
  reply.error = reader.text();
  for (std::uint64_t* number : {&reply.front, &reply.front_hash.high, &reply.front_hash.low, &reply.body,
                                &reply.body_hash.high, &reply.body_hash.low})
    *number = reader.number<std::uint64_t>();
  if (reader.failed()) throw std::logic_error("received a malformed reply");
  return reply;
}

EncodingReply EncodingWorker::run(const EncodingOrder& order) {
  EncodingReply reply{.number = order.number};
  const std::string path = block_path(journals_, order.number);
  fault_.before_blocks();
  try {
    if (!encoder_) encoder_.emplace(plan_, evaluator_, order.index, nullptr);
    const TaskEncoder::Done done = encoder_->encode(order.task, order.position);
    std::string front;
    append_text(front, to_bytes(done.notes));
    append_text(front, done.task.head);
    reply.front = front.size();
    reply.front_hash = hash128(front);
    reply.body = done.task.body.size();
    reply.body_hash = hash128(done.task.body);
    PosixFile file = PosixFile::create(path);
    file.write(front);
    file.write(done.task.body);
  } catch (const std::exception& error) {
    ::unlink(path.c_str());
    reply.error = error.what();
  }
  return reply;
}

EncodingTeam::EncodingTeam(Communicator& communicator, Manager& manager, std::string journals, bool encodes_here,
                           Fault fault)
    : communicator_(communicator),
      manager_(manager),
      journals_(std::move(journals)),
      encodes_here_(encodes_here),
      fault_(fault) {
  for (const int rank : manager.idle_workers()) {
    members_.emplace(rank, Member{});
    by_load_.emplace(0, rank);
  }
}

void EncodingTeam::set_load(int rank, std::size_t load) {
  Member& member = members_.at(rank);
  by_load_.erase({member.load, rank});
  member.load = load;
  by_load_.emplace(load, rank);
}

void EncodingTeam::encode(const MergeWork& work) {
  // Nothing of a study can be handed out before its first blocks decide how it is stored, and a small file has no more.
  if (encodes_here_) encode_one(work);
  BackOff back_off;
  last_check_ = Clock::now();
  while (!work.queue.is_complete()) {
    bool was_busy = receive(work);
    hand_out(work);
    if (encodes_here_ || members_.empty() || !own_.empty()) was_busy = encode_one(work) || was_busy;
    check_members();
    if (was_busy)
      back_off.reset();
    else
      back_off.sleep();
  }
}

bool EncodingTeam::receive(const MergeWork& work) {
  bool any = false;
  while (const auto message = communicator_.poll()) {
    const auto member = members_.find(message->source);
    if (member != members_.end()) member->second.silent = {};
    if (message->tag != Tag::encoded) continue;
    take(work, encoding_reply_from(message->bytes));
    any = true;
  }
  return any;
}

void EncodingTeam::take(const MergeWork& work, const EncodingReply& reply) {
  const std::string path = block_path(journals_, reply.number);
  const auto found = given_.find(reply.number);
  if (found == given_.end()) {
    // It was taken to be lost, and others have done its task.
    ::unlink(path.c_str());
    return;
  }
  fault_.before_blocks();
  const Given given = std::move(found->second);
  given_.erase(found);
  set_load(given.rank, members_.at(given.rank).load - 1);
  const auto front = reply.error.empty() ? read_part(path, 0, reply.front, reply.front_hash) : std::nullopt;
  if (!front) {
    if (!reply.error.empty()) print_warning("rank {} cannot encode results: {}", given.rank, reply.error);
    ::unlink(path.c_str());
    own_.push_back(given.task);
    drop(given.rank);
    return;
  }
  // Before rank 0 takes time to place blocks.
  hand_out(work);
  ByteReader reader(*front);
  work.notes.add(given.task, notes_from(reader.text()));
  work.queue.put(given.task, reader.text(), [work, task = given.task, path, reply] {
    std::optional<std::string> body = read_part(path, reply.front, reply.body, reply.body_hash);
    ::unlink(path.c_str());
    if (body) return *std::move(body);
    return work.encoder.encode(task, work.index.position(work.encoder.first_point_of(task))).task.body;
  });
}

void EncodingTeam::hand_out(const MergeWork& work) {
  while (!by_load_.empty() && by_load_.begin()->first < max_load) {
    const auto task = next_task(work);
    if (!task) return;
    if (!work.encoder.is_shared(task->study)) {
      own_.push_back(*task);
      continue;
    }
    const int rank = by_load_.begin()->second;
    const std::uint64_t number = next_number_++;
    const std::uint64_t position = work.index.position(work.encoder.first_point_of(*task));
    communicator_.send(rank, Tag::encode, to_bytes(EncodingOrder{number, work.index.path(), position, *task}));
    given_.emplace(number, Given{rank, *task});
    Member& member = members_.at(rank);
    if (member.load == 0) member.silent = {};
    set_load(rank, member.load + 1);
  }
}

std::optional<results::BlockTask> EncodingTeam::next_task(const MergeWork& work) {
  if (!returned_.empty()) {
    const results::BlockTask task = std::move(returned_.front());
    returned_.pop_front();
    return task;
  }
  const std::size_t limit = waiting_per_member * (1 + members_.size());
  const std::size_t in_flight = given_.size() + own_.size();
  const std::size_t open = in_flight + work.queue.waiting();
  // What is written now comes before what would have to wait; where even that waits for others, they end first.
  if (open >= 2 * limit && in_flight > 0) return std::nullopt;
  return work.queue.next(open >= limit);
}

bool EncodingTeam::encode_one(const MergeWork& work) {
  std::optional<results::BlockTask> task;
  if (!own_.empty()) {
    task = std::move(own_.front());
    own_.pop_front();
  } else if (encodes_here_ || members_.empty()) {
    task = next_task(work);
  }
  if (!task) return false;
  fault_.before_blocks();
  TaskEncoder::Done done = work.encoder.encode(*task, work.index.position(work.encoder.first_point_of(*task)));
  work.notes.add(*task, std::move(done.notes));
  // Others may have to be placed first.
  const auto body = std::make_shared<std::string>(std::move(done.task.body));
  work.queue.put(*task, done.task.head, [body] { return std::move(*body); });
  return true;
}

void EncodingTeam::check_members() {
  const auto now = Clock::now();
  if (now - last_check_ < member_check_period) return;
  // While this rank encoded or placed, or was stopped, it did not listen.
  const auto listened = std::min<Clock::duration>(now - last_check_, 2 * member_check_period);
  last_check_ = now;
  std::set<int> busy;
  for (auto& [rank, member] : members_) {
    if (member.load == 0) continue;
    busy.insert(rank);
    member.silent += listened;
  }
  const std::set<int> gone = manager_.exited(busy);
  for (const int rank : busy) {
    const bool is_gone = gone.contains(rank);
    if (!is_gone && members_.at(rank).silent <= manager_.silence_limit()) continue;
    manager_.give_up(rank, is_gone ? "its process is gone" : "it is silent", is_gone);
    drop(rank);
  }
}

void EncodingTeam::drop(int rank) {
  by_load_.erase({members_.at(rank).load, rank});
  members_.erase(rank);
  for (auto given = given_.begin(); given != given_.end();) {
    if (given->second.rank != rank) {
      ++given;
      continue;
    }
    returned_.push_back(std::move(given->second.task));
    given = given_.erase(given);
  }
}

}  // namespace pimsweep::driver
