#include <string>

#include "expect.h"
#include "machine.h"
#include "readers.h"
#include "sweep/hardware_file.h"

namespace pimsweep::fuzz {

void read_hardware(std::string_view input) {
  expect_input_error([&] {
    const sweep::HardwareFile file = sweep::parse_hardware(std::string(input), config_folder() + "/hardware/own.toml",
                                                           schema_named("machine"), config_folder());
    for (const systems::Axis& axis : schema_named("machine").axes) file.find(axis);
  });
}

}  // namespace pimsweep::fuzz
