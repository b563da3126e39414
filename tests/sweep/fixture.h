#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sweep/plan.h"

namespace pimsweep::test {

using namespace sweep;
using namespace systems;

/// A folder for one test, with configs/hardware/small.toml in it; removed at the end.
class Workplace {
 public:
  Workplace();
  ~Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  std::string path(const std::string& name) const { return (root_ / name).string(); }
  void write(const std::string& name, const std::string& text) const;

  /// Writes x.toml and loads it, with the systems of schema_of().
  Plan load(const std::string& experiment, PlanOptions options = {}) const;
  /// The message of load(), without this folder's path; "(no error)" if there is none.
  std::string errors(const std::string& experiment, PlanOptions options = {}) const;
  /// `text` without this folder's path.
  std::string shorten(std::string text) const;

 private:
  std::filesystem::path root_;
};

/// "machine", with an axis of each kind; "plain", with integer axes a to f and no hardware; "optional", whose hardware
/// constants have defaults.
Schema schema_of(const std::string& system);

/// As a source of schemas for load_plan().
Schema schema_in(const std::string& system, const ConfigFolders& configs);

/// Contents of a valid hardware file for "machine".
extern const char* const small_hardware;

/// The message of loading h.toml with this text for "machine"; "(no error)" if there is none.
std::string hardware_errors(const std::string& text);

/// The values of one axis over a study's points, as text.
std::vector<std::string> column(const Study& study, const std::string& axis);

}  // namespace pimsweep::test
