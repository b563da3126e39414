#include "systems/devices/sheet_axes.h"

#include <fmt/format.h>

#include "base/error.h"
#include "systems/devices/gpu_axes.h"

namespace pimsweep::systems::devices {

namespace {

constexpr std::array transpose_words{Word{"N", false}, Word{"T", true}};
constexpr std::array cell_words{Word{"Vanilla", RecurrentCell::vanilla}, Word{"LSTM", RecurrentCell::lstm},
                                Word{"GRU", RecurrentCell::gru}};

void add_window_axes(AxisList& axes, hardware::ConvolutionShape& window) {
  add_size_axis(axes, window.width, "W", "width of the input");
  add_size_axis(axes, window.height, "H", "height of the input");
  add_size_axis(axes, window.channels, "C", "channels of the input");
  add_size_axis(axes, window.filter_height, "filter_h", "height of the filter");
  add_size_axis(axes, window.filter_width, "filter_w", "width of the filter");
  add_size_axis(axes, window.pad_height, "pad_h", "rows of padding above and below the input", 0, 0);
  add_size_axis(axes, window.pad_width, "pad_w", "columns of padding left and right of the input", 0, 0);
  add_size_axis(axes, window.stride_height, "stride_h", "vertical stride, in rows of the input");
  add_size_axis(axes, window.stride_width, "stride_w", "horizontal stride, in columns of the input");
}

}  // namespace

double Sheet::gates() const {
  switch (cell) {
    case RecurrentCell::vanilla:
      return 1;
    case RecurrentCell::gru:
      return 3;
    case RecurrentCell::lstm:
      break;
  }
  return 4;
}

hardware::ConvolutionShape Sheet::convolution() const {
  hardware::ConvolutionShape shape = window;
  shape.batch = n;
  shape.filters = k;
  if (shape.out_height() < 1 || shape.out_width() < 1) {
    throw PointError(fmt::format("the filter of {} x {} is larger than the padded input of {} x {}",
                                 shape.filter_height, shape.filter_width, shape.height + 2 * shape.pad_height,
                                 shape.width + 2 * shape.pad_width));
  }
  return shape;
}

void add_size_axis(AxisList& axes, double& place, const char* name, const char* doc, std::int64_t default_value,
                   double min) {
  axes.count(place, name, min, 1e8, doc, default_value);
}

void add_sheet_times(ColumnList& metrics, const SheetTimes& times, const std::string& no_gradients) {
  metrics
      .quantity(times.gemm, "time_ms", "1", "gemm: time in milliseconds, the display unit of the measured sheets",
                "kinds other than gemm")
      .quantity(times.forward, "forward_ms", "1",
                "all kinds but gemm: time of the forward pass in milliseconds, the display unit of the sheets",
                "kind gemm")
      .quantity(times.backward_inputs, "backward_inputs_ms", "1",
                "conv, rnn: time of the gradients of the inputs in milliseconds (display unit)", no_gradients)
      .quantity(times.backward_weights, "backward_weights_ms", "1",
                "conv, rnn: time of the gradients of the weights in milliseconds (display unit)", no_gradients)
      .quantity(times.backward_total, "backward_total_ms", "1",
                "conv, rnn: time of both gradients in milliseconds (display unit)", no_gradients);
}

void add_sheet_axes(AxisList& axes, Sheet& sheet, std::span<const Word<OperationKind>> kinds,
                    std::string_view device_is, std::string_view pass_doc) {
  axes.choice(sheet.kind, "kind", kinds, "kind of operation")
      .text(sheet.device, "device",
            fmt::format("{} that a measured row belongs to; must be the hardware file's; empty: no measured row",
                        device_is),
            "")
      .choice(sheet.pass, "pass", pass_words, std::string(pass_doc), hardware::Pass::forward);
  add_size_axis(axes, sheet.m, "M", "gemm: rows of the result");
  add_size_axis(axes, sheet.n, "N", "gemm: columns of the result; other kinds: images of the batch");
  add_size_axis(axes, sheet.k, "K", "gemm: depth; conv: filters");
  axes.choice(sheet.transposes_a, "trans_a", transpose_words,
              "gemm: transposition of A (T), without effect on the model", false)
      .choice(sheet.transposes_b, "trans_b", transpose_words,
              "gemm: transposition of B (T), without effect on the model", false);
  add_window_axes(axes, sheet.window);
  axes.choice(sheet.cell, "cell", cell_words, "rnn: kind of recurrent cell", RecurrentCell::lstm);
  add_size_axis(axes, sheet.hidden, "hidden", "rnn, experts: size of the hidden state");
  add_size_axis(axes, sheet.batch, "batch", "rnn, attention: sequences processed together");
  add_size_axis(axes, sheet.timesteps, "timesteps", "rnn: length of the sequences");
  add_size_axis(axes, sheet.inputs, "inputs", "elementwise: tensors of N C H W elements that are read");
}

void add_precision_axis(AxisList& axes, Sheet& sheet) {
  axes.choice(sheet.precision, "precision", precision_words, std::string(precision_doc), Precision::fp32);
}

void check_device(const Sheet& sheet, std::string_view name) {
  if (sheet.device.empty() || sheet.device == name) return;
  throw PointError(fmt::format(
      "the row was measured on '{0}', but the hardware is '{1}': add where = \"device == '{1}'\"", sheet.device, name));
}

}  // namespace pimsweep::systems::devices
