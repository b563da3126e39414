#include "sweep/sample_sequence.h"

#include <bit>
#include <boost/random/sobol.hpp>
#include <cmath>

#include "base/bytes.h"
#include "base/hash.h"

namespace pimsweep::sweep {

namespace {

__extension__ using Wide = unsigned __int128;

/// Direction numbers of all dimensions, derived from Boost's engine: point 2^(r+1) - 1 of the Gray-coded sequence is
/// the r-th direction number alone. The engine omits the zero point, hence the 2.
std::vector<std::array<std::uint64_t, 32>> sobol_directions(std::size_t dimensions) {
  std::vector<std::array<std::uint64_t, 32>> directions(dimensions);
  boost::random::sobol_engine<std::uint64_t, 64> engine(dimensions);
  for (unsigned r = 0; r < 32; ++r) {
    engine.seed((std::uint64_t{2} << r) - 2);
    for (auto& dimension : directions) dimension[r] = engine();
  }
  return directions;
}

std::uint64_t key_of(SampleMethod method, std::string_view identity, std::string_view axis) {
  std::string bytes;
  append_text(bytes, name_of(method));
  append_text(bytes, identity);
  append_text(bytes, axis);
  return hash128(bytes).low;
}

}  // namespace

std::string_view name_of(SampleMethod method) { return sample_method_names()[static_cast<std::size_t>(method)]; }

const std::vector<std::string>& sample_method_names() {
  static const std::vector<std::string> names{"sobol", "lhs", "random", "saltelli"};
  return names;
}

std::uint64_t scaled(std::uint64_t a, std::uint64_t b) { return static_cast<std::uint64_t>((Wide{a} * b) >> 64U); }

SobolSequence::SobolSequence(const std::array<std::uint64_t, 32>& directions, std::uint64_t shift) : shift_(shift) {
  for (std::size_t place = 0; place < steps_.size(); ++place) {
    for (std::size_t value = 1; value < 16; ++value) {
      const auto lowest = static_cast<std::size_t>(std::countr_zero(value));
      steps_[place][value] = steps_[place][value & (value - 1)] ^ directions[4 * place + lowest];
    }
  }
}

std::uint64_t SobolSequence::operator()(std::uint64_t n) const {
  std::uint64_t number = shift_;
  const std::uint64_t gray = n ^ (n >> 1U);
  for (std::size_t place = 0; place < steps_.size(); ++place) number ^= steps_[place][gray >> 4 * place & 15U];
  return number;
}

LatinSequence::LatinSequence(std::uint64_t points, std::uint64_t key)
    : points_(static_cast<std::uint32_t>(points)),
      // Any two moduli whose product is at least the number of points are valid; near the square root, it is only
      // slightly more.
      left_(static_cast<std::uint32_t>(std::sqrt(static_cast<double>(points)))),
      right_(static_cast<std::uint32_t>((points + left_ - 1) / left_)),
      width_(static_cast<std::uint64_t>((Wide{1} << 64U) / points)),
      width_rest_(static_cast<std::uint64_t>((((Wide{1} << 64U) % points) << 64U) / points)),
      jitter_key_(SplitMix64::nth(key, 0)) {
  for (std::size_t round = 0; round < round_keys_.size(); ++round) round_keys_[round] = SplitMix64::nth(key, round + 1);
}

std::uint64_t LatinSequence::shuffled(std::uint64_t n) const {
  std::uint64_t left = static_cast<std::uint32_t>(n) % left_;
  std::uint64_t right = static_cast<std::uint32_t>(n) / left_;
  for (std::size_t round = 0; round < round_keys_.size(); round += 2) {
    left += scaled(SplitMix64::nth(round_keys_[round], right), left_);
    if (left >= left_) left -= left_;
    right += scaled(SplitMix64::nth(round_keys_[round + 1], left), right_);
    if (right >= right_) right -= right_;
  }
  return right * left_ + left;
}

std::uint64_t LatinSequence::stratum(std::uint64_t n) const {
  // The network permutes slightly more numbers than there are strata: surplus ones are skipped (cycle walking).
  do n = shuffled(n);
  while (n >= points_);
  return n;
}

std::uint64_t LatinSequence::operator()(std::uint64_t n) const {
  const std::uint64_t which = stratum(n);
  // Just above which * 2^64 / points, and a stratum's width at most beyond it.
  const std::uint64_t begin = which * width_ + scaled(width_rest_, which) + 1;
  return begin + scaled(SplitMix64::nth(jitter_key_, n), width_ - 1);
}

std::vector<SampleSequence> sample_sequences(SampleMethod method, std::uint64_t points, std::string_view identity,
                                             const std::vector<std::string>& axes) {
  std::vector<SampleSequence> sequences;
  if (axes.empty()) return sequences;
  std::vector<std::array<std::uint64_t, 32>> directions;
  if (method == SampleMethod::sobol) directions = sobol_directions(axes.size());
  if (method == SampleMethod::saltelli) directions = sobol_directions(2 * axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::uint64_t key = key_of(method, identity, axes[i]);
    switch (method) {
      case SampleMethod::sobol:
        sequences.emplace_back(SobolSequence(directions[i], key));
        break;
      case SampleMethod::lhs:
        sequences.emplace_back(LatinSequence(points, key));
        break;
      case SampleMethod::random:
        sequences.emplace_back(RandomSequence{key});
        break;
      case SampleMethod::saltelli:
        sequences.emplace_back(SaltelliSequence{SobolSequence(directions[i], key),
                                                SobolSequence(directions[axes.size() + i], SplitMix64::nth(key, 0)),
                                                axes.size() + 2, i + 2});
        break;
    }
  }
  return sequences;
}

}  // namespace pimsweep::sweep
