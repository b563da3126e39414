#include "literal.h"

#include <algorithm>
#include <string>

namespace pimsweep::hardware::newton::literal {

namespace {

using List = std::vector<std::int64_t>;

/// Writes segment `gwrites` x `sets` x `list` for `groups` groups; the list is left as the generator leaves it.
std::vector<Trace> deal(std::int64_t gwrites, std::int64_t sets, List& list, std::int64_t channels, std::int64_t groups,
                        const Dram& dram) {
  std::vector<Trace> traces(static_cast<std::size_t>(channels));
  const std::int64_t n = channels / groups;
  while (sets * static_cast<std::int64_t>(list.size()) <= n / 2) {
    const std::int64_t f = n / (sets * static_cast<std::int64_t>(list.size()));
    List next;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::int64_t c = list[i] / f;
      for (std::int64_t j = 0; j < f; ++j) {
        next.push_back(std::max<std::int64_t>(0, std::min(c, list[i] - static_cast<std::int64_t>(i) - j * c)));
      }
    }
    list = next;
  }
  const auto r = static_cast<std::int64_t>(list.size());
  const std::int64_t total = sets * r;
  const std::int64_t step = std::min(std::max<std::int64_t>((total + n - 1) / n, 1), r);
  const std::int64_t chunk = (gwrites + groups - 1) / groups;
  // All GWRITEs have the same list at every moment: each one's walk begins with what the first one's began with.
  List after = list;
  for (std::int64_t group = 0; group < groups; ++group) {
    for (std::int64_t g = group * chunk; g < std::min((group + 1) * chunk, gwrites); ++g) {
      List own = list;
      for (std::int64_t c = 0; c < n; ++c) traces[static_cast<std::size_t>(group * n + c)].push_back(gwrite);
      std::int64_t x = 0;
      for (std::int64_t j = 0; j < total; j += step, ++x) {
        Trace& trace = traces[static_cast<std::size_t>(group * n + x % n)];
        for (std::int64_t a = 0; a < dram.activations(); ++a) trace.push_back(static_cast<std::int16_t>(g_act + a));
        for (std::int64_t u = 0; u < step && j + u < total; ++u) {
          own.back() = own[static_cast<std::size_t>(u)];
          for (std::int64_t c = 0; c < own.back(); ++c) trace.push_back(comp);
          trace.push_back(readres);
        }
      }
      after = own;
    }
  }
  list = after;
  return traces;
}

std::int64_t g_acts(const Trace& trace) { return std::count(trace.begin(), trace.end(), g_act); }

std::int64_t bytes(const Trace& trace, const std::string& strided) {
  std::int64_t sum = 0;
  for (const std::int16_t command : trace) {
    if (command == gwrite) {
      sum += 21 + static_cast<std::int64_t>(strided.size());
    } else if (command == comp) {
      sum += 16;
    } else if (command == readres) {
      sum += 8;
    } else if (command == g_act) {
      sum += 72;
    }
  }
  return sum;
}

void append(std::vector<Trace>& all, std::int64_t gwrites, std::int64_t sets, List list, const std::string& strided,
            const Dram& dram, std::int64_t n_gwrite) {
  const auto channels = static_cast<std::int64_t>(all.size());
  std::vector<Trace> best;
  for (std::int64_t k = 1; k <= n_gwrite; k *= 2) {
    std::vector<Trace> candidate = deal(gwrites, sets, list, channels, k, dram);
    const bool better =
        best.empty() || g_acts(candidate[0]) < g_acts(best[0]) ||
        (g_acts(candidate[0]) == g_acts(best[0]) && bytes(candidate[0], strided) < bytes(best[0], strided));
    if (better) best = candidate;
  }
  for (std::size_t c = 0; c < all.size(); ++c) all[c].insert(all[c].end(), best[c].begin(), best[c].end());
}

}  // namespace

std::vector<Trace> traces(const Layer& layer, const Dram& dram, std::int64_t channels, std::int64_t n_gwrite) {
  for (std::int64_t k = 1; k <= n_gwrite; k *= 2) {
    if (channels < k) return {};
  }
  std::vector<Trace> all(static_cast<std::size_t>(channels));
  const std::int64_t elements = dram.columns * dram.lanes;
  const std::int64_t filter = (layer.filter() + dram.lanes - 1) / dram.lanes * dram.lanes;
  const std::int64_t sets = (layer.outputs + dram.banks - 1) / dram.banks;
  const std::int64_t pixels = layer.output_height() * layer.output_width();
  const auto packed = [&](std::int64_t size, const std::string& strided) {
    const std::int64_t fl = elements / size;
    append(all, (pixels + fl - 1) / fl, sets, List(static_cast<std::size_t>(fl), size / dram.lanes), strided, dram,
           n_gwrite);
  };
  if (filter <= elements) {
    std::string strided;
    if (layer.kernel_height != 1 || layer.kernel_width != 1) {
      strided = std::to_string(layer.inputs * layer.kernel_height) + " " +
                std::to_string(layer.inputs * (layer.height - layer.kernel_height)) + " " +
                std::to_string(layer.inputs * layer.kernel_height);
    }
    packed(filter, strided);
    return all;
  }
  const std::int64_t full = filter / elements;
  append(all, full * pixels, sets, List(1, dram.columns), "", dram, n_gwrite);
  if (filter - full * elements > 0) packed(filter - full * elements, "");
  return all;
}

Run run(const Trace& trace, const Dram& dram, bool hiding) {
  constexpr std::int64_t never = -1000000000;
  const auto acts = static_cast<std::size_t>(dram.activations());
  std::vector<std::int64_t> act(acts, never);
  std::int64_t last_gwrite = never;
  std::int64_t last_comp = never;
  std::int64_t last_readres = never;
  std::int64_t prea = never;
  std::int64_t ref = never;
  const std::int64_t c = hiding ? 1 : dram.columns * dram.nCCD;
  std::int64_t waiting = 0;
  bool open = false;
  bool may_refresh = false;
  bool closing = false;
  std::size_t at = 0;
  Run result;
  for (std::int64_t clock = 1;; ++clock) {
    if (clock % dram.nREFI == 0) ++waiting;
    const bool finished = at == trace.size();
    // After a READRES, or with nothing left to do, refreshes go first.
    if ((may_refresh || finished || closing) && waiting > 0) {
      if (open) {
        prea = clock;
        open = false;
        closing = true;
        ++result.counts.prea;
      } else if (clock >= prea + dram.nRP && clock >= ref + dram.nRFC) {
        ref = clock;
        --waiting;
        closing = false;
        ++result.counts.ref;
      }
      if (finished && waiting == 0 && clock >= last_readres + dram.nCL + dram.nBL) {
        result.cycles = clock;
        return result;
      }
      continue;
    }
    may_refresh = false;
    if (finished) {
      if (clock >= last_readres + dram.nCL + dram.nBL) {
        result.cycles = clock;
        return result;
      }
      continue;
    }
    const std::int16_t command = trace[at];
    bool ready = true;
    if (command == gwrite) {
      ready = clock >= last_gwrite + c && clock >= last_readres + dram.readres_to_gwrite;
      if (ready) last_gwrite = clock, ++result.counts.gwrite, ++result.counts.buffers;
    } else if (command == comp) {
      ready = clock >= last_gwrite + dram.nRC + dram.gwrite_to_comp && clock >= last_comp + dram.nCCD;
      for (const std::int64_t a : act) ready = ready && clock >= a + dram.nRCD;
      if (ready) last_comp = clock, ++result.counts.comp;
    } else if (command == readres) {
      ready = clock >= last_comp + dram.comp_to_readres;
      if (ready) last_readres = clock, may_refresh = true, ++result.counts.readres;
    } else {
      const auto number = static_cast<std::size_t>(command - g_act);
      ready = clock >= last_gwrite + c;
      if (number == 0) ready = ready && clock >= prea + dram.nRP && clock >= ref + dram.nRFC;
      if (number > 0) ready = ready && clock >= act[number - 1] + dram.nFAW;
      if (ready) act[number] = clock, open = true, ++result.counts.g_act;
    }
    if (ready) ++at;
  }
}

}  // namespace pimsweep::hardware::newton::literal
