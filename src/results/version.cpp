#include "results/version.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <boost/version.hpp>

#include "base/toml.h"
#include "git_revision.h"

namespace pimsweep::results {

std::map<std::string, std::string> versions() {
  return {{"pimsweep_version", PIMSWEEP_VERSION},
          {"git_revision", std::string(git_revision)},
          {"hdf5_version", fmt::format("{}.{}.{}", H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE)},
          {"boost_version", BOOST_LIB_VERSION},
          {"tomlplusplus_version", fmt::format("{}.{}.{}", TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH)},
          {"compiler", __VERSION__}};
}

std::string version_text() {
  const auto known = versions();
  return fmt::format("pimsweep {} ({})", known.at("pimsweep_version"), known.at("git_revision"));
}

}  // namespace pimsweep::results
