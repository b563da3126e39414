#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/splitmix64.h"

namespace pimsweep::sweep {

/// Sampling method.
enum class SampleMethod : std::uint8_t { sobol, lhs, random, saltelli };
std::string_view name_of(SampleMethod method);
/// Names of the sampling methods in experiment files.
const std::vector<std::string>& sample_method_names();

/// Maximum number of points of a sample.
constexpr std::uint64_t max_sample_points = 0xffffffff;

/// High 64 bits of a * b: maps the fraction a / 2^64 to one of `b` equal parts.
std::uint64_t scaled(std::uint64_t a, std::uint64_t b);

/// One dimension of the Sobol sequence, beginning with its zero point, randomized by a digital shift (exclusive or):
/// any 2^k points from a multiple of 2^k on have one in each of 2^k equal parts.
class SobolSequence {
 public:
  SobolSequence(const std::array<std::uint64_t, 32>& directions, std::uint64_t shift);
  std::uint64_t operator()(std::uint64_t n) const;

 private:
  /// The exclusive or of the directions of four bits of the Gray code, for each place and value of the four.
  std::array<std::array<std::uint64_t, 16>, 8> steps_{};
  std::uint64_t shift_;
};

/// Latin hypercube: a keyed permutation of the strata, and a uniform position inside the stratum. The permutation is a
/// Feistel network over the residues of two moduli (Black and Rogaway, Ciphers with arbitrary finite domains, 2002).
class LatinSequence {
 public:
  LatinSequence(std::uint64_t points, std::uint64_t key);
  std::uint64_t operator()(std::uint64_t n) const;
  std::uint64_t stratum(std::uint64_t n) const;

 private:
  std::uint64_t shuffled(std::uint64_t n) const;

  std::uint32_t points_;
  std::uint32_t left_;
  std::uint32_t right_;
  /// Width of a stratum in units of 2^-64, and the remainder in units of 2^-128.
  std::uint64_t width_;
  std::uint64_t width_rest_;
  std::array<std::uint64_t, 8> round_keys_;
  std::uint64_t jitter_key_;
};

/// Independent uniform numbers.
struct RandomSequence {
  std::uint64_t key;
  std::uint64_t operator()(std::uint64_t n) const { return SplitMix64::nth(key, n); }
};

/// One axis of a sample for sensitivity indices (Saltelli et al., Comput. Phys. Commun. 181, 2010): blocks of points of
/// two samples A and B, namely A, B, and A with one axis after the other from B. Both are dimensions of one Sobol
/// sequence.
struct SaltelliSequence {
  SobolSequence a;
  SobolSequence b;
  /// Points of a block, and the index of the point that takes this axis from B.
  std::uint64_t block;
  std::uint64_t own;
  std::uint64_t operator()(std::uint64_t n) const {
    const std::uint64_t place = n % block;
    return place == 1 || place == own ? b(n / block) : a(n / block);
  }
};

/// The numbers of one axis: point n of the sample is at the fraction sequence(n) / 2^64 of the axis' range. A pure
/// function of n.
using SampleSequence = std::variant<SobolSequence, LatinSequence, RandomSequence, SaltelliSequence>;

inline std::uint64_t fraction_at(const SampleSequence& sequence, std::uint64_t n) {
  return std::visit([n](const auto& numbers) { return numbers(n); }, sequence);
}

/// One sequence for each axis. The sequence of an axis depends on `identity` (the owner of the draws), on the name of
/// the axis and, for sobol and saltelli, on its index in `axes`.
std::vector<SampleSequence> sample_sequences(SampleMethod method, std::uint64_t points, std::string_view identity,
                                             const std::vector<std::string>& axes);

}  // namespace pimsweep::sweep
