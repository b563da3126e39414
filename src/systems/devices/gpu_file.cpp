#include "systems/devices/gpu_file.h"

#include "systems/devices/gpu_axes.h"
#include "systems/devices/serving_axes.h"

namespace pimsweep::systems::devices {

namespace {

struct GpuFile {
  GpuCard card;
  ServingGpu serving;
};

std::vector<std::string> keys_of_axes() {
  AxisTable<GpuFile> axes;
  GpuFile& file = axes.layout();
  add_gpu_axes(axes, "", file.card);
  add_optional_serving_axes(axes, "", file.serving);
  std::vector<std::string> keys{"memory.capacity"};
  constexpr std::string_view prefix = "hardware.";
  for (const Axis& axis : axes.axes()) keys.push_back(axis.name.substr(prefix.size()));
  return keys;
}

}  // namespace

const std::vector<std::string>& gpu_file_keys() {
  static const std::vector<std::string> keys = keys_of_axes();
  return keys;
}

}  // namespace pimsweep::systems::devices
