// Files of constants give the machines that the tests use.
#include <catch2/catch.hpp>

#include "hardware/aim/samples.h"
#include "sweep/hardware_file.h"
#include "systems/devices/aim_axes.h"
#include "systems/devices/hbm_pim_axes.h"
#include "systems/llm/cent_machine.h"
#include "systems/llm/llm.h"
#include "systems/llm/step/cent/axes.h"
#include "systems/llm/step/cent/token.h"
#include "systems/parts/parts.h"

using namespace pimsweep;
using namespace pimsweep::systems::llm::step::cent;

namespace {

/// Reads the hardware file of a system into the layout of a table of axes that the system has among others.
template <typename Layout>
Layout read_config(const systems::AxisTable<Layout>& axes, const systems::Schema& schema, const std::string& name) {
  const sweep::HardwareFile file = sweep::load_hardware(name, schema, "configs");
  systems::Point point(axes.axes().size());
  for (std::size_t axis = 0; axis < axes.axes().size(); ++axis) {
    const sweep::HardwareConstant* constant = file.find(axes.axes()[axis]);
    REQUIRE(constant != nullptr);
    point.set(axis, &constant->value);
  }
  return axes.read(point);
}

}  // namespace

TEST_CASE("CENT's file is the machine of its artifact") {
  systems::AxisTable<Machine> axes;
  add_axes(axes, "cxl.", axes.layout());
  systems::devices::add_aim_axes(axes, "pim.aim.", axes.layout().aim);
  const Machine read = read_config(axes, systems::llm::make_llm("configs")->schema(), "llm-cent");
  const Machine expected = test::cent_machine(32);
  const Shape shape = test::llama_2_70b();
  for (const Mapping mapping : {Mapping::pipeline, Mapping::tensor}) {
    const std::int64_t group = mapping == Mapping::tensor ? 8 : 1;
    const Layout layout = layout_of(shape, expected, mapping, group);
    for (const Faults& faults : {Faults{}, artifact_faults}) {
      const Token from_file = token(shape, read, layout, 1000, faults);
      const Token from_test = token(shape, expected, layout, 1000, faults);
      CHECK(from_file.time == Approx(from_test.time).epsilon(1e-12));
      CHECK(from_file.energy.total() == Approx(from_test.energy.total()).epsilon(1e-12));
    }
  }
}

TEST_CASE("Samsung's file has every constant of its device") {
  systems::AxisTable<hardware::hbm_pim::Device> axes;
  systems::devices::add_hbm_pim_axes(axes, "", axes.layout());
  const hardware::hbm_pim::Device device =
      read_config(axes, systems::parts::make_hbm_pim("configs")->schema(), "hbm-pim-samsung");
  CHECK(device.channels == 64);
  CHECK(device.timing.write_to_precharge() == 26);
}
