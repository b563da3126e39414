#include "sweep/hardware_library.h"

namespace pimsweep::sweep {

std::shared_ptr<const HardwareFile> HardwareLibrary::load(const std::string& name_or_path,
                                                          const systems::Schema& schema) {
  const auto key = std::make_pair(schema.name, name_or_path);
  if (const auto known = files_.find(key); known != files_.end()) return known->second;
  auto file = std::make_shared<const HardwareFile>(load_hardware(name_or_path, schema, configs_));
  return files_.emplace(key, std::move(file)).first->second;
}

}  // namespace pimsweep::sweep
