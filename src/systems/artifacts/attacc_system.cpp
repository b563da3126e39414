#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "base/posix_file.h"
#include "systems/artifacts/artifacts.h"
#include "systems/artifacts/attacc/artifact.h"
#include "systems/artifacts/records.h"
#include "systems/llm/step/pim/stack.h"
#include "workload/model_library.h"

namespace pimsweep::systems::artifacts {

namespace {

using llm::step::ModelRun;
using llm::step::OperatorRun;
using llm::step::Pipelining;
using workload::decoder::Activation;
using workload::decoder::Decoder;
using workload::decoder::Kind;
using workload::decoder::Operator;

/// The clocks that AttAcc's artifact ships (configs/hardware/attacc-clocks.csv), read when a point first asks for them.
class ClockTable {
 public:
  explicit ClockTable(const ConfigFolders& configs) : folders_(configs.hardware) {}
  /// Throws PointError if no folder has the file.
  const hardware::attention_pim::PublishedClocks& clocks() {
    read();
    return *clocks_;
  }
  /// Hash of the file.
  Hash128 content() {
    read();
    return content_;
  }

 private:
  void read();

  std::vector<ConfigFolder> folders_;
  std::unique_ptr<hardware::attention_pim::PublishedClocks> clocks_;
  Hash128 content_;
};

void ClockTable::read() {
  if (clocks_) return;
  for (const ConfigFolder& folder : folders_) {
    const std::string path = (std::filesystem::path(folder.path) / "attacc-clocks.csv").string();
    if (!std::filesystem::exists(path)) continue;
    const std::string text = read_file(path);
    clocks_ = std::make_unique<hardware::attention_pim::PublishedClocks>(text, path);
    content_ = hash128(text);
    return;
  }
  throw PointError(fmt::format("attacc-clocks.csv not found in {}", joined_paths(folders_)));
}

/// The policies that the artifact has.
enum class Side : std::uint8_t { gpu, attacc, attacc_ff };
constexpr Words<Side, 3> side_words{{{"gpu", Side::gpu}, {"attacc", Side::attacc}, {"attacc-ff", Side::attacc_ff}}};

/// A fault of the artifact that is fixed (attacc::Accounting).
enum class Fixes : std::uint8_t { none, softmax, moves, context_products, elements, all };
constexpr Words<Fixes, 6> attacc_fixes_words{{{"none", Fixes::none},
                                              {"softmax", Fixes::softmax},
                                              {"moves", Fixes::moves},
                                              {"context-products", Fixes::context_products},
                                              {"elements", Fixes::elements},
                                              {"all", Fixes::all}}};
constexpr std::array clock_words{Word{"published", true}, Word{"modeled", false}};

struct AttaccPoint {
  std::string_view model;
  Side policy = Side::gpu;
  Pipelining pipelining = Pipelining::projections;
  std::int64_t context = 1;
  std::int64_t new_tokens = 2;
  attacc::Load load;
  double bits = 16;
  bool uses_published_clocks = true;
  Fixes fixes = Fixes::none;
  attacc::Cluster cluster;
  attacc::AttAcc pim;
  llm::step::pim::StackUnits stacks;
};

void add_constants(AxisList& axes, attacc::Gpu& gpu, attacc::AttAcc& pim) {
  constexpr const char* key = "hardware.attacc.";
  const auto number = [&](double& place, const char* name, const char* unit, const char* doc) {
    axes.quantity(place, key + std::string(name), unit, 0, 1e18, doc, 0);
  };
  number(gpu.peak, "peak", "1/s", "peak rate of a GPU in AttAcc's artifact, 16-bit factors");
  number(gpu.bandwidth, "bandwidth", "B/s", "memory bandwidth of a GPU in AttAcc's artifact");
  number(gpu.core_memory, "core_memory", "B", "memory of a multiprocessor in AttAcc's artifact");
  number(gpu.link_bandwidth, "link_bandwidth", "B/s", "link of a GPU in AttAcc's artifact, both ways together");
  number(gpu.peak_share, "peak_share", "1", "share of the peak that GEMMs reach in AttAcc's artifact");
  number(gpu.bandwidth_share, "bandwidth_share", "1", "share of the bandwidth that GEMMs reach in AttAcc's artifact");
  number(gpu.activation.per_byte, "activation.per_byte", "s/B", "time of an activation by byte in AttAcc's artifact");
  number(gpu.activation.fixed, "activation.fixed", "s",
         "fixed time of an activation, in addition to moving its bytes, in AttAcc's artifact");
  number(gpu.norm.per_byte, "norm.per_byte", "s/B", "time of a normalization by byte in AttAcc's artifact");
  number(gpu.norm.fixed, "norm.fixed", "s",
         "fixed time of a normalization, in addition to moving its bytes, in AttAcc's artifact");
  number(gpu.measured_bandwidth, "measured_bandwidth", "B/s",
         "memory bandwidth of the GPU that AttAcc's artifact takes kernel times of");
  number(gpu.measured_link, "measured_link", "B/s", "link of the GPU that AttAcc's artifact takes times of");
  number(gpu.reduce_fixed, "reduce.fixed", "s",
         "fixed time of an all-reduce step, in addition to moving its bytes, in AttAcc's artifact");
  number(gpu.reduce_per_byte, "reduce.per_byte", "s/B", "time of an all-reduce step by byte in AttAcc's artifact");
  number(gpu.energy.registers, "energy.registers", "J/B", "energy of a byte from registers in AttAcc's artifact");
  number(gpu.energy.core_memory, "energy.core_memory", "J/B",
         "energy of a byte from a multiprocessor's memory in AttAcc's artifact");
  number(gpu.energy.cache, "energy.cache", "J/B", "energy of a byte from the second-level cache in AttAcc's artifact");
  number(gpu.energy.memory, "energy.memory", "J/B", "energy of a byte from a GPU's memory in AttAcc's artifact");
  number(gpu.energy.link, "energy.link", "J/B", "energy of a byte between GPUs in AttAcc's artifact");
  number(gpu.energy.multiply, "energy.multiply", "J", "energy of a multiplication in AttAcc's artifact");
  number(pim.stack_bandwidth, "stack_bandwidth", "B/s", "bandwidth of a stack in AttAcc's artifact");
  number(pim.gain, "gain", "1", "bandwidth of a stack's multipliers by that of the stack in AttAcc's artifact");
  number(pim.link_bandwidth, "pim_link_bandwidth", "B/s",
         "link between a GPU and its PIM in AttAcc's artifact, both ways together");
  number(pim.softmax_memory, "softmax_memory", "J/B",
         "energy of a byte of the softmax unit's memory in AttAcc's artifact");
}

AxisTable<AttaccPoint> make_attacc_axes(const std::vector<std::string>& models) {
  AxisTable<AttaccPoint> axes;
  AttaccPoint& p = axes.layout();
  axes.text(p.model, "model", "language model of the family decoder, one of configs/models", {}, models)
      .kind(AxisKind::model)
      .count(p.load.batch, "batch", 1, 1 << 20, "sequences of a batch", 1)
      .count(p.context, "context", 1, 1 << 24, "tokens of the prompt of each sequence", 1024)
      .count(p.new_tokens, "new_tokens", 2, 1 << 20, "new tokens of each sequence", 128)
      .quantity(p.bits, "bits", "1", 1, 64, "bits of weights, activations and numbers of the KV cache", 16)
      .choice(p.policy, "policy", side_words, "attention on GPUs, on PIM, or feed-forward GEMMs on both sides too")
      .kind(AxisKind::policy)
      .choice(p.pipelining, "pipelining", llm::step::pipelining_words,
              "work that overlaps attention on PIM, by head: none, transfers, or also projections on the GPUs",
              Pipelining::projections)
      .choice(p.uses_published_clocks, "attacc_clocks", clock_words,
              "clocks of PIM: published with the artifact, or modeled", true)
      .choice(p.fixes, "attacc_fixes", attacc_fixes_words, "fault of AttAcc's artifact that is fixed", Fixes::none)
      .count(p.cluster.gpus, "hardware.gpu.count", 1, 1 << 16, "GPUs of the machine", 8)
      .count(p.cluster.gpu.cores, "hardware.gpu.sm.count", 1, 1e6, "multiprocessors of a GPU")
      .quantity(p.cluster.gpu.cache, "hardware.gpu.l2.capacity", "B", 0, 1e15, "second-level cache of a GPU")
      .count(p.pim.stacks, "hardware.pim.devices", 0, 1 << 16, "stacks with AttAcc's units per GPU", 0);
  add_constants(axes, p.cluster.gpu, p.pim);
  p.stacks.add_axes(axes);
  return axes;
}

// The artifact knows the ratio of each family's feed-forward network, not its width (config.py:202-216).
attacc::Model model_of(const Decoder& decoder) {
  attacc::Model model{.layers = decoder.blocks, .hidden = decoder.hidden, .heads = decoder.heads};
  if (decoder.gated) {
    model.feed_forward = attacc::FeedForward::gated;
    model.feed_forward_scale = 8.0 / 3;
  } else if (decoder.activation == Activation::relu) {
    model.feed_forward = attacc::FeedForward::relu;
  }
  return model;
}

attacc::Accounting accounting_of(const AttaccPoint& point) {
  const auto keeps = [&](Fixes fault) { return point.fixes != fault && point.fixes != Fixes::all; };
  return {.pipelining = point.pipelining,
          .shared_feed_forward = point.policy == Side::attacc_ff,
          .softmax_dropped = keeps(Fixes::softmax),
          .moves_per_byte = keeps(Fixes::moves),
          .context_products_free = keeps(Fixes::context_products),
          .elements_on_one_core = keeps(Fixes::elements)};
}

/// The parts of a step as operators, for the table.
constexpr std::array parts{Operator{.name = "qkv", .kind = Kind::linear},
                           Operator{.name = "attention", .kind = Kind::attention},
                           Operator{.name = "softmax", .kind = Kind::attention},
                           Operator{.name = "transfer", .kind = Kind::all_reduce},
                           Operator{.name = "output", .kind = Kind::linear},
                           Operator{.name = "ffn", .kind = Kind::linear},
                           Operator{.name = "ffn_activation", .kind = Kind::activation},
                           Operator{.name = "all_reduce", .kind = Kind::all_reduce},
                           Operator{.name = "norm", .kind = Kind::norm}};

std::vector<OperatorRun> operators_of(const attacc::StepTime& time, bool has_pim) {
  const std::array<double, parts.size()> seconds{time.qkv,        time.attention,  time.softmax,
                                                 time.transfer,   time.projection, time.feed_forward,
                                                 time.activation, time.all_reduce, time.norm};
  std::vector<OperatorRun> operators;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool on_pim = has_pim && parts[i].kind == Kind::attention;
    OperatorRun& run = operators.emplace_back(OperatorRun{.op = &parts[i], .pim_share = on_pim ? 1.0 : 0.0});
    llm::step::Cost& side = parts[i].kind == Kind::all_reduce ? run.link : on_pim ? run.pim : run.gpu;
    side.seconds = seconds[i];
    run.seconds = seconds[i];
  }
  return operators;
}

class AttaccArtifact final : public System {
 public:
  explicit AttaccArtifact(const ConfigFolders& configs)
      : models_(configs.models), axes_(make_attacc_axes(models_.decoders())), records_(schema_), clocks_(configs) {
    schema_.name = "attacc-artifact";
    schema_.version = 1;
    schema_.main_metrics = {"time_per_token", "energy_per_token"};
    schema_.doc = "Queries on GPUs and AttAcc as its simulator accounts for them, with its faults";
    schema_.axes = axes_.axes();
    model_axis_ = static_cast<std::size_t>(schema_.axis_index("model"));
  }

  const Schema& schema() const override { return schema_; }
  void evaluate(const Point& point, Record& record) override { records_.write(run_of(axes_.read(point)), record); }

  Hash128 workload_hash(const Point& point) override {
    const AttaccPoint p = axes_.read(point);
    const Hash128 model = models_.content(p.model);
    return p.uses_published_clocks ? hash128(model.text() + clocks_.content().text()) : model;
  }
  std::vector<std::string> fit_axes() const override { return {"model"}; }

 protected:
  void require_fit(const Point& point) override { models_.decoder(point.text(model_axis_)); }

 private:
  ModelRun run_of(AttaccPoint point);

  workload::ModelLibrary models_;
  Schema schema_;
  AxisTable<AttaccPoint> axes_;
  Records records_;
  ClockTable clocks_;
  std::size_t model_axis_ = 0;
};

/// The time of the prompts, and the mean over all steps of generating. Energies are those of the steps alone, as in the
/// artifact.
ModelRun AttaccArtifact::run_of(AttaccPoint point) {
  const Decoder& decoder = models_.decoder(point.model);
  if (decoder.experts || decoder.latent) {
    return {.misfit = "AttAcc's artifact knows no experts and no latent attention"};
  }
  if (point.cluster.gpu.peak == 0 || point.cluster.gpu.core_memory == 0) {
    throw PointError("system attacc-artifact needs the constants hardware.attacc of a machine");
  }
  const bool has_pim = point.policy != Side::gpu;
  if (has_pim && point.pim.stacks == 0) {
    return {.misfit = fmt::format("policy {} needs AttAcc's stacks, which the machine lacks",
                                  word_of(side_words, point.policy))};
  }
  point.load.value_bytes = point.bits / 8;
  point.pim.units = point.cluster.gpus;
  point.pim.stack = point.stacks.stack;
  point.pim.options = point.stacks.options;
  point.pim.options.commands = hardware::attention_pim::Commands::tabulated;
  if (point.uses_published_clocks) point.pim.published = &clocks_.clocks();
  point.cluster.pim = has_pim ? &point.pim : nullptr;
  const attacc::Model model = model_of(decoder);
  const attacc::Accounting accounting = accounting_of(point);
  const attacc::StepCost prompts = attacc::prefill(model, point.cluster, accounting, point.load, point.context);
  const attacc::StepCost step =
      attacc::mean_decode_step(model, point.cluster, accounting, point.load, point.context, point.new_tokens);
  if (!std::isfinite(prompts.time.total()) || !std::isfinite(step.time.total()))
    throw PointError("the time of a step is not finite: a rate of the machine is too low for this batch");
  const auto batch = static_cast<double>(point.load.batch);
  const double steps = static_cast<double>(point.new_tokens) - 1;
  return {.misfit = {},
          .time = prompts.time.total() + steps * step.time.total(),
          .time_per_token = step.time.total(),
          .time_to_first_token = prompts.time.total(),
          .tokens_per_second = batch / step.time.total(),
          .energy = steps * step.energy.total(),
          .energy_per_token = step.energy.total() / batch,
          .idle_energy = 0,
          .power = step.energy.total() / step.time.total(),
          .pim_busy = has_pim ? (step.time.attention + step.time.softmax) / step.time.total() : 0,
          .operators = operators_of(step.time, has_pim)};
}

}  // namespace

std::unique_ptr<System> make_attacc_artifact(const ConfigFolders& configs) {
  return std::make_unique<AttaccArtifact>(configs);
}

}  // namespace pimsweep::systems::artifacts
