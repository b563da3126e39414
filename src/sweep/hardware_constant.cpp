#include "sweep/hardware_constant.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/quantity.h"
#include "sweep/axis_value.h"

namespace pimsweep::sweep {

namespace {

/// Ranges with a larger ratio of their ends are sampled on a logarithmic scale.
constexpr double widest_linear = 3;
/// The distribution of model errors: `low` and `high` are its 5 % and 95 % quantiles.
constexpr std::string_view log_normal_word = "log-normal";

class ConstantReader {
 public:
  ConstantReader(const std::string& path, const systems::Axis& axis, const toml::table& table,
                 const SourcePosition& where, TomlReader& reader)
      : path_(path), axis_(axis), table_(table), where_(where), reader_(reader) {}

  HardwareConstant read() {
    constant_.where = where_;
    const auto text_to = [this](std::string& text) {
      return [this, &text](const toml::key& key, const toml::node& node) {
        text = reader_.nonempty_text(key, node).value_or(PlacedText{}).text;
      };
    };
    const auto value_to = [this](std::optional<Entry>& entry) {
      return [this, &entry](const toml::key&, const toml::node& node) { entry = read_value(node); };
    };
    std::string note;
    reader_.entries(table_, fmt::format("[{}]", path_),
                    {{"value", value_to(value_)},
                     {"source", text_to(constant_.source)},
                     {"basis", [this](const auto& key, const auto& node) { read_basis(key, node); }},
                     {"calibrated", [this](const auto& key, const auto& node) { read_calibrated(key, node); }},
                     {"low", value_to(low_)},
                     {"high", value_to(high_)},
                     {"alternatives", [this](const auto& key, const auto& node) { read_alternatives(key, node); }},
                     {"distribution", [this](const auto& key, const auto& node) { read_distribution(key, node); }},
                     {"range", text_to(range_source_)},
                     {"tied", text_to(tied_)},
                     {"note", text_to(note)}});
    if (!table_.contains("value")) missing("value");
    if (!table_.contains("source")) missing("source, the origin of the number");
    if (value_ && value_->value) constant_.value = *value_->value;
    if (constant_.basis == Basis::document && !constant_.calibrated_to.empty()) constant_.basis = Basis::calibrated;
    check_basis();
    if (has_range()) read_range();
    return std::move(constant_);
  }

 private:
  /// A value as read, and in SI units; empty if the axis does not accept it (reported).
  struct Entry {
    std::optional<Value> value;
    std::optional<Value> read;
    SourcePosition where;
  };

  void missing(std::string_view what) {
    reader_.problems().add(where_, fmt::format("[{}] does not have {}", path_, what));
  }

  Entry read_value(const toml::node& node) {
    Entry entry{{}, scalar_of(node), reader_.at(node)};
    if (!entry.read) {
      reader_.problem(node, fmt::format("'{}': expected one value, got {}", axis_.name, describe(node)));
      return entry;
    }
    try {
      entry.value = convert_value(axis_, *entry.read);
    } catch (const InputError& error) {
      reader_.problem(node, error.what());
    }
    return entry;
  }

  void read_basis(const toml::key& key, const toml::node& node) {
    const std::vector<std::string> allowed = names_of(basis_words);
    if (const auto word = reader_.word(key, node, "basis of a constant", allowed))
      constant_.basis = *value_of(basis_words, word->text);
  }

  void read_calibrated(const toml::key& key, const toml::node& node) {
    const auto add = [&](const toml::node& id) {
      const auto* text = id.as_string();
      if (text != nullptr && !text->get().empty()) {
        constant_.calibrated_to.push_back(text->get());
      } else {
        reader_.problem(id, fmt::format("'{}': expected the ids of published values, got {}", key.str(), describe(id)));
      }
    };
    const toml::array* ids = node.as_array();
    if (ids == nullptr) {
      add(node);
      return;
    }
    if (ids->empty()) reader_.problem(node, "'calibrated' needs at least one id of a published value");
    for (const toml::node& id : *ids) add(id);
  }

  void read_distribution(const toml::key& key, const toml::node& node) {
    static const std::vector<std::string> allowed{std::string(log_normal_word)};
    if (const auto word = reader_.word(key, node, "distribution", allowed)) log_normal_ = word->where;
  }

  void read_alternatives(const toml::key& key, const toml::node& node) {
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty()) {
      reader_.problem(node, fmt::format("'{}': expected a list of values, got {}", key.str(), describe(node)));
      return;
    }
    for (const toml::node& item : *list) alternatives_.push_back(read_value(item));
  }

  std::string shown(const Value& value) const {
    const ValueType type = type_of(value);
    if (type != ValueType::integer && type != ValueType::real) return to_text(value);
    return format_quantity(to_real(value), axis_.unit);
  }

  bool has_range() const {
    return table_.contains("low") || table_.contains("high") || table_.contains("alternatives");
  }

  void check_basis() {
    const bool uncertain = constant_.basis == Basis::assumed || constant_.basis == Basis::calibrated;
    if (uncertain && table_.contains("basis") && !has_range())
      missing(fmt::format("a range (low and high, or alternatives), although its value is {}",
                          word_of(basis_words, constant_.basis)));
    if (constant_.basis == Basis::document && has_range())
      missing("a basis of \"assumed\", \"calibrated\" or \"derived\": only such values may have a range");
    for (const char* key : {"range", "tied", "distribution"}) {
      if (table_.contains(key) && !has_range())
        reader_.problems().add(where_,
                               fmt::format("[{}] has '{}', but neither low and high nor alternatives", path_, key));
    }
  }

  void read_range() {
    if (!table_.contains("range")) missing("'range', the source of its range");
    const bool is_list = table_.contains("alternatives");
    if (is_list && log_normal_)
      reader_.problems().add(*log_normal_, "a list of alternatives cannot have a distribution");
    if (is_list && (table_.contains("low") || table_.contains("high"))) {
      reader_.problems().add(where_, fmt::format("[{}] has both low or high and alternatives", path_));
      return;
    }
    std::optional<SampleRange> range = is_list ? list_range() : interval();
    if (range) constant_.uncertainty = {std::move(*range), range_source_, tied_};
  }

  /// The value and its alternatives, each once.
  std::optional<SampleRange> list_range() {
    std::vector<Value> values;
    if (!value_ || !value_->value) return std::nullopt;
    values.push_back(*value_->value);
    for (const Entry& entry : alternatives_) {
      if (!entry.value) return std::nullopt;
      if (std::ranges::find(values, *entry.value) != values.end()) {
        reader_.problems().add(
            entry.where, fmt::format("[{}] has {} twice among its value and alternatives", path_, shown(*entry.value)));
        return std::nullopt;
      }
      values.push_back(*entry.value);
    }
    return values;
  }

  std::optional<SampleRange> interval() {
    if (!low_ || !high_) {
      missing("both low and high");
      return std::nullopt;
    }
    RangeSetting setting;
    setting.axis.name = axis_.name;
    setting.axis.where = where_;
    setting.is_range = true;
    if (!low_->value || !high_->value || !value_ || !value_->value) return std::nullopt;
    const bool numbers = axis_.type == ValueType::integer || axis_.type == ValueType::real;
    if (numbers && !check_order()) return std::nullopt;
    if (log_normal_) return log_normal_range();
    // Around zero only a linear scale is possible.
    setting.logarithmic =
        numbers && to_real(*low_->value) > 0 && to_real(*high_->value) > widest_linear * to_real(*low_->value);
    setting.from = AxisEntry{low_->read, low_->where};
    setting.to = AxisEntry{high_->read, high_->where};
    return make_range(axis_, setting, reader_.problems());
  }

  std::optional<SampleRange> log_normal_range() {
    if (axis_.type != ValueType::real || to_real(*low_->value) <= 0) {
      reader_.problems().add(
          *log_normal_,
          fmt::format("[{}]: a log-normal distribution requires a real number and low above zero", path_));
      return std::nullopt;
    }
    const LogNormal range = log_normal(to_real(*low_->value), to_real(*high_->value));
    if (range.scale.from <= 0 || !std::isfinite(range.scale.to)) {
      reader_.problems().add(*log_normal_, fmt::format("[{}]: the distribution is too wide", path_));
      return std::nullopt;
    }
    try {
      // Its ends lie beyond low and high.
      check_resolved(axis_, range.scale.from);
      check_resolved(axis_, range.scale.to);
    } catch (const InputError& error) {
      reader_.problems().add(*log_normal_, fmt::format("[{}]: an end of the distribution: {}", path_, error.what()));
      return std::nullopt;
    }
    return range;
  }

  bool check_order() {
    const double value = to_real(*value_->value);
    const double low = to_real(*low_->value);
    const double high = to_real(*high_->value);
    const auto misplaced = [&](const Entry& end, std::string_view what, const Value& read) {
      reader_.problems().add(end.where,
                             fmt::format("[{}]: {} {} the value {}", path_, shown(read), what, shown(*value_->value)));
      return false;
    };
    if (low > value) return misplaced(*low_, "is low, but above", *low_->value);
    if (high < value) return misplaced(*high_, "is high, but below", *high_->value);
    if (low == high) return misplaced(*high_, "is low and high at once, as is", *high_->value);
    if (low > 0 || high <= widest_linear * low || value == 0 || log_normal_) return true;
    reader_.problems().add(low_->where,
                           fmt::format("[{}]: low must be above zero where high is more than {} times as large, "
                                       "because such a range is sampled on a logarithmic scale",
                                       path_, widest_linear));
    return false;
  }

  const std::string& path_;
  const systems::Axis& axis_;
  const toml::table& table_;
  const SourcePosition& where_;
  TomlReader& reader_;
  HardwareConstant constant_;
  std::optional<Entry> value_;
  std::optional<Entry> low_;
  std::optional<Entry> high_;
  std::vector<Entry> alternatives_;
  /// Position at which the file sets a log-normal distribution.
  std::optional<SourcePosition> log_normal_;
  std::string range_source_;
  std::string tied_;
};

}  // namespace

HardwareConstant read_hardware_constant(const std::string& path, const systems::Axis& axis, const toml::table& table,
                                        const SourcePosition& where, TomlReader& reader) {
  return ConstantReader(path, axis, table, where, reader).read();
}

}  // namespace pimsweep::sweep
