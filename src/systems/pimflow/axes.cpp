#include "systems/devices/newton_axes.h"
#include "systems/devices/silicon_axes.h"
#include "systems/pimflow/policy.h"
#include "systems/pimflow/settings.h"
#include "systems/timeline.h"

namespace pimsweep::systems::pimflow {

namespace {

using hardware::gpu::network::ElementwiseMode;
using hardware::newton::Controller;

constexpr Words<Controller, 2> controller_words{{{"artifact", Controller::artifact}, {"paper", Controller::paper}}};
constexpr Words<CommandOptimizations, 5> optimization_words{{{"policy", {.by_policy = true}},
                                                             {"none", {.by_policy = false}},
                                                             {"hiding", {.by_policy = false, .hiding = true}},
                                                             {"buffers", {.by_policy = false, .buffers = true}},
                                                             {"both", {false, true, true}}}};
constexpr Words<Offload, 3> offload_words{
    {{"all", {true, true}}, {"convolutions", {true, false}}, {"fully-connected", {false, true}}}};
constexpr Words<Contention, 3> contention_words{
    {{"none", Contention::none}, {"broadcast", Contention::broadcast}, {"unicast", Contention::unicast}}};
constexpr Words<bool, 2> bias_words{{{"fused", false}, {"kernel", true}}};
constexpr Words<bool, 2> fully_connected_words{{{"fastest", false}, {"pim", true}}};
constexpr Words<bool, 2> cache_words{{{"whole", false}, {"by-channel", true}}};
constexpr Words<ElementwiseMode, 2> elementwise_words{
    {{"fused", ElementwiseMode::fused}, {"counted", ElementwiseMode::counted}}};

void add_study_axes(AxisList& axes, Settings& s, const std::vector<std::string>& models) {
  axes.text(s.model, "model", "network for inference, defined in configs/models", {}, models)
      .kind(AxisKind::model)
      .count(s.size.image_px, "image_px", 0, 16384, "side of the square input images in pixels, 0 for the model's own",
             0)
      .kind(AxisKind::image_size)
      .count(s.size.tokens, "tokens", 0, 16384, "sequence length of a language model, 0 for the model's own", 0)
      .kind(AxisKind::tokens)
      .count(s.batch, "batch", 1, 1 << 16, "samples in an inference", 1)
      .policy(s.policy, policies(), "algorithm that assigns work to GPU and PIM")
      .count(s.memory_channels, "memory_channels", 1, 65536,
             "memory channels left to the GPU, the others are PIM's; policy gpu has all", 16)
      .choice(s.controller, "controller", controller_words,
              "rules for PIM's commands: those of the artifact, or those of the paper (docs/newton.md)",
              Controller::artifact)
      .choice(s.command_optimizations, "command_optimizations", optimization_words,
              "optimized PIM commands: as in the policy, or hidden GWRITEs, several global buffers, both or none",
              CommandOptimizations{})
      .count(s.n_gwrite, "n_gwrite", 2, static_cast<double>(hardware::newton::max_channels),
             "global buffers of a PIM channel, where several are used", 4)
      .count(s.split_interval, "split_interval", 1, 100, "percent of a layer's rows between two splits that are tried",
             10)
      .count(s.stages, "stages", 2, 5, "stages of a pipeline; pimflow-optimal takes the best of 2 to 5", 2)
      .choice(s.offload, "offload", offload_words, "layers that may run on PIM", Offload{});
}

void add_reading_axes(AxisList& axes, Settings& s) {
  axes.flag(s.memory_optimizer, "memory_optimizer",
            "contiguous parts of tensors, so that splits copy nothing (Sec. 4.3.2)", true)
      .choice(s.contention, "contention", contention_words,
              "memory time that PIM's fetches take from concurrent GPU kernels: none, broadcast or unicast (Sec. 7)",
              Contention::none)
      .choice(s.elementwise, "elementwise", elementwise_words,
              "activation functions: fused with the layer before, or counted as kernels", ElementwiseMode::fused)
      .choice(s.pointwise_as_gemm, "pointwise", hardware::gpu::network::pointwise_words,
              "GPU kernels of 1x1 convolutions of stride 1: convolutions, or GEMMs that may split the depth", false)
      .choice(s.precision, "precision", devices::precision_words, std::string(devices::precision_doc),
              hardware::gpu::Precision::fp32)
      .flag(s.record_timeline, std::string(record_timeline_axis),
            "recording of the work of GPU and PIM over time (table timeline)", false);
}

}  // namespace

AxisTable<Settings> make_axes(const std::vector<std::string>& models) {
  AxisTable<Settings> axes;
  Settings& settings = axes.layout();
  add_study_axes(axes, settings, models);
  add_reading_axes(axes, settings);
  devices::add_gpu_axes(axes, gpu_prefix, settings.card);
  devices::add_newton_axes(axes, "pim.", settings.dram);
  axes.quantity(settings.synchronization, "hardware.synchronization", "s", 0, 1,
                "time of a synchronization of GPU and PIM, after each split and pipeline step");
  axes.choice(settings.bias_kernels, "hardware.bias", bias_words,
              "bias and activation function of a layer on the GPU: part of its kernel, or a separate kernel", false)
      .choice(settings.fully_connected_on_pim, "hardware.fully_connected", fully_connected_words,
              "device of fully connected layers: the fastest, or always PIM where they may run on it", false)
      .choice(settings.cache_by_channel, "hardware.cache", cache_words,
              "second-level cache left to the GPU: the whole, or the part of its memory channels", false);
  devices::add_silicon_axes(axes, settings.silicon);
  return axes;
}

}  // namespace pimsweep::systems::pimflow
