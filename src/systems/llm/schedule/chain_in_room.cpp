#include "systems/llm/schedule/chain_in_room.h"

#include <algorithm>
#include <array>
#include <limits>

namespace pimsweep::systems::llm::schedule {

namespace {

constexpr std::size_t no_label = std::numeric_limits<std::size_t>::max();

/// Partial solution up to an operator: the way of the operator and the label before it.
struct Label {
  double seconds = 0;
  double room = 0;
  std::size_t way = no_label;
  std::size_t before = no_label;
};

/// Pareto front of seconds and memory of a block, the fastest first.
struct Front {
  std::vector<double> seconds;
  std::vector<double> room;
  std::vector<Assignment> ways;

  std::size_t size() const { return seconds.size(); }
  /// Index of the fastest entry that takes at most `limit`; size() if there is none.
  std::size_t within(double limit) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(room, limit, std::ranges::greater()) - room.begin());
  }
};

class FrontMaker {
 public:
  FrontMaker(const StepProblem& problem, std::size_t rows, std::span<const double> room_of_way)
      : problem_(problem), rows_(rows), room_of_way_(room_of_way), at_(2 * (problem.operators + 1)) {}

  Front make() {
    add(0, Side::gpu, {});
    for (std::size_t op = 0; op < problem_.operators; ++op) {
      for (const Side side : all_sides) keep_front(at(op, side));
      for (std::size_t w = 0; w < problem_.ways.size(); ++w) {
        if (problem_.ways[w].first == op) extend(w);
      }
    }
    std::vector<std::size_t>& ends = at(problem_.operators, Side::gpu);
    for (const std::size_t l : at(problem_.operators, Side::pim)) {
      Label label = labels_[l];
      label.seconds += problem_.move_seconds(problem_.operators, Side::gpu, rows_);
      labels_.push_back(label);
      ends.push_back(labels_.size() - 1);
    }
    keep_front(ends);
    Front front;
    for (const std::size_t l : ends) {
      front.seconds.push_back(labels_[l].seconds);
      front.room.push_back(labels_[l].room);
      Assignment& ways = front.ways.emplace_back();
      for (std::size_t from = l; labels_[from].way != no_label; from = labels_[from].before) {
        ways.push_back(labels_[from].way);
      }
      std::ranges::reverse(ways);
    }
    return front;
  }

 private:
  std::vector<std::size_t>& at(std::size_t op, Side side) { return at_[2 * op + static_cast<std::size_t>(side)]; }

  void add(std::size_t op, Side side, const Label& label) {
    labels_.push_back(label);
    at(op, side).push_back(labels_.size() - 1);
  }

  void extend(std::size_t w) {
    const Way& way = problem_.ways[w];
    const double seconds = way.seconds(rows_);
    if (seconds == infinite) return;
    for (const Side from : all_sides) {
      const double moved = from == way.needs ? 0 : problem_.move_seconds(way.first, way.needs, rows_);
      for (const std::size_t l : at(way.first, from)) {
        const Label& before = labels_[l];
        add(way.last, way.leaves,
            {.seconds = before.seconds + moved + seconds,
             .room = before.room + room_of_way_[w],
             .way = w,
             .before = l});
      }
    }
  }

  void keep_front(std::vector<std::size_t>& labels) const {
    std::ranges::sort(labels, [&](std::size_t a, std::size_t b) {
      const Label& one = labels_[a];
      const Label& two = labels_[b];
      if (one.seconds != two.seconds) return one.seconds < two.seconds;
      return one.room != two.room ? one.room < two.room : a < b;
    });
    double min_room = infinite;
    std::erase_if(labels, [&](std::size_t l) {
      if (labels_[l].room >= min_room) return true;
      min_room = labels_[l].room;
      return false;
    });
  }

  const StepProblem& problem_;
  std::size_t rows_;
  std::span<const double> room_of_way_;
  std::vector<Label> labels_;
  /// Labels by operator and side of the data before it.
  std::vector<std::vector<std::size_t>> at_;
};

/// Corners of the lower convex hull of a front.
std::vector<std::size_t> hull_of(const Front& front) {
  std::vector<std::size_t> hull;
  for (std::size_t p = 0; p < front.size(); ++p) {
    while (hull.size() > 1) {
      const std::size_t a = hull[hull.size() - 2];
      const std::size_t b = hull.back();
      // True if b is below the line from a to p.
      if ((front.seconds[b] - front.seconds[a]) * (front.room[a] - front.room[p]) <
          (front.seconds[p] - front.seconds[a]) * (front.room[a] - front.room[b])) {
        break;
      }
      hull.pop_back();
    }
    hull.push_back(p);
  }
  return hull;
}

/// Blocks of a front in limited room.
class BlocksInRoom {
 public:
  BlocksInRoom(const Front& front, std::size_t blocks) : front_(front), hull_(hull_of(front)), blocks_(blocks) {}

  /// Seconds of all blocks by the hull, if their room may be divided at will; infinite if there is too little.
  double bound(double room) const {
    const double each = room / static_cast<double>(blocks_);
    const std::size_t h = corner_within(each);
    if (h == hull_.size()) return infinite;
    const std::size_t tight = hull_[h];
    if (h == 0) return static_cast<double>(blocks_) * front_.seconds[tight];
    const std::size_t quick = hull_[h - 1];
    const double share = (each - front_.room[tight]) / (front_.room[quick] - front_.room[tight]);
    return static_cast<double>(blocks_) *
           (front_.seconds[tight] - share * (front_.seconds[tight] - front_.seconds[quick]));
  }

  /// Places in the front of each block, the best of: so many as possible at the quick corner beside the mean room, all
  /// others at the one that takes less, and up to two of them, or one of the quick ones and one of them, at whatever
  /// uses the room that is left best.
  std::vector<std::size_t> divide(double room) const {
    const std::size_t h = corner_within(room / static_cast<double>(blocks_));
    if (h == hull_.size()) return {};
    const std::size_t tight = hull_[h];
    if (h == 0) return std::vector<std::size_t>(blocks_, tight);
    const std::size_t quick = hull_[h - 1];
    const double spare = room - static_cast<double>(blocks_) * front_.room[tight];
    auto count = static_cast<std::size_t>(std::max(0.0, spare / (front_.room[quick] - front_.room[tight])));
    count = std::min(count, blocks_ - 1);
    std::vector<std::size_t> best;
    double least = infinite;
    for (const std::size_t kept : {count, count - std::min<std::size_t>(count, 1)}) {
      const std::size_t open = std::min<std::size_t>(2, blocks_ - kept);
      std::vector<std::size_t> places(blocks_, tight);
      std::fill_n(places.begin(), kept, quick);
      const double left = room - static_cast<double>(kept) * front_.room[quick] -
                          static_cast<double>(blocks_ - kept - open) * front_.room[tight];
      const std::array<std::size_t, 2> last = best_pair(open, left);
      for (std::size_t k = 0; k < open; ++k) places[kept + k] = last[k];
      const double seconds = seconds_of(places);
      if (room_of(places) > room || seconds >= least) continue;
      least = seconds;
      best = places;
    }
    return best;
  }

  /// Seconds that a unit of room more gains.
  double price(double room) const {
    const std::size_t h = corner_within(room / static_cast<double>(blocks_));
    if (h == 0 || h == hull_.size()) return 0;
    return (front_.seconds[hull_[h]] - front_.seconds[hull_[h - 1]]) /
           (front_.room[hull_[h - 1]] - front_.room[hull_[h]]);
  }

  double seconds_of(std::span<const std::size_t> places) const {
    double sum = 0;
    for (const std::size_t p : places) sum += front_.seconds[p];
    return sum;
  }
  double room_of(std::span<const std::size_t> places) const {
    double sum = 0;
    for (const std::size_t p : places) sum += front_.room[p];
    return sum;
  }

 private:
  /// The first corner of the hull that takes at most `limit`.
  std::size_t corner_within(double limit) const {
    std::size_t h = 0;
    while (h < hull_.size() && front_.room[hull_[h]] > limit) ++h;
    return h;
  }

  /// The places of one or two blocks that together take at most `room` and are quickest; the last places if none do.
  std::array<std::size_t, 2> best_pair(std::size_t count, double room) const {
    const std::size_t last = front_.size() - 1;
    std::array<std::size_t, 2> best{last, last};
    if (count == 1) {
      best[0] = std::min(front_.within(room), last);
      return best;
    }
    double least = infinite;
    for (std::size_t p = 0; p < front_.size(); ++p) {
      const std::size_t q = front_.within(room - front_.room[p]);
      if (q == front_.size() || front_.seconds[p] + front_.seconds[q] >= least) continue;
      least = front_.seconds[p] + front_.seconds[q];
      best = {p, q};
    }
    return best;
  }

  const Front& front_;
  std::vector<std::size_t> hull_;
  std::size_t blocks_;
};

}  // namespace

ChainInRoom solve_chain_in_room(const StepProblem& problem, std::size_t rows, std::span<const double> room_of_way,
                                std::span<const Alternative> alternatives, double room) {
  const Front front = FrontMaker(problem, rows, room_of_way).make();
  ChainInRoom best;
  if (front.size() == 0) return best;
  const BlocksInRoom blocks(front, problem.blocks);
  std::vector<std::size_t> best_places;
  for (std::size_t a = 0; a < alternatives.size(); ++a) {
    const double left = room - alternatives[a].room;
    best.lower_bound = std::min(best.lower_bound, alternatives[a].seconds + blocks.bound(left));
    const std::vector<std::size_t> places = blocks.divide(left);
    const double seconds = places.empty() ? infinite : alternatives[a].seconds + blocks.seconds_of(places);
    if (seconds >= best.seconds) continue;
    best.seconds = seconds;
    best.room = alternatives[a].room + blocks.room_of(places);
    best.price = blocks.price(left);
    best.alternative = a;
    best_places = places;
  }
  std::ranges::sort(best_places);
  for (std::size_t b = 0; b < best_places.size(); ++b) {
    if (b == 0 || best_places[b] != best_places[b - 1]) best.parts.push_back({front.ways[best_places[b]], 0});
    ++best.parts.back().blocks;
  }
  return best;
}

}  // namespace pimsweep::systems::llm::schedule
