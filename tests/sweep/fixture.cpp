#include "fixture.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

namespace pimsweep::test {

namespace {

Axis make_axis(std::string name, ValueType type, std::string unit, std::optional<Value> default_value) {
  Axis axis;
  axis.name = std::move(name);
  axis.type = type;
  axis.unit = std::move(unit);
  axis.default_value = std::move(default_value);
  return axis;
}

Axis within(Axis axis, std::optional<double> min, std::optional<double> max) {
  axis.min = min;
  axis.max = max;
  return axis;
}

Axis one_of(Axis axis, std::vector<std::string> choices) {
  axis.choices = std::move(choices);
  return axis;
}

Axis of_kind(Axis axis, AxisKind kind) {
  axis.kind = kind;
  return axis;
}

Metric make_metric(std::string name, std::string unit, ValueType type) {
  return {std::move(name), std::move(unit), {}, type};
}

Schema machine() {
  Schema schema;
  schema.name = "machine";
  schema.version = 3;
  schema.axes = {
      of_kind(one_of(make_axis("model", ValueType::text, "1", {}), {"swin-t", "swin-b", "vit-b"}), AxisKind::model),
      within(make_axis("batch", ValueType::integer, "1", Value{std::int64_t{1}}), 1, 1024),
      one_of(make_axis("fidelity", ValueType::text, "1", Value{std::string("analytic")}), {"analytic", "cycle"}),
      within(make_axis("share", ValueType::real, "1", Value{0.5}), 0, 1),
      make_axis("reuse", ValueType::boolean, "1", Value{true}),
      make_axis("buffer", ValueType::integer, "B", Value{std::int64_t{1024}}),
      make_axis("schedule", ValueType::text, "1", Value{std::string()}),
      within(make_axis("hardware.node_array.rows", ValueType::integer, "1", {}), 1, 64),
      within(make_axis("hardware.clock", ValueType::real, "Hz", {}), 1e6, 4e9),
      make_axis("hardware.noc.link_bandwidth", ValueType::real, "B/s", {}),
      one_of(make_axis("hardware.noc.transfer", ValueType::text, "1", Value{std::string("pipelined")}),
             {"pipelined", "store-and-forward"}),
  };
  schema.metrics = {make_metric("latency", "s", ValueType::real), make_metric("cycles", "1", ValueType::real),
                    make_metric("bottleneck", "1", ValueType::text)};
  return schema;
}

/// Hardware constants that a file may leave out.
Schema optional() {
  Schema schema;
  schema.name = "optional";
  schema.axes = {make_axis("n", ValueType::integer, "1", Value{std::int64_t{1}}),
                 make_axis("hardware.speed", ValueType::integer, "1", Value{std::int64_t{5}}),
                 make_axis("hardware.size", ValueType::integer, "1", Value{std::int64_t{7}})};
  return schema;
}

Schema plain() {
  Schema schema;
  schema.name = "plain";
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
    schema.axes.push_back(make_axis(name, ValueType::integer, "1", Value{std::int64_t{0}}));
  }
  return schema;
}

}  // namespace

const char* const small_hardware = R"(name = "small"
doc = "A machine for tests"

[clock]
value = "400 MHz"
source = "data sheet, page 3"

[node_array.rows]
value = 8
source = "Table I"
note = "also drawn in Figure 2"

[noc.link_bandwidth]
value = "3.2 GB/s"
source = "fitted"
calibrated = ["fig11-avg"]
)";

Workplace::Workplace() {
  std::string name = (std::filesystem::temp_directory_path() / "pimsweep-sweep-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  root_ = name;
  write("configs/hardware/small.toml", small_hardware);
}

Workplace::~Workplace() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

void Workplace::write(const std::string& name, const std::string& text) const {
  std::filesystem::create_directories((root_ / name).parent_path());
  std::ofstream(root_ / name, std::ios::binary) << text;
}

Plan Workplace::load(const std::string& experiment, PlanOptions options) const {
  write("x.toml", experiment);
  if (options.configs.empty()) options.configs = path("configs");
  return load_plan(path("x.toml"), options, schema_in);
}

std::string Workplace::errors(const std::string& experiment, PlanOptions options) const {
  try {
    load(experiment, std::move(options));
  } catch (const InputError& error) {
    return shorten(error.what());
  }
  return "(no error)";
}

std::string Workplace::shorten(std::string text) const {
  const std::string prefix = root_.string() + "/";
  for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at)) {
    text.erase(at, prefix.size());
  }
  return text;
}

Schema schema_of(const std::string& system) {
  if (system == "machine") return machine();
  if (system == "plain") return plain();
  if (system == "optional") return optional();
  const std::vector<std::string> names{"machine", "plain", "optional"};
  throw InputError(fmt::format("there is no system '{}'{}", system, suggestion(system, names)));
}

Schema schema_in(const std::string& system, const ConfigFolders& /*configs*/) { return schema_of(system); }

std::vector<std::string> column(const Study& study, const std::string& axis) {
  const int index = study.schema().axis_index(axis);
  if (index < 0) throw std::logic_error("no such axis: " + axis);
  std::vector<std::string> values;
  Point point(study.schema().axes.size());
  for (std::uint64_t i = 0; i < study.size(); ++i) {
    study.point(i, point);
    values.push_back(to_text(point[static_cast<std::size_t>(index)]));
  }
  return values;
}

std::string hardware_errors(const std::string& text) {
  const Workplace place;
  place.write("h.toml", text);
  try {
    load_hardware(place.path("h.toml"), schema_of("machine"), place.path("configs"));
  } catch (const InputError& error) {
    return place.shorten(error.what());
  }
  return "(no error)";
}

}  // namespace pimsweep::test
