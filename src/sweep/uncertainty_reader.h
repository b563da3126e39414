#pragma once

#include "sweep/setting_reader.h"

namespace pimsweep::sweep {

/// Reads `[study.uncertainty]`.
UncertaintyBlock read_uncertainty(const toml::key& key, const toml::node& node, SettingReader& settings);

}  // namespace pimsweep::sweep
