#include "workload/definition_index.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/posix_file.h"

namespace pimsweep::workload {

void DefinitionIndex::read(const std::vector<ConfigFolder>& folders, Installed installed) {
  for (const ConfigFolder& folder : folders) {
    folders_.push_back(folder);
    if (folder.kept.empty()) {
      read_folder(folder, installed == Installed::at_once || !folder.is_installed);
    } else {
      read_kept(folder);
    }
  }
}

void DefinitionIndex::read_folder(const ConfigFolder& folder, bool at_once) {
  const std::size_t begin = files_.size();
  std::vector<std::string> paths;
  try {
    paths = toml_files(folder.path, what_);
  } catch (const InputError& error) {
    files_.push_back({folder.path, folder.is_installed, {}, error.problems()});
  }
  for (const std::string& path : paths) {
    try {
      add_file({path, folder.is_installed, read_file(path), {}}, begin, {}, at_once);
    } catch (const InputError& error) {
      files_.push_back({path, folder.is_installed, {}, error.problems()});
    }
  }
}

void DefinitionIndex::read_kept(const ConfigFolder& folder) {
  const std::size_t begin = files_.size();
  for (const auto& [name, text] : folder.kept) {
    add_file({fmt::format("{} ({} {})", folder.path, what_, name), folder.is_installed, text, {}}, begin, name, true);
  }
}

void DefinitionIndex::read_text(const std::string& text, const std::string& path) {
  add_file({path, false, text, {}}, files_.size(), {}, true);
}

void DefinitionIndex::add_file(File file, std::size_t folder_begin, std::string_view only, bool at_once) {
  ProblemList problems;
  std::vector<ModelEntry> entries = parse_model_file(file.text, file.path, problems);
  if (!only.empty()) std::erase_if(entries, [&](const ModelEntry& entry) { return entry.name != only; });
  file.problems = problems.problems();
  files_.push_back(std::move(file));
  for (ModelEntry& entry : entries) add_definition(std::move(entry), folder_begin, at_once);
}

void DefinitionIndex::add_definition(ModelEntry entry, std::size_t folder_begin, bool at_once) {
  const Definition* known = find(entry.name);
  if (known != nullptr && known->file < folder_begin) return;  // an earlier folder has the name
  Definition& added = all_.emplace_back(std::move(entry), files_.size() - 1);
  const std::string& name = added.entry.name;
  added.is_second = known != nullptr;
  definitions_[name] = &added;
  if (added.is_second) std::erase(names_, name);
  if (at_once || added.is_second ? is_sound(added) : files_[added.file].problems.empty()) names_.push_back(name);
}

const DefinitionIndex::Definition* DefinitionIndex::find(std::string_view name) const {
  const auto found = definitions_.find(name);
  return found == definitions_.end() ? nullptr : found->second;
}

bool DefinitionIndex::is_sound(const Definition& definition) const {
  std::call_once(definition.read, [&] {
    ProblemList problems;
    if (definition.is_second) {
      problems.add(definition.entry.where, fmt::format("a second {} is called '{}'", what_, definition.entry.name));
    } else {
      define_(definition.entry, problems);
    }
    definition.problems = problems.problems();
  });
  return definition.problems.empty() && files_[definition.file].problems.empty();
}

std::vector<Problem> DefinitionIndex::problems_in(std::size_t file) const {
  std::vector<Problem> problems = files_[file].problems;
  for (const Definition& definition : all_) {
    if (definition.file != file) continue;
    is_sound(definition);
    problems.insert(problems.end(), definition.problems.begin(), definition.problems.end());
  }
  return problems;
}

std::vector<std::string> DefinitionIndex::sound_names() const {
  std::vector<std::string> names = names_;
  std::erase_if(names, [&](const std::string& name) { return !is_sound(*find(name)); });
  return names;
}

const DefinitionIndex::File* DefinitionIndex::file_of(std::string_view name) const {
  const Definition* definition = find(name);
  return definition == nullptr ? nullptr : &files_[definition->file];
}

std::string_view DefinitionIndex::family_of(std::string_view name) const {
  const Definition* definition = find(name);
  return definition == nullptr ? std::string_view() : definition->entry.family;
}

std::vector<Problem> DefinitionIndex::problems_of(std::string_view name) const {
  const Definition* definition = find(name);
  if (definition == nullptr || is_sound(*definition)) return {};
  return problems_in(definition->file);
}

void DefinitionIndex::require_sound(std::string_view name) const {
  ProblemList problems;
  const std::vector<Problem> found = problems_of(name);
  if (found.empty()) return;
  problems.add({}, fmt::format("{} '{}' cannot be used because of errors in its file:", what_, name));
  for (const Problem& problem : found) problems.add(problem.where, problem.message);
  problems.throw_if_any();
}

std::string DefinitionIndex::searched() const {
  std::string text = fmt::format("looked for in {}", joined_paths(folders_));
  std::vector<std::string> unread;
  for (std::size_t file = 0; file < files_.size(); ++file) {
    const std::vector<Problem> problems = problems_in(file);
    if (problems.empty()) continue;
    const std::string place = problems.front().where.text();
    unread.push_back(place.empty() ? files_[file].path : place);
  }
  if (!unread.empty()) text += fmt::format("; not read because of errors: {}", fmt::join(unread, ", "));
  return text;
}

ProblemList DefinitionIndex::problems(bool only_own) const {
  ProblemList problems;
  for (std::size_t file = 0; file < files_.size(); ++file) {
    if (only_own && files_[file].is_installed) continue;
    for (const Problem& problem : problems_in(file)) problems.add(problem.where, problem.message);
  }
  return problems;
}

}  // namespace pimsweep::workload
