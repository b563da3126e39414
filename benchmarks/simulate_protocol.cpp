// Discrete-event simulation of the driver's protocol (docs/scaling.md): a manager that serves one message at a time,
// workers that wait with back-off sleeps, and the grants of the driver's own GrantSize. Prints one CSV line a run.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <queue>
#include <random>
#include <string>
#include <vector>

#include "driver/roster.h"
#include "driver/work_pool.h"

namespace {

constexpr double grant_target = 0.03;  // GrantSize's own
constexpr double grant_budget = 0.1;   // src/driver/worker.cpp
constexpr double inline_budget = 1e-3, lone_budget = 0.05;
constexpr int ranks_with_own_manager = 4;
constexpr double never = std::numeric_limits<double>::infinity();

/// All in seconds; message_costs.cpp measures them.
struct Costs {
  double hear = 0, grant = 0, look = 0, latency = 0, sleep_overshoot = 0, per_grant = 0, per_point = 0;
  /// Time of a manager's round per worker, without messages: loops over all workers take (manager_rounds.cpp).
  double round_per_worker = 0;
};

struct Job {
  /// one: one manager; averaged: and costs averaged over all workers; longer: and longer grants for more ranks; driver:
  /// as the driver does it, whose grants are longer still and of which a worker holds several; two: a level of managers
  /// between, averaging likewise
  std::string scheme;
  std::string distribution;
  int ranks = 0;
  double point = 0;      ///< mean cost of a point
  double work = 0;       ///< least work for each worker, in seconds
  int group = 0;         ///< ranks of a group, its manager included
  double cores = never;  ///< with more evaluators than this, they are shared evenly
};

/// When a rank that looks first at `start` and then sleeps longer each time (BackOff) finds what came at `arrival`.
double found_at(double start, double arrival, const Costs& costs) {
  const double extra = costs.sleep_overshoot + costs.look;
  constexpr double longest = 1e-3;
  double time = start;
  double waited = 0;
  while (time < arrival) {
    const double sleep = std::clamp(waited / 8, 20e-6, longest);
    if (sleep >= longest) return time + std::ceil((arrival - time) / (sleep + extra)) * (sleep + extra);
    time += sleep + extra;
    waited += sleep;
  }
  return time;
}

struct Evaluated {
  std::uint64_t points = 0;
  double cost = 0;     ///< time in points
  double seconds = 0;  ///< measured by the worker
  double longest = 0;  ///< cost of the longest point; 0 when sampled as a sum
};

/// Samples costs of points, and stops like a worker when its budget is used up.
class Points {
 public:
  Points(const Job& job, const Costs& costs, double stretch) : job_(job), costs_(costs), stretch_(stretch) {}

  Evaluated evaluate(std::uint64_t points, double budget) {
    Evaluated result;
    if (job_.distribution == "constant") {
      const double each = seconds(1, job_.point);
      result.points = std::min(points, static_cast<std::uint64_t>(std::max(1.0, std::ceil(budget / each))));
      result.cost = static_cast<double>(result.points) * job_.point;
      result.longest = job_.point;
    } else if (points <= one_by_one) {
      while (result.points < points && (result.points == 0 || seconds(result.points, result.cost) < budget)) {
        const double cost = job_.point * std::exp(normal_(random_) - 0.5);
        result.cost += cost;
        result.longest = std::max(result.longest, cost);
        ++result.points;
      }
    } else {
      // The sum of many is close to a normal one.
      const auto n = static_cast<double>(points);
      const double sum = job_.point * (n + std::sqrt(n * (std::exp(1.0) - 1)) * normal_(random_));
      const double share = std::min(1.0, budget / seconds(points, sum));
      result.points = static_cast<std::uint64_t>(std::ceil(n * share));
      result.cost = sum * static_cast<double>(result.points) / n;
    }
    result.seconds = costs_.per_grant * stretch_ + seconds(result.points, result.cost);
    return result;
  }

 private:
  static constexpr std::uint64_t one_by_one = 64;
  double seconds(std::uint64_t points, double cost) const {
    return stretch_ * (cost + static_cast<double>(points) * costs_.per_point);
  }

  const Job& job_;
  const Costs& costs_;
  double stretch_;
  std::mt19937_64 random_{1};
  std::normal_distribution<double> normal_;
};

struct Letter {
  double arrival = 0;
  int from = -1;  ///< worker, group, or -1: the root
  std::uint64_t points = 0;
  double seconds = 0;
  std::uint64_t wanted = 0;  ///< a group's idle workers
  bool operator>(const Letter& other) const { return arrival > other.arrival; }
};

/// A manager: the root, or the head of a group.
struct Manager {
  int workers = 0;
  std::uint64_t pool = 0;
  pimsweep::driver::GrantSize size;
  std::vector<int> idle;
  /// Workers that can take a further grant, by the number that they hold.
  std::vector<std::queue<int>> spare = std::vector<std::queue<int>>(pimsweep::driver::Roster::max_grants_in_hand);
  std::priority_queue<Letter, std::vector<Letter>, std::greater<>> inbox;
  double now = 0, asleep_since = 0, busy = 0;
  bool asleep = false, granting = true, asked = false;
  std::uint64_t heard_points = 0;  ///< not yet reported to the root
  double heard_seconds = 0;
  std::uint64_t window_points = 0, window_reports = 0;  ///< measured since the last update of GrantSize
  double window_seconds = 0;
  bool window_full = false;
  std::uint64_t version = 0;
};

class Simulation {
 public:
  Simulation(const Job& job, const Costs& costs)
      : job_(job),
        costs_(costs),
        points_(job, costs, stretch(job)),
        in_groups_(job.scheme == "two"),
        averages_(job.scheme != "one"),
        is_driver_(job.scheme == "driver") {
    const double exchange = costs.hear + costs.grant;
    if (job.scheme == "longer") target_ = std::max(grant_target, 4 * job.ranks * exchange);
    evaluates_ = job.ranks < ranks_with_own_manager;
    const int groups = in_groups_ ? std::max(1, (job.ranks - 1) / job.group) : 0;
    managers_.resize(1 + static_cast<std::size_t>(groups));
    int workers = 0;
    for (int i = 0; i < (in_groups_ ? groups : 1); ++i) {
      const int own = in_groups_ ? share(job.ranks - 1, groups, i) - 1 : job.ranks - 1;
      managers_[static_cast<std::size_t>(in_groups_ ? i + 1 : 0)].workers = own;
      for (int w = own; w > 0; --w)
        managers_[static_cast<std::size_t>(in_groups_ ? i + 1 : 0)].idle.push_back(workers + w - 1);
      workers += own;
    }
    managers_[0].workers += groups;
    evaluators_ = workers + (evaluates_ ? 1 : 0);
    total_ = std::max<std::uint64_t>(10, static_cast<std::uint64_t>(job.work / job.point)) *
             static_cast<std::uint64_t>(evaluators_);
    managers_[0].pool = total_;
    if (is_driver_) {
      managers_[0].size = pimsweep::driver::GrantSize(evaluators_);
      target_ = managers_[0].size.target_seconds();
    }
    in_hand_.assign(static_cast<std::size_t>(workers), 0);
    // Workers have waited long enough to look once a millisecond.
    waiting_since_.assign(static_cast<std::size_t>(workers), -0.01);
  }

  std::string run() {
    for (std::size_t i = 0; i < managers_.size(); ++i) agenda_.push({0, static_cast<int>(i), 0});
    while (done_ < total_) {
      const Turn turn = agenda_.top();
      agenda_.pop();
      Manager& manager = at(turn.manager);
      if (turn.version != manager.version) continue;
      manager.now = turn.time;
      manager.asleep = false;
      step(turn.manager);
      schedule(turn.manager);
    }
    double busiest = 0;
    for (const Manager& manager : managers_) busiest = std::max(busiest, manager.busy);
    const double bound = std::max(in_points_ / job_.ranks, longest_);
    return fmt::format("{},{},{},{},{:g},{},{:.6g},{:.4f},{:.4f},{:.4f},{:.4f},{}", job_.scheme, job_.distribution,
                       job_.ranks, in_groups_ ? job_.group : 0, job_.point, total_, end_,
                       in_points_ / (job_.ranks * end_), bound / end_, managers_[0].busy / end_, busiest / end_,
                       grants_);
  }

 private:
  struct Turn {
    double time = 0;
    int manager = 0;
    std::uint64_t version = 0;
    bool operator>(const Turn& other) const { return time > other.time; }
  };

  static double stretch(const Job& job) {
    const int evaluators = job.ranks < ranks_with_own_manager ? job.ranks : job.ranks - 1;
    return std::max(1.0, evaluators / job.cores);
  }
  static int share(int whole, int parts, int part) { return whole / parts + (part < whole % parts ? 1 : 0); }
  Manager& at(int index) { return managers_[static_cast<std::size_t>(index)]; }
  bool is_group(int index) const { return in_groups_ && index > 0; }

  /// One look, one message, one grant, or one request for more.
  void step(int index) {
    Manager& manager = at(index);
    if (!manager.granting && !manager.inbox.empty() && manager.inbox.top().arrival <= manager.now) {
      const Letter letter = manager.inbox.top();
      manager.inbox.pop();
      spend(manager, costs_.hear);
      take_in(manager, index, letter);
    } else if (!manager.idle.empty() && manager.pool > 0) {
      manager.granting = true;
      spend(manager, costs_.grant);
      if (in_groups_ && index == 0) {
        grant_to_group();
      } else {
        const int worker = manager.idle.back();
        manager.idle.pop_back();
        grant_to_worker(manager, index, worker);
      }
    } else if (const auto worker = next_spare(manager)) {
      manager.granting = true;
      spend(manager, costs_.grant);
      grant_to_worker(manager, index, *worker);
    } else if (is_group(index) && !manager.asked && manager.pool <= refill_below(manager)) {
      spend(manager, costs_.grant);
      manager.asked = true;
      send(0, {manager.now + costs_.latency, index, manager.heard_points, manager.heard_seconds, manager.idle.size()});
      manager.heard_points = 0;
      manager.heard_seconds = 0;
    } else if (evaluates_ && manager.pool > 0) {
      evaluate_inline(manager);
    } else if (manager.granting) {
      manager.granting = false;
      spend(manager, costs_.look + costs_.round_per_worker * manager.workers);
    } else {
      manager.asleep = true;
      manager.asleep_since = manager.now;
    }
  }

  void spend(Manager& manager, double seconds) {
    manager.now += seconds;
    manager.busy += seconds;
  }

  void take_in(Manager& manager, int index, const Letter& letter) {
    if (letter.from < 0) {  // a grant of the root to this group
      manager.pool += letter.points;
      manager.asked = false;
      return;
    }
    if (in_groups_ && index == 0) {  // a group asks for more
      if (letter.points > 0) manager.size.measured(letter.points, letter.seconds);
      wanted_.resize(managers_.size());
      wanted_[static_cast<std::size_t>(letter.from)] = letter.wanted;
      manager.idle.push_back(letter.from);
      return;
    }
    if (is_driver_)
      manager.size.measured(letter.points, letter.seconds);
    else
      learn(manager, letter.points, letter.seconds * grant_target / target_);
    manager.pool += letter.wanted;  // handed back
    manager.heard_points += letter.points;
    manager.heard_seconds += letter.seconds;
    set_in_hand(manager, letter.from, in_hand_[static_cast<std::size_t>(letter.from)] - 1);
    done_ += letter.points;
    end_ = std::max(end_, manager.now);
  }

  void set_in_hand(Manager& manager, int worker, std::size_t grants) {
    in_hand_[static_cast<std::size_t>(worker)] = grants;
    if (grants == 0)
      manager.idle.push_back(worker);
    else if (is_driver_ && grants < manager.spare.size())
      manager.spare[grants].push(worker);
  }

  /// A worker that gets a further grant while there is plenty of work, as in Manager::dispatch().
  std::optional<int> next_spare(Manager& manager) {
    constexpr double grants_left = 4;
    if (!is_driver_ || manager.pool == 0 ||
        manager.size.seconds_for(manager.pool) <= grants_left * evaluators_ * manager.size.target_seconds())
      return std::nullopt;
    for (std::size_t grants = 1; grants < manager.spare.size(); ++grants) {
      std::queue<int>& spare = manager.spare[grants];
      while (!spare.empty()) {
        const int worker = spare.front();
        spare.pop();
        // It may have reported since.
        if (in_hand_[static_cast<std::size_t>(worker)] == grants) return worker;
      }
    }
    return std::nullopt;
  }

  /// GrantSize remembers about ten reports. Where many workers report in step, the last ten are those of the longest
  /// points; the averaging schemes let ten of its measurements stand for a report of each worker.
  void learn(Manager& manager, std::uint64_t points, double seconds) {
    const auto window = static_cast<std::uint64_t>(averages_ ? std::max(1, manager.workers / 10) : 1);
    manager.window_points += points;
    manager.window_seconds += seconds;
    ++manager.window_reports;
    if (!manager.window_full) manager.size.measured(points, seconds);
    if (manager.window_reports < window) return;
    // The sums keep their ratio, which is all that counts.
    manager.size.measured(manager.window_points, manager.window_seconds);
    manager.window_full = true;
    manager.window_points = 0;
    manager.window_seconds = 0;
    manager.window_reports = 0;
  }

  void grant_to_worker(Manager& manager, int index, int worker) {
    const std::uint64_t points =
        std::min(manager.pool, manager.size.next(manager.pool, manager.workers + (evaluates_ ? 1 : 0)));
    manager.pool -= points;
    double& waiting = waiting_since_[static_cast<std::size_t>(worker)];
    const double start = found_at(waiting, manager.now + costs_.latency, costs_);
    const Evaluated result = points_.evaluate(points, target_ * grant_budget / grant_target);
    in_points_ += result.cost;
    longest_ = std::max(longest_, result.longest);
    waiting = start + result.seconds;
    ++grants_;
    set_in_hand(manager, worker, in_hand_[static_cast<std::size_t>(worker)] + 1);
    send(index, {waiting + costs_.latency, worker, result.points, result.seconds, points - result.points});
  }

  /// As much as keeps the group busy for several grants of its workers, at most its part of half the rest.
  void grant_to_group() {
    Manager& root = at(0);
    const int index = root.idle.back();
    root.idle.pop_back();
    const Manager& group = at(index);
    const std::uint64_t for_a_worker = root.size.next(std::numeric_limits<std::uint64_t>::max() / 4, 1);
    const std::uint64_t ahead = for_a_worker > 1 ? grants_ahead * for_a_worker : 1;
    const std::uint64_t wanted =
        std::max(wanted_[static_cast<std::size_t>(index)], ahead * static_cast<std::uint64_t>(group.workers));
    const std::uint64_t part = std::max<std::uint64_t>(1, root.pool / (2 * (managers_.size() - 1)));
    const std::uint64_t points = std::min(root.pool, std::min(wanted, part));
    root.pool -= points;
    send(index, {root.now + costs_.latency, -1, points, 0, 0});
  }

  /// A group asks for more while each of its workers still has two grants to come; with points longer than a grant,
  /// only when it has none left.
  static std::uint64_t refill_below(const Manager& group) {
    const std::uint64_t for_a_worker = group.size.next(std::numeric_limits<std::uint64_t>::max() / 4, 1);
    return for_a_worker > 1 ? 2 * for_a_worker * static_cast<std::uint64_t>(group.workers) : 0;
  }

  void evaluate_inline(Manager& manager) {
    const std::uint64_t points = std::min(manager.pool, manager.size.next(manager.pool, evaluators_));
    const Evaluated result = points_.evaluate(points, manager.workers == 0 ? lone_budget : inline_budget);
    in_points_ += result.cost;
    manager.pool -= result.points;
    manager.size.measured(result.points, result.seconds);
    longest_ = std::max(longest_, result.longest);
    // The next turn begins with the messages.
    manager.granting = false;
    spend(manager, result.seconds + costs_.look);
    done_ += result.points;
    end_ = std::max(end_, manager.now);
    ++grants_;
  }

  void send(int to, const Letter& letter) {
    Manager& manager = at(to);
    manager.inbox.push(letter);
    if (manager.asleep) schedule(to);
  }

  void schedule(int index) {
    Manager& manager = at(index);
    ++manager.version;
    if (!manager.asleep) {
      agenda_.push({manager.now, index, manager.version});
    } else if (!manager.inbox.empty()) {
      const double wake = found_at(manager.asleep_since, manager.inbox.top().arrival, costs_);
      agenda_.push({wake, index, manager.version});
    }
  }

  static constexpr std::uint64_t grants_ahead = 8;

  const Job& job_;
  const Costs& costs_;
  Points points_;
  bool in_groups_;
  bool averages_;
  bool is_driver_;
  bool evaluates_ = false;
  double target_ = grant_target;
  int evaluators_ = 0;
  std::uint64_t total_ = 0, done_ = 0, grants_ = 0;
  double end_ = 0, in_points_ = 0, longest_ = 0;
  std::vector<Manager> managers_;
  std::vector<double> waiting_since_;
  std::vector<std::size_t> in_hand_;
  std::vector<std::uint64_t> wanted_;
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> agenda_;
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Simulates the driver's protocol; prints CSV");
  Costs costs;
  for (auto& [name, value] : std::vector<std::pair<const char*, double*>>{{"--hear", &costs.hear},
                                                                          {"--grant", &costs.grant},
                                                                          {"--look", &costs.look},
                                                                          {"--latency", &costs.latency},
                                                                          {"--sleep-overshoot", &costs.sleep_overshoot},
                                                                          {"--per-grant", &costs.per_grant},
                                                                          {"--per-point", &costs.per_point}}) {
    app.add_option(name, *value, "seconds")->required()->check(CLI::NonNegativeNumber);
  }
  app.add_option("--round-per-worker", costs.round_per_worker, "seconds; 0 if not given")
      ->check(CLI::NonNegativeNumber);
  std::vector<int> ranks;
  std::vector<double> points;
  std::vector<std::string> schemes{"one"}, distributions{"constant"};
  Job job;
  job.work = 10;
  job.group = 64;
  app.add_option("--ranks", ranks, "numbers of ranks")->required()->delimiter(',')->check(CLI::PositiveNumber);
  app.add_option("--points", points, "mean costs of a point, in seconds")
      ->required()
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  app.add_option("--schemes", schemes, "one, averaged, longer, driver, two")
      ->delimiter(',')
      ->check(CLI::IsMember({"one", "averaged", "longer", "driver", "two"}));
  app.add_option("--distributions", distributions, "constant, lognormal")
      ->delimiter(',')
      ->check(CLI::IsMember({"constant", "lognormal"}));
  app.add_option("--work", job.work, "work for each rank, in seconds; never less than ten points")
      ->check(CLI::PositiveNumber);
  app.add_option("--group", job.group, "ranks of a group, for scheme two")->check(CLI::Range(2, 1 << 20));
  app.add_option("--cores", job.cores, "cores that all ranks share")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);

  if (std::ranges::find(schemes, "two") != schemes.end() && std::ranges::min(ranks) < ranks_with_own_manager) {
    fmt::print(stderr, "simulate_protocol: scheme two needs at least {} ranks\n", ranks_with_own_manager);
    return 2;
  }

  fmt::print(
      "scheme,distribution,ranks,group,point,points,makespan,efficiency,of_best,root_busy,busiest_manager,grants\n");
  for (const std::string& scheme : schemes) {
    for (const std::string& distribution : distributions) {
      for (const int number : ranks) {
        for (const double point : points) {
          job.scheme = scheme;
          job.distribution = distribution;
          job.ranks = number;
          job.point = point;
          fmt::print("{}\n", Simulation(job, costs).run());
        }
      }
    }
  }
  return 0;
}
