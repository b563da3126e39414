#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/config_folders.h"
#include "base/error.h"
#include "workload/model_file.h"

namespace pimsweep::workload {

/// Which file defines each name (of a model or a training step), and what is wrong in which file. A file with errors
/// breaks only the names that it cannot define.
class DefinitionIndex {
 public:
  struct File {
    std::string path;
    bool is_installed = false;
    std::string text;
    std::vector<Problem> problems;
  };
  /// Takes a definition; adds what is wrong in it to the problems.
  using Define = std::function<void(const ModelEntry& entry, ProblemList& problems)>;

  /// `what` stands for the kind of definitions in messages ("model").
  explicit DefinitionIndex(std::string what) : what_(std::move(what)) {}

  /// Reads the files of some folders. Names that are known already are left out, so that the first folder wins.
  void read(const std::vector<ConfigFolder>& folders, const Define& define);
  /// Reads a file given as its text.
  void read_text(const std::string& text, const std::string& path, const Define& define);

  /// The names that are defined without errors, in the order in which they were read.
  const std::vector<std::string>& names() const { return names_; }
  /// The file that defines a name, with or without errors; null if none does.
  const File* file_of(std::string_view name) const;
  /// The errors of the file that defines a name, if they concern the name; else none.
  std::vector<Problem> problems_of(std::string_view name) const;
  /// Throws InputError if errors keep a name from being defined.
  void require_sound(std::string_view name) const;
  /// For a message about an unknown name: "looked for in A, B; not read because of errors: FILE:3:1".
  std::string searched() const;
  /// The problems of all files.
  ProblemList problems() const;

 private:
  struct Definition {
    std::size_t file = 0;
    bool is_broken = false;
  };

  void read_folder(const ConfigFolder& folder, const Define& define);
  void read_kept(const ConfigFolder& folder, const Define& define);
  /// `folder_begin` is the first file of the folder of this file. Definitions other than `only` are left out, unless it
  /// is empty.
  void add_file(File file, std::size_t folder_begin, std::string_view only, const Define& define);
  void add_entry(const ModelEntry& entry, std::size_t file, std::size_t folder_begin, bool is_broken,
                 const Define& define);

  std::string what_;
  std::vector<ConfigFolder> folders_;
  std::vector<File> files_;
  std::vector<std::string> names_;
  std::map<std::string, Definition, std::less<>> definitions_;
};

}  // namespace pimsweep::workload
