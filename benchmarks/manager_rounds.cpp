// Nanoseconds of the manager's books in a round that handles one report, against the number of ranks: with the roster
// of the driver, and with looks at all ranks, which it replaced. Both must choose the same ranks and points.
// manager_rounds [ROUNDS]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <random>
#include <vector>

#include "base/hash.h"
#include "driver/roster.h"
#include "driver/work_pool.h"

namespace {

using namespace pimsweep;
using driver::Roster;

/// Looks at all ranks.
class Scan {
 public:
  explicit Scan(std::size_t ranks) : states_(ranks) {}
  void set(int rank, const Roster::State& state) { states_[static_cast<std::size_t>(rank)] = state; }
  int evaluators() const { return count(false) + count(true); }
  int busy() const { return count(true); }

  template <typename Use>
  void for_each_idle(const Use& use) const {
    for (std::size_t rank = states_.size(); rank-- > 0;) {
      if (states_[rank].is_there && states_[rank].grants == 0) use(static_cast<int>(rank));
    }
  }
  template <typename Wanted, typename Use>
  void for_each_with(std::size_t grants, const Wanted& wanted, const Use& use) const {
    for (std::size_t rank = 0; rank < states_.size() && wanted(); ++rank) {
      if (states_[rank].is_there && states_[rank].grants == grants && !states_[rank].is_isolated)
        use(static_cast<int>(rank));
    }
  }

 private:
  int count(bool is_busy) const {
    return static_cast<int>(std::ranges::count_if(
        states_, [&](const Roster::State& state) { return state.is_there && (state.grants > 0) == is_busy; }));
  }
  std::vector<Roster::State> states_;
};

/// Asks the roster.
class Book {
 public:
  explicit Book(std::size_t ranks) : roster_(ranks) {}
  void set(int rank, const Roster::State& state) { roster_.set(rank, state); }
  int evaluators() const { return roster_.evaluators(); }
  int busy() const { return roster_.busy(); }

  template <typename Use>
  void for_each_idle(const Use& use) const {
    while (!roster_.idle().empty()) use(roster_.idle().last());
  }
  template <typename Wanted, typename Use>
  void for_each_with(std::size_t grants, const Wanted& wanted, const Use& use) const {
    const driver::RankSet& ranks = roster_.with_grants(grants);
    for (int rank = ranks.next(0); rank != driver::RankSet::none && wanted(); rank = ranks.next(rank + 1)) use(rank);
  }

 private:
  Roster roster_;
};

struct Measured {
  double nanoseconds = 0;
  /// Properties of all grants, in order.
  Hash128 choices;
};

/// A run in its steady state: every rank has plenty of grants, and each round one of them reports.
template <typename Ranks>
Measured measure(std::size_t ranks, int rounds) {
  driver::WorkPool pool(driver::PointSet(4'000'000'000));
  driver::GrantSize size(static_cast<int>(ranks));
  size.measured(1'000'000, 0.03);
  Ranks books(ranks);
  std::vector<std::size_t> in_hand(ranks, 0);
  std::vector<std::uint64_t> chosen;
  chosen.reserve(2 * (Roster::max_grants_in_hand * ranks + static_cast<std::size_t>(rounds)));
  const auto set = [&](int rank) { books.set(rank, {true, in_hand[static_cast<std::size_t>(rank)], false}); };
  for (std::size_t rank = 1; rank < ranks; ++rank) set(static_cast<int>(rank));
  const auto dispatch = [&] {
    const int evaluators = books.evaluators();
    const auto grant = [&](int rank) {
      const driver::Grant taken = pool.take(std::min<std::uint64_t>(8, size.next(pool.points(), evaluators)), 64);
      chosen.push_back(static_cast<std::uint64_t>(rank));
      chosen.push_back(taken.ranges.front().begin);
      ++in_hand[static_cast<std::size_t>(rank)];
      set(rank);
    };
    books.for_each_idle(grant);
    for (std::size_t grants = 1; grants < Roster::max_grants_in_hand; ++grants)
      books.for_each_with(
          grants, [&] { return !pool.empty(); }, grant);
    return books.busy();
  };
  dispatch();
  std::mt19937_64 random(ranks);
  const auto begin = std::chrono::steady_clock::now();
  for (int round = 0; round < rounds; ++round) {
    const auto rank = static_cast<int>(1 + random() % (ranks - 1));
    --in_hand[static_cast<std::size_t>(rank)];
    set(rank);
    if (dispatch() == 0) std::abort();
  }
  const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
  return {spent.count() / rounds,
          hash128({reinterpret_cast<const char*>(chosen.data()), chosen.size() * sizeof chosen.front()})};
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 2000;
  fmt::print("{:>8} {:>16} {:>16} {:>10}\n", "ranks", "all ranks [ns]", "roster [ns]", "ratio");
  for (std::size_t ranks = 64; ranks <= 65536; ranks *= 4) {
    std::vector<double> scans;
    std::vector<double> books;
    for (int repetition = 0; repetition < 5; ++repetition) {
      const Measured scan = measure<Scan>(ranks, rounds);
      const Measured book = measure<Book>(ranks, rounds);
      if (scan.choices != book.choices) {
        fmt::print("the grants differ at {} ranks\n", ranks);
        return 1;
      }
      scans.push_back(scan.nanoseconds);
      books.push_back(book.nanoseconds);
    }
    const double scan = *std::ranges::min_element(scans);
    const double book = *std::ranges::min_element(books);
    fmt::print("{:>8} {:>16.0f} {:>16.0f} {:>10.1f}\n", ranks, scan, book, scan / book);
  }
  return 0;
}
