#include "sweep/sample_sequence.h"

#include <bit>
#include <boost/random/sobol.hpp>
#include <cmath>

#include "base/bytes.h"
#include "base/hash.h"

namespace pimsweep {

namespace {

/// Direction numbers of all dimensions, read off Boost's engine: point 2^(r+1) - 1 of the Gray-coded sequence is the
/// r-th direction number alone. The engine leaves the zero point out, hence the 2.
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
  static const std::vector<std::string> names{"sobol", "lhs", "random"};
  return names;
}

std::uint64_t scaled(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((Wide{a} * b) >> 64U);
}

std::uint64_t splitmix64(std::uint64_t seed, std::uint64_t n) {
  std::uint64_t z = seed + (n + 1) * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

std::uint64_t SobolSequence::operator()(std::uint64_t n) const {
  std::uint64_t number = shift;
  for (std::uint64_t gray = n ^ (n >> 1U); gray != 0; gray &= gray - 1) {
    number ^= directions[static_cast<std::size_t>(std::countr_zero(gray))];
  }
  return number;
}

LatinSequence::LatinSequence(std::uint64_t points, std::uint64_t key)
    : points_(points),
      // Any two moduli will do whose product is at least the points; near the root it is little more.
      left_(static_cast<std::uint64_t>(std::sqrt(static_cast<double>(points)))),
      right_((points + left_ - 1) / left_),
      width_(~std::uint64_t{0} / points),
      rest_(~std::uint64_t{0} % points + 1),
      jitter_key_(splitmix64(key, 0)) {
  for (std::uint64_t round = 0; round < round_keys_.size(); ++round) round_keys_[round] = splitmix64(key, round + 1);
}

std::uint64_t LatinSequence::shuffled(std::uint64_t n) const {
  std::uint64_t left = n % left_;
  std::uint64_t right = n / left_;
  for (std::size_t round = 0; round < round_keys_.size(); round += 2) {
    left += scaled(splitmix64(round_keys_[round], right), left_);
    if (left >= left_) left -= left_;
    right += scaled(splitmix64(round_keys_[round + 1], left), right_);
    if (right >= right_) right -= right_;
  }
  return right * left_ + left;
}

std::uint64_t LatinSequence::stratum(std::uint64_t n) const {
  // The network permutes a few numbers more than there are strata: those are walked past.
  do n = shuffled(n);
  while (n >= points_);
  return n;
}

std::uint64_t LatinSequence::operator()(std::uint64_t n) const {
  const std::uint64_t which = stratum(n);
  // ceil(which * 2^64 / points) without leaving 64 bits.
  const std::uint64_t begin = which * width_ + (which * rest_ + points_ - 1) / points_;
  return begin + scaled(splitmix64(jitter_key_, n), width_);
}

std::vector<SampleSequence> sample_sequences(SampleMethod method, std::uint64_t points, std::string_view identity,
                                             const std::vector<std::string>& axes) {
  std::vector<SampleSequence> sequences;
  if (axes.empty()) return sequences;
  std::vector<std::array<std::uint64_t, 32>> directions;
  if (method == SampleMethod::sobol) directions = sobol_directions(axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::uint64_t key = key_of(method, identity, axes[i]);
    switch (method) {
      case SampleMethod::sobol:
        sequences.emplace_back(SobolSequence{directions[i], key});
        break;
      case SampleMethod::lhs:
        sequences.emplace_back(LatinSequence(points, key));
        break;
      case SampleMethod::random:
        sequences.emplace_back(RandomSequence{key});
        break;
    }
  }
  return sequences;
}

}  // namespace pimsweep
