#include "systems/sheet_axes.h"

#include <utility>

#include "systems/axes.h"
#include "systems/gpu_axes.h"

namespace pimsweep::systems::sheet {

Axis size_axis(std::string name, std::int64_t default_value, double min, std::string doc) {
  return count_axis(std::move(name), Value{default_value}, min, 1e8, std::move(doc));
}

std::vector<Axis> axes(std::vector<std::string> kinds, const std::string& device_is, std::string pass_doc) {
  return {
      text_axis("kind", std::nullopt, std::move(kinds), "what is computed"),
      text_axis("device", Value{std::string()}, {},
                device_is + " that a measured row belongs to; must be the hardware file's, empty: no row"),
      precision_axis(),
      text_axis("pass", Value{std::string("forward")}, {"forward", "backward_inputs", "backward_weights"},
                std::move(pass_doc)),
      size_axis("M", 1, 1, "gemm: rows of the result"),
      size_axis("N", 1, 1, "gemm: columns of the result; else images of the batch"),
      size_axis("K", 1, 1, "gemm: depth of the product; conv: filters"),
      text_axis("trans_a", Value{std::string("N")}, {"N", "T"}, "gemm: whether A is transposed; makes no difference"),
      text_axis("trans_b", Value{std::string("N")}, {"N", "T"}, "gemm: whether B is transposed; makes no difference"),
      size_axis("W", 1, 1, "width of the input"),
      size_axis("H", 1, 1, "height of the input"),
      size_axis("C", 1, 1, "channels of the input"),
      size_axis("filter_h", 1, 1, "height of the filter"),
      size_axis("filter_w", 1, 1, "width of the filter"),
      size_axis("pad_h", 0, 0, "rows of padding above and below"),
      size_axis("pad_w", 0, 0, "columns of padding left and right"),
      size_axis("stride_h", 1, 1, "rows from one output to the next"),
      size_axis("stride_w", 1, 1, "columns from one output to the next"),
      text_axis("cell", Value{std::string("LSTM")}, {"Vanilla", "LSTM", "GRU"}, "rnn: kind of cell"),
      size_axis("hidden", 1, 1, "rnn: size of the state"),
      size_axis("batch", 1, 1, "rnn: sequences processed together"),
      size_axis("timesteps", 1, 1, "rnn: length of the sequences"),
      size_axis("inputs", 1, 1, "elementwise: tensors that are read; each has N C H W elements"),
  };
}

void check_device(const Point& point, const std::string& name) {
  const std::string& measured = point.text(device);
  if (measured.empty() || measured == name) return;
  throw PointError(fmt::format(
      "the row was measured on '{0}', but the hardware is '{1}': add where = \"device == '{1}'\"", measured, name));
}

double gates_of(const Point& point) {
  const std::string& name = point.text(cell);
  return name == "Vanilla" ? 1 : name == "GRU" ? 3 : 4;
}

}  // namespace pimsweep::systems::sheet
