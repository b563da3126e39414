#include "commands/complete.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "base/words.h"

namespace pimsweep::commands {

namespace {

/// Completion of argument values, by the type names in the help.
constexpr std::array value_kinds{
    Word{"COMMAND", std::string_view("commands")},   Word{"ID", std::string_view("studies")},
    Word{"METRIC", std::string_view("columns")},     Word{"AXIS", std::string_view("columns")},
    Word{"COLUMN", std::string_view("columns")},     Word{"COLUMNS", std::string_view("columns")},
    Word{"WHAT", std::string_view("subjects")},      Word{"NAME", std::string_view("names")},
    Word{"SYSTEM", std::string_view("systems")},     Word{"NAME|FILE", std::string_view("models")},
    Word{"STEP", std::string_view("steps")},         Word{"FILE", std::string_view(":file *")},
    Word{"RESULTS", std::string_view(":file *.h5")}, Word{"JOURNALS", std::string_view(":file *")},
    Word{"PATH", std::string_view(":file *")},       Word{"DIR", std::string_view(":file *")}};

/// "N" of "N:INT in [1 - 10]".
std::string type_word(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

/// The words of "TEXT:{bar,plain,none}"; empty for other types.
std::vector<std::string> option_choices(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find('{');
  const std::size_t end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  std::istringstream words(type.substr(begin + 1, end - begin - 1));
  std::vector<std::string> choices;
  for (std::string word; std::getline(words, word, ',');) choices.push_back(word);
  return choices;
}

bool is_hidden(const CLI::Option& option) { return option.get_group().empty(); }

class Completion {
 public:
  Completion(const CLI::App& app, const std::vector<std::string>& words) : app_(app), words_(words), command_(&app) {
    for (std::size_t i = 1; i + 1 < words.size(); ++i) read(words[i]);
  }

  std::vector<std::string> result() {
    if (pending_ != nullptr) {
      add_values(*pending_);
    } else if (words_.back().starts_with('-')) {
      add_options();
    } else {
      if (command_ == &app_ && positionals_ == 0) add_commands();
      if (const CLI::Option* positional = next_positional()) add_values(*positional);
    }
    return std::move(found_);
  }

 private:
  /// Follows the parser through one of the words before the last one.
  void read(const std::string& word) {
    if (pending_ != nullptr) {
      pending_ = nullptr;
    } else if (word.starts_with('-')) {
      const CLI::Option* option = command_->get_option_no_throw(word);
      if (option != nullptr && option->get_items_expected_max() > 0) pending_ = option;
    } else if (const CLI::App* command = command_ == &app_ && positionals_ == 0 ? find_command(word) : nullptr) {
      command_ = command;
    } else {
      ++positionals_;
    }
  }

  const CLI::App* find_command(const std::string& word) const {
    const std::vector<const CLI::App*> found =
        app_.get_subcommands([&](const CLI::App* command) { return command->get_name() == word; });
    return found.empty() ? nullptr : found.front();
  }

  /// The one that the last word belongs to; the last positional takes all further words if it may be several.
  const CLI::Option* next_positional() const {
    std::size_t before = positionals_;
    for (const CLI::Option* option : command_->get_options()) {
      if (!option->get_positional()) continue;
      const auto count = static_cast<std::size_t>(option->get_items_expected_max());
      if (before < count) return option;
      before -= count;
    }
    return nullptr;
  }

  void add(const std::string& word, const std::string& meaning) {
    if (word.starts_with(words_.back())) found_.push_back(meaning.empty() ? word : word + "\t" + meaning);
  }

  void add_options() {
    for (const CLI::Option* option : command_->get_options()) {
      if (is_hidden(*option)) continue;
      for (const std::string& name : option->get_lnames()) add("--" + name, option->get_description());
      for (const std::string& name : option->get_snames()) add("-" + name, option->get_description());
    }
  }

  void add_commands() {
    for (const std::string& name : command_names(app_)) add(name, app_.get_subcommand(name)->get_description());
  }

  void add_values(const CLI::Option& option) {
    for (const std::string& choice : option_choices(option)) add(choice, "");
    const std::string type = type_word(option);
    const std::string_view kind = value_of(value_kinds, type).value_or("");
    if (kind == "commands") return add_commands();
    // Experiment files are the only ones without a type of their own.
    if (kind.starts_with(':'))
      return found_.push_back(option.get_name() == "experiment" ? ":file *.toml" : std::string(kind));
    for (const std::string& value : values_of(kind, words_)) add(value, "");
    if (type == "NAME|FILE") found_.push_back(":file *");
  }

  const CLI::App& app_;
  const std::vector<std::string>& words_;
  const CLI::App* command_;
  /// The option that the next word is a value of.
  const CLI::Option* pending_ = nullptr;
  std::size_t positionals_ = 0;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> complete(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.size() < 2) return {};
  return Completion(app, words).result();
}

}  // namespace pimsweep::commands
