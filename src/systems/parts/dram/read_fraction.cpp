#include "systems/parts/dram/read_fraction.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/error.h"

namespace pimsweep::systems::parts::dram {

using hardware::dram::ReadMix;

ReadMix parse_read_fraction(const std::string& text) {
  if (text == "0.5 (alternate R,W)") return {ReadMix::Kind::alternate, 50};
  if (text == "0.5 (64 reads then 64 writes, repeating)") return {ReadMix::Kind::runs_of_64, 50};
  double fraction = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), fraction);
  const std::string rest(end, text.data() + text.size());
  const double percent = std::round(100 * fraction);
  const bool whole = std::abs(100 * fraction - percent) < 1e-9;
  if (error != std::errc{} || !(rest.empty() || rest == " (random)") || fraction < 0 || fraction > 1 || !whole) {
    throw PointError(fmt::format(
        "read_fraction = \"{}\": it is a number from 0 to 1 in steps of 0.01 (each request is drawn, \"0.67 (random)\" "
        "says the same), \"0.5 (alternate R,W)\" or \"0.5 (64 reads then 64 writes, repeating)\"",
        text));
  }
  // All or none need no draws.
  if (rest.empty() && fraction == 1) return {ReadMix::Kind::reads, 100};
  if (rest.empty() && fraction == 0) return {ReadMix::Kind::writes, 0};
  return {ReadMix::Kind::random, static_cast<std::int64_t>(percent)};
}

}  // namespace pimsweep::systems::parts::dram
