#include "machine.h"

#include <map>

#include "../sweep/fixture.h"

namespace pimsweep::fuzz {

const systems::Schema& schema_named(const std::string& system) {
  static std::map<std::string, systems::Schema> schemas;
  const auto known = schemas.find(system);
  return known != schemas.end() ? known->second : schemas.emplace(system, test::schema_of(system)).first->second;
}

const std::string& config_folder() {
  static const test::Workplace place;
  static const std::string folder = [] {
    // What an [[include]] may name.
    place.write(
        "configs/other.toml",
        "name = \"other\"\n[[study]]\nid = \"a\"\nsystem = \"machine\"\nmodel = \"swin-b\"\nhardware = \"small\"\n"
        "[[study]]\nid = \"b\"\nsystem = \"plain\"\na = 1\n");
    return place.path("configs");
  }();
  return folder;
}

}  // namespace pimsweep::fuzz
