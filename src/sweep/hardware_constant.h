#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/toml.h"
#include "base/value.h"
#include "base/words.h"
#include "sweep/sample_range.h"
#include "systems/system.h"

namespace pimsweep::sweep {

/// Evidence for the value of a constant.
enum class Basis : std::uint8_t {
  document,   ///< printed in a paper, a data sheet or a standard
  derived,    ///< computed from printed values
  assumed,    ///< not published
  calibrated  ///< fitted to measured or published results
};
inline constexpr std::array basis_words{Word{"document", Basis::document}, Word{"derived", Basis::derived},
                                        Word{"assumed", Basis::assumed}, Word{"calibrated", Basis::calibrated}};

/// Range of an uncertain constant: `low` and `high`, or `alternatives`.
struct Uncertainty {
  /// Uniform on a linear scale, or on a logarithmic one if high / low > 3. A list begins with the nominal value of the
  /// constant.
  SampleRange range;
  /// Source of the range.
  std::string source;
  /// Constants with the same nonempty word are sampled at the same relative position of their ranges.
  std::string tied;
};

/// One constant of a hardware file: `[section.key]` with `value`, `source`, optionally `basis`, a range, `note`, and
/// `calibrated = ["published id", ...]` if fitted to published values.
struct HardwareConstant {
  /// SI value of the type and dimension declared by the system's axis "hardware.<key>".
  Value value;
  std::string source;
  Basis basis = Basis::document;
  std::optional<Uncertainty> uncertainty;
  /// Ids of the published values that it was fitted to; empty if it was not fitted.
  std::vector<std::string> calibrated_to;
  SourcePosition where;
};

/// Reads the table of one constant of a hardware file, `[path]` at `where`. Adds every problem to those of the reader.
HardwareConstant read_hardware_constant(const std::string& path, const systems::Axis& axis, const toml::table& table,
                                        const SourcePosition& where, TomlReader& reader);

}  // namespace pimsweep::sweep
