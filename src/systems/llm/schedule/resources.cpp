#include "systems/llm/schedule/resources.h"

namespace pimsweep::systems::llm::schedule {

Conflicts::Conflicts() {
  for (const Resource resource : all_resources) set(resource, resource, true);
}

void Conflicts::set(Resource a, Resource b, bool exclude) {
  table_[only(a)][only(b)] = exclude;
  table_[only(b)][only(a)] = exclude;
  for (std::size_t s = 0; s < resource_sets; ++s) {
    for (std::size_t t = 0; t < resource_sets; ++t) {
      bool any = false;
      for (const Resource of_s : all_resources) {
        for (const Resource of_t : all_resources) {
          any = any || ((s & only(of_s)) != 0 && (t & only(of_t)) != 0 && table_[only(of_s)][only(of_t)]);
        }
      }
      table_[s][t] = any;
    }
  }
}

std::vector<Resources> Conflicts::cliques() const {
  std::vector<Resources> found;
  // Larger sets first, so that subsets of a set that was found are recognized as not maximal.
  for (std::size_t set = resource_sets - 1; set > 0; --set) {
    bool excludes_all = true;
    for (const Resource a : all_resources) {
      for (const Resource b : all_resources) {
        if ((set & only(a)) != 0 && (set & only(b)) != 0 && !table_[only(a)][only(b)]) excludes_all = false;
      }
    }
    bool is_maximal = true;
    for (const Resources larger : found) is_maximal = is_maximal && (set & larger) != set;
    if (excludes_all && is_maximal) found.push_back(static_cast<Resources>(set));
  }
  return found;
}

}  // namespace pimsweep::systems::llm::schedule
