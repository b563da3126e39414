#include "workload/import/network_import.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "workload/import/constant_folding.h"
#include "workload/import/fusion.h"
#include "workload/import/importer.h"
#include "workload/import/lowering.h"
#include "workload/import/marked_operators.h"
#include "workload/import/operator_mark.h"
#include "workload/import/rules.h"
#include "workload/import/sample_trace.h"

namespace pimsweep::workload::import {

namespace {

constexpr std::size_t max_listed = 20;

bool is_open(const OnnxInput& input) {
  return std::any_of(input.shape.begin(), input.shape.end(), [](const OnnxDimension& d) { return d.extent == 0; });
}

/// Indices of the inputs that hold data; all others are weights or tables. Marks identify them if the file has any.
/// Otherwise, all inputs are data if the file contains weights. A file that was exported without weights has them as
/// inputs: then the first input is data, and so are inputs with an open dimension and, if the first holds integers
/// (token ids), all other integer inputs.
std::vector<std::size_t> data_inputs(const OnnxModel& model) {
  std::unordered_set<std::string_view> initialized;
  bool has_weights = false;
  for (const OnnxTensor& tensor : model.initializers) {
    initialized.insert(tensor.name);
    has_weights = has_weights || (tensor.may_be_weights && tensor.shape.size() > 1);
  }
  std::vector<std::size_t> candidates;
  std::vector<std::size_t> data;
  std::vector<std::size_t> marked;
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    const OnnxInput& input = model.inputs[i];
    if (initialized.count(input.name) > 0) continue;
    candidates.push_back(i);
    if (!input.doc.empty()) marked.push_back(i);
    const bool has_integers = !input.is_floating && !model.inputs[candidates.front()].is_floating;
    if (candidates.size() == 1 || is_open(input) || has_integers) data.push_back(i);
  }
  if (candidates.empty()) throw InputError({model.file, 0, 0}, "the network has no input");
  if (!marked.empty()) return marked;
  return has_weights ? candidates : data;
}

bool is_image(const OnnxInput& input) { return input.is_floating && input.shape.size() == 4; }

/// Names that exporters and users give to dimensions of inputs.
bool names_batch(const std::string& symbol) {
  return symbol.find("batch") != std::string::npos || symbol == "N" || symbol == "n" || symbol == "bs";
}

bool names_tokens(const std::string& symbol) {
  return symbol.find("token") != std::string::npos || symbol.find("seq") != std::string::npos || symbol == "T" ||
         symbol == "L" || symbol == "length" || symbol == "time" || symbol == "steps";
}

/// True if the first dimension of an input may count samples.
bool may_have_batch(const OnnxInput& input) {
  return input.shape.size() > 1 && input.doc.empty() && !names_tokens(input.shape.front().symbol);
}

/// True if the first dimension of `input` is the same as that of the network's first input, so that both are read
/// alike.
bool is_like(const OnnxInput& input, const OnnxInput& first) {
  if (first.shape.empty()) return false;
  const OnnxDimension& a = input.shape.front();
  const OnnxDimension& b = first.shape.front();
  return a.extent == b.extent && (a.extent != 0 || a.symbol == b.symbol);
}

/// Dimension of an input that is the network's input size.
std::size_t size_dimension(const OnnxInput& input, bool has_batch) {
  constexpr std::int64_t max_channels = 4;
  const std::size_t rank = input.shape.size();
  if (!is_image(input)) return rank < 2 || !has_batch ? 0 : 1;
  if (!input.doc.empty()) return 2;
  const bool channels_last = input.shape[3].extent != 0 && input.shape[3].extent <= max_channels &&
                             (input.shape[1].extent == 0 || input.shape[1].extent > max_channels);
  return channels_last ? 1 : 2;
}

class Importer {
 public:
  Importer(const OnnxModel& model, const ImportOptions& options)
      : model_(model), options_(options), is_marked_(is_marked(model)) {
    state_.opset = model.opset;
    if (options.reading.samples.extent > 1 && takes_one_sample()) state_.samples = &options.reading.samples;
  }

  /// Traces the first dimension of the inputs, which has this extent.
  const SampleTrace& follow_samples(std::int64_t extent) {
    trace_.emplace(extent);
    return *trace_;
  }

  void check_types() {
    data_inputs(model_);
    for (std::size_t i = 0; i < model_.nodes.size(); ++i) find_rule(model_.nodes[i], i);
    report_unknown();
    problems_.throw_if_any();
  }

  /// Reads all inputs and nodes. Throws InputError if that is not possible.
  void read_network() {
    state_.drafts.reserve(model_.inputs.size() + model_.nodes.size());
    state_.values.reserve(model_.inputs.size() + model_.initializers.size() + model_.nodes.size());
    read_inputs();
    read_initializers();
    read_nodes();
    report_unknown();
    problems_.throw_if_any();
    mark_outputs();
  }

  OperatorGraph run() {
    read_network();
    if (!is_marked_) {
      fuse(state_.drafts);
      name_attention(state_.drafts);
    }
    return std::move(state_.drafts).build();
  }

 private:
  SourcePosition file() const { return {model_.file, 0, 0}; }
  bool takes_one_sample() const { return options_.takes_one_sample && options_.reading.has_batch && !trace_; }

  void read_inputs() {
    const std::vector<std::size_t> data = data_inputs(model_);
    first_ = &model_.inputs[data.front()];
    for (std::size_t i = 0; i < model_.inputs.size(); ++i) {
      const OnnxInput& input = model_.inputs[i];
      if (std::find(data.begin(), data.end(), i) != data.end()) {
        add_data(input);
      } else {
        OnnxTensor tensor;
        tensor.name = input.name;
        tensor.is_floating = tensor.may_be_weights = input.is_floating;
        for (const OnnxDimension& dimension : input.shape) tensor.shape.push_back(dimension.extent);
        add_learned(tensor);
      }
    }
    problems_.throw_if_any();
  }

  void add_data(const OnnxInput& input) {
    Shape shape;
    for (std::size_t i = 0; i < input.shape.size(); ++i) shape.push_back(extent_of(input, i));
    if (!problems_.empty()) return;
    TensorValue value;
    value.is_floating = input.is_floating;
    value.channel = !input.is_floating                                    ? shape.size()
                    : is_image(input) && size_dimension(input, true) == 2 ? 1
                    : shape.empty()                                       ? 0
                                                                          : shape.size() - 1;
    Operator node;
    node.kind = OperatorKind::input;
    const std::optional<OperatorMark> mark = read_mark(input.doc);
    node.name = mark ? mark->name : input.name;
    node.role = mark ? mark->role : input.name;
    if (mark) {
      node.stage = mark->stage;
      node.block = mark->block;
    }
    try {
      const std::int64_t elements = elements_of(shape);
      node.output = channels_last(shape, value.channel);
      if (mark && elements_of(mark->output.shape) == elements) node.output = mark->output;
    } catch (const Refusal& refusal) {
      problems_.add(file(), fmt::format("input '{}' {}", input.name, refusal.what()));
      return;
    }
    value.draft = state_.drafts.add(std::move(node), {});
    value.shape = std::move(shape);
    state_.values[input.name] = std::move(value);
  }

  /// True if the first dimension of an input counts samples. If the file fixes it to another extent than that of the
  /// first input, it is data.
  bool has_batch(const OnnxInput& input) const {
    if (!may_have_batch(input)) return !input.doc.empty() && input.shape.size() > 1;
    const OnnxDimension& dimension = input.shape.front();
    if (names_batch(dimension.symbol)) return true;
    return is_like(input, *first_) ? options_.reading.has_batch : dimension.extent == 0;
  }

  std::int64_t extent_of(const OnnxInput& input, std::size_t index) {
    const OnnxDimension& dimension = input.shape[index];
    const std::size_t rank = input.shape.size();
    const bool counts_samples = index == 0 && has_batch(input);
    if (index == 0 && trace_ && may_have_batch(input) && is_like(input, *first_)) {
      trace_->begin(input.name);
      return trace_->axes().extent;
    }
    if (dimension.extent != 0) return counts_samples && takes_one_sample() && input.doc.empty() ? 1 : dimension.extent;
    if (names_batch(dimension.symbol) || counts_samples) return 1;
    const std::size_t sized = size_dimension(input, has_batch(input));
    const bool is_side = dimension.symbol == "image_px" || (is_image(input) && !names_tokens(dimension.symbol));
    const bool is_length = names_tokens(dimension.symbol) || (rank <= 3 && index == sized);
    const std::int64_t extent = is_side ? options_.image_px : is_length ? options_.tokens : 0;
    if (extent == 0) {
      problems_.add(file(),
                    fmt::format("dimension {} ('{}') of input '{}' is open{}", index + 1, dimension.symbol, input.name,
                                is_side     ? ": set axis 'image_px'"
                                : is_length ? ": set axis 'tokens'"
                                            : ", and its name is not batch, image_px or tokens: export "
                                              "the network with another name or a fixed extent"));
    }
    return extent;
  }

  void read_initializers() {
    for (const OnnxTensor& tensor : model_.initializers) add_learned(tensor);
  }

  /// Adds a tensor of the file: a weight, or a constant that shapes may depend on.
  void add_learned(const OnnxTensor& tensor) {
    TensorValue value;
    value.shape = tensor.shape;
    value.channel = tensor.shape.empty() ? 0 : tensor.shape.size() - 1;
    value.is_floating = tensor.is_floating;
    value.numbers = tensor.values;
    try {
      const std::int64_t elements = tensor.shape == Shape{0} ? 0 : elements_of(tensor.shape);
      if (tensor.may_be_weights && elements > 0 && !tensor.shape.empty()) {
        value.weights.push_back(state_.learned.size());
        state_.learned.push_back({elements, elements == 1, false, tensor.quantized_bits});
      }
    } catch (const Refusal& refusal) {
      problems_.add(file(), fmt::format("tensor '{}' {}", tensor.name, refusal.what()));
    }
    state_.values[tensor.name] = std::move(value);
  }

  void read_nodes() {
    std::size_t length = 1;
    for (std::size_t i = 0; i < model_.nodes.size(); i += length) {
      if (is_marked_) length = operator_length(std::span(model_.nodes).subspan(i));
      const DraftId first = state_.drafts.size();
      for (std::size_t part = i; part < i + length; ++part) read(model_.nodes[part], part);
      if (is_marked_) restore(std::span(model_.nodes).subspan(i, length), first);
    }
  }

  /// Replaces the nodes of a marked operator by the operator.
  void restore(std::span<const OnnxNode> nodes, DraftId first) {
    const std::vector<std::string>& outputs = nodes.back().outputs;
    if (outputs.empty() || state_.values.count(outputs.front()) == 0) return;
    try {
      restore_operator(state_, nodes, first);
    } catch (const Refusal& refusal) {
      refuse(fmt::format("operator '{}' {}", nodes.back().name, refusal.what()));
    }
  }

  static std::string name_of_node(const OnnxNode& node, std::size_t index) {
    return node.name.empty() ? fmt::format("{}_{}", node.type, index) : node.name;
  }

  /// Reads a node, or the plain nodes that it is lowered to.
  void read(const OnnxNode& node, std::size_t index) {
    std::vector<OnnxNode> parts;
    try {
      parts = lowered(node, [&](const std::string& tensor) -> const Shape* {
        const auto found = state_.values.find(tensor);
        return found == state_.values.end() ? nullptr : &found->second.shape;
      });
    } catch (const Refusal& refusal) {
      lost_.insert(node.outputs.begin(), node.outputs.end());
      const bool is_known_loss =
          std::ranges::any_of(node.inputs, [&](const std::string& input) { return lost_.contains(input); });
      if (!is_known_loss) refuse(fmt::format("{} '{}' {}", node.type, name_of_node(node, index), refusal.what()));
      return;
    }
    if (parts.empty()) return read_plain(node, index);
    for (const OnnxNode& part : parts) read_plain(part, index);
  }

  void read_plain(const OnnxNode& node, std::size_t index) {
    const Rule rule = find_rule(node, index);
    if (rule == nullptr || !can_be_read(node, index)) {
      lost_.insert(node.outputs.begin(), node.outputs.end());
      return;
    }
    try {
      NodeCall call(state_, node, name_of_node(node, index));
      rule(call);
      fold_constants(call);
      if (trace_) trace_->follow(call, name_of_node(node, index));
    } catch (const Refusal& refusal) {
      lost_.insert(node.outputs.begin(), node.outputs.end());
      refuse(fmt::format("{} '{}' {}", node.type, name_of_node(node, index), refusal.what()));
    }
  }

  /// False if an input does not exist, or if the node that writes it could not be read.
  bool can_be_read(const OnnxNode& node, std::size_t index) {
    for (const std::string& input : node.inputs) {
      if (input.empty() || state_.values.count(input) > 0) continue;
      if (lost_.count(input) == 0) {
        refuse(
            fmt::format("{} '{}' reads '{}', which no earlier node writes: nodes must be in topological order, "
                        "without a cycle",
                        node.type, name_of_node(node, index), input));
      }
      return false;
    }
    const bool is_recurrent =
        rule_of(node.type) == read_lstm || rule_of(node.type) == read_gru || rule_of(node.type) == read_rnn;
    if (node.outputs.empty() || (node.outputs.front().empty() && !is_recurrent)) {
      refuse(fmt::format("{} '{}' has no output", node.type, name_of_node(node, index)));
      return false;
    }
    for (const std::string& output : node.outputs) {
      if (output.empty() || state_.values.count(output) == 0) continue;
      refuse(fmt::format("{} '{}' writes '{}', which exists already", node.type, name_of_node(node, index), output));
      return false;
    }
    return true;
  }

  Rule find_rule(const OnnxNode& node, std::size_t index) {
    if (const Rule rule = rule_of(node.type)) return rule;
    if (is_lowered(node.type)) return rule_of("Identity");
    if (!node.inputs.empty() && !node.inputs.front().empty() && options_.unknown != UnknownNodes::refuse) {
      return options_.unknown == UnknownNodes::free ? rule_of("Identity") : rule_of("Relu");
    }
    std::vector<std::string>& names = unknown_[node.type];
    names.push_back(name_of_node(node, index));
    return nullptr;
  }

  void refuse(std::string message) {
    if (problems_.problems().size() < max_listed) problems_.add(file(), std::move(message));
  }

  void report_unknown() {
    for (const auto& [type, names] : unknown_) {
      constexpr std::size_t shown = 3;
      const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(shown, names.size()));
      refuse(
          fmt::format("operator {} is not supported: {} {} ('{}'{}); 'unknown_operators' can treat it as elementwise "
                      "or free",
                      type, names.size(), names.size() == 1 ? "node" : "nodes", fmt::join(names.begin(), end, "', '"),
                      names.size() > shown ? ", ..." : ""));
    }
  }

  void mark_outputs() {
    bool found = false;
    for (const std::string& output : model_.outputs) {
      const auto value = state_.values.find(output);
      if (value == state_.values.end() || !value->second.is_active()) continue;
      state_.drafts[*value->second.draft].is_output = true;
      found = true;
    }
    if (!found) throw InputError(file(), "no output of the network depends on its input");
  }

  const OnnxModel& model_;
  const ImportOptions& options_;
  bool is_marked_;
  ImportState state_;
  ProblemList problems_;
  const OnnxInput* first_ = nullptr;
  std::optional<SampleTrace> trace_;
  /// Outputs of nodes that could not be read.
  std::unordered_set<std::string> lost_;
  std::map<std::string, std::vector<std::string>> unknown_;
};

}  // namespace

namespace {

/// Reading of a first dimension of this extent, found by tracing it through the network with some size for open
/// dimensions; none if the network cannot be traced.
std::optional<InputReading> traced(const OnnxModel& model, UnknownNodes unknown, std::int64_t extent) {
  constexpr std::array<std::int64_t, 3> image_sides{224, 64, 32};
  constexpr std::array<std::int64_t, 3> lengths{16, 128, 32};
  for (std::size_t i = 0; i < image_sides.size(); ++i) {
    ImportOptions options;
    options.image_px = image_sides[i];
    options.tokens = lengths[i];
    options.unknown = unknown;
    try {
      Importer importer(model, options);
      const SampleTrace& trace = importer.follow_samples(extent);
      importer.read_network();
      InputReading reading;
      const bool leads = std::ranges::any_of(model.outputs, [&](const auto& output) { return trace.leads(output); });
      reading.has_batch = trace.obstacle().empty() && leads;
      reading.samples = trace.axes();
      reading.note = reading.has_batch          ? "no operator combines its entries"
                     : trace.obstacle().empty() ? "no output leads with it"
                                                : trace.obstacle();
      return reading;
    } catch (const PointError&) {
    } catch (const InputError&) {
    }
    if (std::ranges::none_of(model.inputs, is_open)) break;
  }
  return std::nullopt;
}

std::string described(const OnnxInput& input, const InputReading& reading, std::string_view why) {
  const OnnxDimension& first = input.shape.front();
  const std::string extent = first.extent != 0 ? fmt::format("{}", first.extent) : fmt::format("'{}'", first.symbol);
  return fmt::format("first dimension of input '{}' ({}) {}: {}", input.name, extent,
                     reading.has_batch ? "is a batch, counted as 1" : "is data", why);
}

}  // namespace

InputReading read_inputs(const OnnxModel& model, const ReadingOptions& options) {
  const OnnxInput& input = model.inputs[data_inputs(model).front()];
  InputReading reading;
  if (input.shape.size() < 2 || !input.doc.empty()) return reading;
  const OnnxDimension& dimension = input.shape.front();
  if (options.first != FirstDimension::automatic) {
    reading.has_batch = options.first == FirstDimension::batch;
    reading.samples.extent = std::max<std::int64_t>(1, dimension.extent);
    if (const auto found = traced(model, options.unknown, reading.samples.extent); found && reading.has_batch) {
      reading.samples = found->samples;
    }
    reading.note = described(input, reading, "set by 'first_dimension'");
    return reading;
  }
  if (names_tokens(dimension.symbol)) {
    reading.has_batch = false;
    reading.note = described(input, reading, "by its name");
    return reading;
  }
  if (names_batch(dimension.symbol) || dimension.extent == 1) return reading;
  // A prime that is unlikely to divide any other extent of the network.
  constexpr std::int64_t probe = 13;
  const std::optional<InputReading> found =
      traced(model, options.unknown, dimension.extent == 0 ? probe : dimension.extent);
  if (found) reading = *found;
  reading.note = described(input, reading, found ? found->note : "its network cannot be followed");
  if (dimension.extent == 0) reading.samples = {};
  return reading;
}

InputExtents input_extents(const OnnxModel& model, const InputReading& reading) {
  InputExtents extents;
  const OnnxInput& input = model.inputs[data_inputs(model).front()];
  extents.is_sequence = !is_image(input);
  const std::size_t dimension = size_dimension(input, reading.has_batch);
  const std::int64_t extent = dimension < input.shape.size() ? input.shape[dimension].extent : 1;
  if (extent != 0) extents.size = extent;
  return extents;
}

namespace {

/// Exceeded limits are detected in functions that do not know the file's name.
template <typename Import>
auto with_file(const OnnxModel& model, Import import) {
  try {
    return import();
  } catch (const InputError& error) {
    ProblemList problems;
    problems.add_at({model.file, 0, 0}, error);
    problems.throw_if_any();
    throw;
  }
}

}  // namespace

void check_network(const OnnxModel& model, const ImportOptions& options) {
  const bool is_fixed = std::none_of(model.inputs.begin(), model.inputs.end(), is_open);
  if (is_fixed) {
    with_file(model, [&] { Importer(model, options).read_network(); });
  } else {
    Importer(model, options).check_types();
  }
}

OperatorGraph import_network(const OnnxModel& model, const ImportOptions& options) {
  return with_file(model, [&] { return Importer(model, options).run(); });
}

}  // namespace pimsweep::workload::import
