#include "search/archive.h"

#include <algorithm>
#include <map>

namespace pimsweep::search {

void Archive::add(const std::vector<Design>& designs, const std::vector<Fitness>& results) {
  for (std::size_t i = 0; i < designs.size(); ++i) entries_.push_back({designs[i], results[i]});
  rank();
  std::ranges::stable_sort(entries_, [](const Entry& a, const Entry& b) {
    return a.front != b.front ? a.front < b.front : a.crowding > b.crowding;
  });
  if (entries_.size() > capacity_)
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(capacity_), entries_.end());
}

void Archive::rank() {
  std::vector<Fitness> fitness;
  fitness.reserve(entries_.size());
  for (const Entry& entry : entries_) fitness.push_back(entry.fitness);
  const std::vector<std::size_t> numbers = front_numbers(fitness);
  std::map<std::size_t, std::vector<std::size_t>> fronts;
  for (std::size_t i = 0; i < entries_.size(); ++i) fronts[numbers[i]].push_back(i);
  for (const auto& [number, members] : fronts) {
    std::vector<const Fitness*> of_members;
    for (const std::size_t i : members) of_members.push_back(&fitness[i]);
    const std::vector<double> distances = crowding_distances(of_members);
    for (std::size_t i = 0; i < members.size(); ++i) {
      entries_[members[i]].front = number;
      entries_[members[i]].crowding = distances[i];
    }
  }
}

}  // namespace pimsweep::search
