#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/words.h"
#include "hardware/convolution_shape.h"
#include "hardware/gpu/device.h"
#include "systems/axis_table.h"
#include "systems/column_table.h"

namespace pimsweep::systems::devices {

/// Kind of an operation of the measured sheets, or of one like them.
enum class OperationKind : std::uint8_t {
  gemm,
  conv,
  rnn,
  depthwise,
  elementwise,
  pool,
  bias,
  bias_gradient,
  batch_norm,
  optimizer,
  decode_attention,
  prefill_attention,
  mixed_attention,
  experts,
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  send
};
inline constexpr std::array operation_words{Word{"gemm", OperationKind::gemm},
                                            Word{"conv", OperationKind::conv},
                                            Word{"rnn", OperationKind::rnn},
                                            Word{"depthwise", OperationKind::depthwise},
                                            Word{"elementwise", OperationKind::elementwise},
                                            Word{"pool", OperationKind::pool},
                                            Word{"bias", OperationKind::bias},
                                            Word{"bias_gradient", OperationKind::bias_gradient},
                                            Word{"batch_norm", OperationKind::batch_norm},
                                            Word{"optimizer", OperationKind::optimizer},
                                            Word{"decode-attention", OperationKind::decode_attention},
                                            Word{"prefill-attention", OperationKind::prefill_attention},
                                            Word{"mixed-attention", OperationKind::mixed_attention},
                                            Word{"experts", OperationKind::experts},
                                            Word{"all-reduce", OperationKind::all_reduce},
                                            Word{"all-gather", OperationKind::all_gather},
                                            Word{"reduce-scatter", OperationKind::reduce_scatter},
                                            Word{"all-to-all", OperationKind::all_to_all},
                                            Word{"send", OperationKind::send}};

/// True for the operations of a training step in addition to those of layers.
constexpr bool is_of_training_step(OperationKind kind) {
  return kind == OperationKind::bias || kind == OperationKind::bias_gradient || kind == OperationKind::batch_norm ||
         kind == OperationKind::optimizer;
}

inline constexpr std::array pass_words{Word{"forward", hardware::Pass::forward},
                                       Word{"backward_inputs", hardware::Pass::backward_inputs},
                                       Word{"backward_weights", hardware::Pass::backward_weights}};

enum class RecurrentCell : std::uint8_t { vanilla, lstm, gru };

/// A row of the measured sheets (results/reference/measured) as the axes of a point give it. Sizes are counts, held as
/// reals.
struct Sheet {
  OperationKind kind = OperationKind::gemm;
  /// Device of the measurement; empty: not a measured row.
  std::string_view device;
  hardware::gpu::Precision precision = hardware::gpu::Precision::fp32;
  hardware::Pass pass = hardware::Pass::forward;
  /// GEMM: rows and columns of the result, and depth. The others' images (n) and filters (k).
  double m = 1;
  double n = 1;
  double k = 1;
  bool transposes_a = false;
  bool transposes_b = false;
  /// Convolution or pooling window. convolution() fills batch and filters.
  hardware::ConvolutionShape window;
  RecurrentCell cell = RecurrentCell::lstm;
  double hidden = 1;
  double batch = 1;
  double timesteps = 1;
  double inputs = 1;

  /// Pixels of all images, and elements of all channels.
  double pixels() const { return n * window.height * window.width; }
  double elements() const { return pixels() * window.channels; }
  /// Gates of the recurrent cell: 1 vanilla, 3 GRU, 4 LSTM.
  double gates() const;
  /// Throws PointError if the filter does not fit.
  hardware::ConvolutionShape convolution() const;
};

/// Times of a layer in milliseconds, the display unit of the measured sheets: of a GEMM, or of the passes of another
/// kind.
struct SheetTimes {
  std::optional<double> gemm, forward, backward_inputs, backward_weights, backward_total;
};

/// The columns time_ms to backward_total_ms. `no_gradients`: points without gradients.
void add_sheet_times(ColumnList& metrics, const SheetTimes& times, const std::string& no_gradients);

/// `kinds`: the kinds of the system. `device_is`: the noun for the device of a row ("GPU"). `pass_doc`: the text of the
/// axis `pass`. The system adds the axis `precision` itself.
void add_sheet_axes(AxisList& axes, Sheet& sheet, std::span<const Word<OperationKind>> kinds,
                    std::string_view device_is, std::string_view pass_doc);

/// The axis `precision` of systems that have those of the sheets only.
void add_precision_axis(AxisList& axes, Sheet& sheet);

/// An axis of counts from `min` to 10^8.
void add_size_axis(AxisList& axes, double& place, const char* name, const char* doc, std::int64_t default_value = 1,
                   double min = 1);

/// Throws PointError if the point is a row that was measured on another device than `name`.
void check_device(const Sheet& sheet, std::string_view name);

}  // namespace pimsweep::systems::devices
