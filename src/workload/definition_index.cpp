#include "workload/definition_index.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/posix_file.h"

namespace pimsweep::workload {

void DefinitionIndex::read(const std::vector<ConfigFolder>& folders, const Define& define) {
  for (const ConfigFolder& folder : folders) {
    folders_.push_back(folder);
    if (folder.kept.empty()) {
      read_folder(folder, define);
    } else {
      read_kept(folder, define);
    }
  }
}

void DefinitionIndex::read_folder(const ConfigFolder& folder, const Define& define) {
  const std::size_t begin = files_.size();
  std::vector<std::string> paths;
  try {
    paths = toml_files(folder.path, what_);
  } catch (const InputError& error) {
    files_.push_back({folder.path, folder.is_installed, {}, error.problems()});
  }
  for (const std::string& path : paths) {
    try {
      add_file({path, folder.is_installed, read_file(path), {}}, begin, {}, define);
    } catch (const InputError& error) {
      files_.push_back({path, folder.is_installed, {}, error.problems()});
    }
  }
}

void DefinitionIndex::read_kept(const ConfigFolder& folder, const Define& define) {
  const std::size_t begin = files_.size();
  for (const auto& [name, text] : folder.kept) {
    add_file({fmt::format("{} ({} {})", folder.path, what_, name), folder.is_installed, text, {}}, begin, name, define);
  }
}

void DefinitionIndex::read_text(const std::string& text, const std::string& path, const Define& define) {
  add_file({path, false, text, {}}, files_.size(), {}, define);
}

void DefinitionIndex::add_file(File file, std::size_t folder_begin, std::string_view only, const Define& define) {
  ProblemList problems;
  std::vector<ModelEntry> entries = parse_model_file(file.text, file.path, problems);
  if (!only.empty()) std::erase_if(entries, [&](const ModelEntry& entry) { return entry.name != only; });
  // What is wrong outside the definitions may concern each of them.
  const bool is_broken = !problems.empty();
  files_.push_back(std::move(file));
  const std::size_t index = files_.size() - 1;
  files_[index].problems = problems.problems();
  for (const ModelEntry& entry : entries) add_entry(entry, index, folder_begin, is_broken, define);
}

void DefinitionIndex::add_entry(const ModelEntry& entry, std::size_t file, std::size_t folder_begin, bool is_broken,
                                const Define& define) {
  ProblemList problems;
  const auto known = definitions_.find(entry.name);
  if (known == definitions_.end()) {
    define(entry, problems);
  } else if (known->second.file >= folder_begin) {
    problems.add(entry.where, fmt::format("a second {} is called '{}'", what_, entry.name));
    std::erase(names_, entry.name);
  } else {
    return;  // an earlier folder has the name
  }
  const bool is_sound = !is_broken && problems.empty();
  definitions_[entry.name] = {file, !is_sound};
  if (is_sound) names_.push_back(entry.name);
  std::vector<Problem>& all = files_[file].problems;
  all.insert(all.end(), problems.problems().begin(), problems.problems().end());
}

const DefinitionIndex::File* DefinitionIndex::file_of(std::string_view name) const {
  const auto found = definitions_.find(name);
  return found == definitions_.end() ? nullptr : &files_[found->second.file];
}

std::vector<Problem> DefinitionIndex::problems_of(std::string_view name) const {
  const auto found = definitions_.find(name);
  if (found == definitions_.end() || !found->second.is_broken) return {};
  return files_[found->second.file].problems;
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
  for (const File& file : files_) {
    if (file.problems.empty()) continue;
    const std::string place = file.problems.front().where.text();
    unread.push_back(place.empty() ? file.path : place);
  }
  if (!unread.empty()) text += fmt::format("; not read because of errors: {}", fmt::join(unread, ", "));
  return text;
}

ProblemList DefinitionIndex::problems() const {
  ProblemList problems;
  for (const File& file : files_) {
    for (const Problem& problem : file.problems) problems.add(problem.where, problem.message);
  }
  return problems;
}

}  // namespace pimsweep::workload
