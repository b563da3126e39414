#include "sweep/experiment_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <span>
#include <string_view>

#include "base/file_format.h"
#include "sweep/block_readers.h"
#include "sweep/setting_reader.h"

namespace pimsweep::sweep {

namespace {

/// Names are used as file names, HDF5 groups and command-line words.
bool is_identifier(std::string_view text) {
  const bool letters = std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '-';
  });
  return letters && text.find_first_not_of('.') != std::string_view::npos;
}

class Reader {
 public:
  Reader(const std::string& text, const std::string& file, ProblemList& problems)
      : file_(file), toml_(text, file, problems), settings_(toml_, lists_), problems_(problems) {}

  ExperimentFile read(const toml::table& root) {
    ExperimentFile experiment;
    // Other problems may be valid in the other format.
    if (!has_known_format(root, "experiment file", experiment_format, toml_)) return experiment;
    // Lists are read first, because studies above them may use them.
    if (const auto lists = root.find("lists"); lists != root.end()) {
      if (const auto* table = toml_.table(lists->first, lists->second, "a table [lists]")) lists_.read(toml_, *table);
    }
    toml_.entries(
        root, "an experiment file",
        {{"name", [&](const auto& key, const auto& node) { experiment.name = read_identifier(key, node).text; }},
         {"doc", [&](const auto& key, const auto& node) { experiment.doc = read_text(key, node).text; }},
         {"model_folders",
          [&](const auto& key, const auto& node) { experiment.model_folders = read_folders(key, node); }},
         {"hardware_folders",
          [&](const auto& key, const auto& node) { experiment.hardware_folders = read_folders(key, node); }},
         {"training_folders",
          [&](const auto& key, const auto& node) { experiment.training_folders = read_folders(key, node); }},
         {format_key, [](const auto&, const auto&) {}},
         {"lists", [](const auto&, const auto&) {}},
         {"include", [&](const auto& key, const auto& node) { experiment.includes = read_includes(key, node); }},
         {"study", [&](const auto& key, const auto& node) { experiment.studies = read_studies(key, node); }}});
    if (!root.contains("name")) problems_.add({file_, 0, 0}, "the experiment does not have a name: add name = \"...\"");
    if (!root.contains("study") && !root.contains("include"))
      problems_.add({file_, 0, 0}, "the experiment does not have a study: add at least one [[study]]");
    return experiment;
  }

  /// A key of `[[study]]` that is not an axis.
  struct StudyKey {
    std::string_view name;
    void (*read)(Reader& reader, StudyBlock& study, const toml::key& key, const toml::node& node);
  };

  static std::span<const StudyKey> study_key_table() {
    using Key = const toml::key&;
    using Node = const toml::node&;
    static constexpr std::array table{
        StudyKey{"id", [](Reader& r, StudyBlock& s, Key key, Node node) { s.id = r.read_id(key, node); }},
        StudyKey{"system", [](Reader& r, StudyBlock& s, Key key, Node node) { s.system = r.read_text(key, node); }},
        StudyKey{"doc", [](Reader& r, StudyBlock& s, Key key, Node node) { s.doc = r.read_text(key, node).text; }},
        StudyKey{"hardware",
                 [](Reader& r, StudyBlock& s, Key key, Node node) { s.hardware = r.settings_.hardware(key, node); }},
        StudyKey{"axes", [](Reader& r, StudyBlock& s, Key key, Node node) { s.axes = r.read_axes(key, node); }},
        StudyKey{"zip", [](Reader& r, StudyBlock& s, Key key, Node node) { s.zips = r.read_zips(key, node); }},
        StudyKey{"table", [](Reader& r, StudyBlock& s, Key key, Node node) { s.table = r.read_table(key, node); }},
        StudyKey{"sample",
                 [](Reader& r, StudyBlock& s, Key key, Node node) { s.sample = read_sample(key, node, r.settings_); }},
        StudyKey{"uncertainty", [](Reader& r, StudyBlock& s, Key key,
                                   Node node) { s.uncertainty = read_uncertainty(key, node, r.settings_); }},
        StudyKey{"calibration", [](Reader& r, StudyBlock& s, Key key,
                                   Node node) { s.calibration = read_calibration(key, node, r.settings_); }},
        StudyKey{"where", [](Reader& r, StudyBlock& s, Key key,
                             Node node) { s.conditions = r.settings_.conditions(key.str(), node); }},
        StudyKey{"derived",
                 [](Reader& r, StudyBlock& s, Key key, Node node) { s.derived = r.read_derived(key, node); }},
        StudyKey{"unknown_operators",
                 [](Reader& r, StudyBlock& s, Key key, Node node) { s.reading.unknown = r.read_unknown(key, node); }},
        StudyKey{"first_dimension", [](Reader& r, StudyBlock& s, Key key,
                                       Node node) { s.reading.first = r.read_first_dimension(key, node); }},
        StudyKey{"search", [](Reader& r, StudyBlock& s, Key key, Node node) {
                   // An axis may have the same name: only a table is a search.
                   if (node.is_table())
                     s.search = read_search(key, node, r.settings_);
                   else
                     s.fixed.push_back(r.settings_.fixed(key, node));
                 }}};
    return table;
  }

 private:
  PlacedText read_text(const toml::key& key, const toml::node& node) {
    return toml_.text(key, node).value_or(PlacedText{});
  }

  /// A folder or a list of them.
  std::vector<PlacedText> read_folders(const toml::key& key, const toml::node& node) {
    std::vector<const toml::node*> items{&node};
    if (NamedLists::is_list(node)) items = lists_.values(toml_, node);
    std::vector<PlacedText> folders;
    folders.reserve(items.size());
    for (const toml::node* item : items) {
      if (item == nullptr) continue;  // reported already
      if (std::optional<PlacedText> folder = toml_.nonempty_text(key, *item)) folders.push_back(std::move(*folder));
    }
    return folders;
  }

  PlacedText read_identifier(const toml::key& key, const toml::node& node) {
    PlacedText name = read_text(key, node);
    if (!name.is_given() || is_identifier(name.text)) return name;
    toml_.problem(node,
                  fmt::format("{} '{}' is not allowed: use letters, digits, '_', '.' and '-'", key.str(), name.text));
    return {};
  }

  workload::import::UnknownNodes read_unknown(const toml::key& key, const toml::node& node) {
    using workload::import::unknown_words;
    const PlacedText word = read_text(key, node);
    const auto value = value_of(unknown_words, word.text);
    if (word.is_given() && !value) {
      const std::vector<std::string> names = names_of(unknown_words);
      toml_.problem(node, fmt::format("invalid unknown_operators '{}'{}; allowed: {}", word.text,
                                      suggestion(word.text, names), fmt::join(names, ", ")));
    }
    return value.value_or(workload::import::UnknownNodes::refuse);
  }

  workload::import::FirstDimension read_first_dimension(const toml::key& key, const toml::node& node) {
    using workload::import::first_dimension_words;
    const PlacedText word = read_text(key, node);
    const auto value = value_of(first_dimension_words, word.text);
    if (word.is_given() && !value) {
      const std::vector<std::string> names = names_of(first_dimension_words);
      toml_.problem(node, fmt::format("'{}' is not a reading of the first dimension{}; allowed: {}", word.text,
                                      suggestion(word.text, names), fmt::join(names, ", ")));
    }
    return value.value_or(workload::import::FirstDimension::automatic);
  }

  std::vector<StudyBlock> read_studies(const toml::key& key, const toml::node& node) {
    if (const toml::array* list = node.as_array(); list != nullptr && list->empty()) {
      toml_.problem(node, "the experiment does not have a study: add at least one [[study]]");
    }
    std::vector<StudyBlock> studies;
    for (const toml::table* table : toml_.tables(key, node, "[[study]] blocks")) studies.push_back(read_study(*table));
    return studies;
  }

  std::vector<IncludeBlock> read_includes(const toml::key& key, const toml::node& node) {
    std::vector<IncludeBlock> includes;
    for (const toml::table* table : toml_.tables(key, node, "[[include]] blocks"))
      includes.push_back(read_include(*table));
    return includes;
  }

  IncludeBlock read_include(const toml::table& table) {
    IncludeBlock include;
    include.where = toml_.at(table);
    toml_.entries(
        table, "an include",
        {{"experiment", [&](const auto& key, const auto& node) { include.experiment = read_neighbor(key, node); }},
         {"studies", [&](const auto& key, const auto& node) { include.studies = settings_.columns(key, node); }},
         {"uncertainty",
          [&](const auto& key, const auto& node) { include.uncertainty = read_uncertainty(key, node, settings_); }}});
    if (!table.contains("experiment"))
      problems_.add(include.where,
                    "[[include]] does not name a file of the same folder: add experiment = \"other.toml\"");
    return include;
  }

  /// The name of a file in the folder of this one, so that both resolve relative paths in the same way.
  PlacedText read_neighbor(const toml::key& key, const toml::node& node) {
    PlacedText name = read_identifier(key, node);
    const bool is_itself = std::filesystem::path(file_).filename() == name.text;
    if (name.is_given() && is_itself) toml_.problem(node, "an experiment cannot include itself");
    return is_itself ? PlacedText{} : name;
  }

  StudyBlock read_study(const toml::table& table) {
    StudyBlock study;
    study.where = toml_.at(table);
    std::vector<TomlReader::Key> keys;
    for (const StudyKey& known : study_key_table()) {
      keys.push_back(
          {known.name, [&, read = known.read](const auto& key, const auto& node) { read(*this, study, key, node); }});
    }
    toml_.entries(table, "a study", keys,
                  [&](const auto& key, const auto& node) { study.fixed.push_back(settings_.fixed(key, node)); });
    for (const char* needed : {"id", "system"}) {
      if (!table.contains(needed)) report_missing(study, needed);
    }
    return study;
  }

  /// Reports a key that a study needs, at the key that is probably a misspelling of it.
  void report_missing(const StudyBlock& study, const std::string& needed) {
    for (const AxisSetting& setting : study.fixed) {
      if (!nearest_name(setting.name, std::span(&needed, 1)).empty()) {
        problems_.add(setting.where, fmt::format("unknown key '{}' (did you mean '{}'?)", setting.name, needed));
        return;
      }
    }
    problems_.add(study.where, fmt::format("the study does not have '{0}': add {0} = \"...\"", needed));
  }

  PlacedText read_id(const toml::key& key, const toml::node& node) {
    PlacedText id = read_identifier(key, node);
    if (id.text == "provenance") {
      toml_.problem(node, "a study cannot be called 'provenance': results files use that name");
    }
    return id;
  }

  std::vector<AxisSetting> read_axes(const toml::key& key, const toml::node& node) {
    std::vector<AxisSetting> axes;
    const toml::table* table = toml_.table(key, node, "a table [study.axes]");
    if (table == nullptr) return axes;
    for (const auto& [axis, values] : in_file_order(*table)) axes.push_back(settings_.list_or_value(*axis, *values));
    return axes;
  }

  std::vector<DerivedSetting> read_derived(const toml::key& key, const toml::node& node) {
    std::vector<DerivedSetting> derived;
    const toml::table* table = toml_.table(key, node, "a table [study.derived]");
    if (table == nullptr) return derived;
    for (const auto& [name, value] : in_file_order(*table)) {
      if (std::optional<PlacedText> text = toml_.placed_string(*value)) {
        derived.push_back({std::string(name->str()), toml_.at(*name), std::move(*text)});
      } else {
        toml_.problem(*value, fmt::format("'{}': expected an expression in quotes, as in \"time * energy\", got {}",
                                          name->str(), describe(*value)));
      }
    }
    return derived;
  }

  std::vector<ZipBlock> read_zips(const toml::key& key, const toml::node& node) {
    std::vector<ZipBlock> zips;
    for (const toml::table* table : toml_.tables(key, node, "[[study.zip]] blocks")) zips.push_back(read_zip(*table));
    return zips;
  }

  ZipBlock read_zip(const toml::table& table) {
    ZipBlock zip{toml_.at(table), {}};
    std::vector<std::string> lengths;
    bool equal = true;
    std::optional<std::size_t> common;
    for (const auto& [key, node] : in_file_order(table)) {
      zip.settings.push_back(settings_.list(*key, *node));
      if (!zip.settings.back().malformed.empty()) continue;
      const std::size_t length = zip.settings.back().entries.size();
      lengths.push_back(fmt::format("'{}' has {}", key->str(), length));
      equal = equal && length == common.value_or(length);
      common = length;
    }
    if (table.empty()) problems_.add(zip.where, "[[study.zip]] does not set any axis");
    if (!equal) {
      problems_.add(zip.where,
                    fmt::format("the lists of a [[study.zip]] must be equally long: {}", fmt::join(lengths, ", ")));
    }
    return zip;
  }

  TableBlock read_table(const toml::key& key, const toml::node& node) {
    TableBlock block;
    const toml::table* table = toml_.table(key, node, "a table [study.table]");
    if (table == nullptr) return block;
    const auto columns = [&](std::vector<PlacedText>& names) {
      return [&](const toml::key& list, const toml::node& value) { names = settings_.columns(list, value); };
    };
    toml_.entries(*table, "[study.table]",
                  {{"csv", [&](const auto& name, const auto& value) { block.csv = read_text(name, value); }},
                   {"labels", columns(block.labels)},
                   {"reference", columns(block.reference)},
                   {"ignore", columns(block.ignore)}});
    if (!table->contains("csv")) toml_.problem(*table, "[study.table] does not name a file: add csv = \"points.csv\"");
    return block;
  }

  const std::string& file_;
  TomlReader toml_;
  NamedLists lists_;
  SettingReader settings_;
  ProblemList& problems_;
};

}  // namespace

void check_study_ids(const std::vector<StudyBlock>& studies, ProblemList& problems) {
  std::map<std::string, SourcePosition> ids;
  for (const StudyBlock& study : studies) {
    if (!study.id.is_given()) continue;
    const auto [first, added] = ids.emplace(study.id.text, study.id.where);
    if (added) continue;
    problems.add(study.id.where,
                 fmt::format("study id '{}' is used twice: first at {}", study.id.text, first->second.text()));
  }
}

ExperimentFile read_experiment(const std::string& text, const std::string& file, ProblemList& problems) {
  const toml::table root = parse_toml(text, file);
  return Reader(text, file, problems).read(root);
}

const std::vector<std::string>& study_keys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> names;
    for (const auto& key : Reader::study_key_table()) names.emplace_back(key.name);
    return names;
  }();
  return keys;
}

}  // namespace pimsweep::sweep
