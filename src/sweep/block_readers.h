#pragma once

#include "sweep/setting_reader.h"

namespace pimsweep::sweep {

/// Reads `[study.sample]`.
SampleBlock read_sample(const toml::key& key, const toml::node& node, SettingReader& settings);

/// Reads `[study.search]`.
SearchBlock read_search(const toml::key& key, const toml::node& node, SettingReader& settings);

/// Reads `[study.calibration]`.
CalibrationBlock read_calibration(const toml::key& key, const toml::node& node, SettingReader& settings);

/// Reads `[study.uncertainty]`.
UncertaintyBlock read_uncertainty(const toml::key& key, const toml::node& node, SettingReader& settings);

}  // namespace pimsweep::sweep
