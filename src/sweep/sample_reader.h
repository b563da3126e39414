#pragma once

#include "sweep/setting_reader.h"

namespace pimsweep::sweep {

/// Reads a table of ranges and lists; `section` is its name, as "[study.sample.ranges]".
std::vector<RangeSetting> read_ranges(const toml::key& key, const toml::node& node, SettingReader& settings,
                                      std::string_view section);

/// Reads `[study.sample]`.
SampleBlock read_sample(const toml::key& key, const toml::node& node, SettingReader& settings);

}  // namespace pimsweep::sweep
