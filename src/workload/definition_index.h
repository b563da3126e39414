#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
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
    /// Problems outside its definitions; they may concern each of them.
    std::vector<Problem> problems;
  };
  /// Takes a definition; adds what is wrong in it to the problems. Called once for each, by one thread at a time for
  /// the same definition.
  using Define = std::function<void(const ModelEntry& entry, ProblemList& problems)>;
  /// When definitions of folders that came with the program are read, which are taken to be sound until then. Those of
  /// other folders always are at once.
  enum class Installed : std::uint8_t { at_once, when_used };

  /// `what` stands for the kind of definitions in messages ("model").
  DefinitionIndex(std::string what, Define define) : what_(std::move(what)), define_(std::move(define)) {}

  /// Reads the files of some folders. Names that are known already are left out, so that the first folder wins.
  void read(const std::vector<ConfigFolder>& folders, Installed installed);
  /// Reads a file given as its text.
  void read_text(const std::string& text, const std::string& path);

  /// The names that are defined without errors, in the order in which they were read; those too that are read when they
  /// are used.
  const std::vector<std::string>& names() const { return names_; }
  /// The names without those that turn out to have errors; reads all definitions.
  std::vector<std::string> sound_names() const;
  /// The file that defines a name, with or without errors; null if none does.
  const File* file_of(std::string_view name) const;
  /// The family that the definition of a name has, known or not; empty if none is called so.
  std::string_view family_of(std::string_view name) const;
  /// The errors of the file that defines a name, if they concern the name; else none.
  std::vector<Problem> problems_of(std::string_view name) const;
  /// Reads the definition of a name if there is one. Throws InputError if errors keep it from being defined.
  void require_sound(std::string_view name) const;
  /// For a message about an unknown name: "looked for in A, B; not read because of errors: FILE:3:1".
  std::string searched() const;
  /// The problems of all files.
  ProblemList problems() const;

 private:
  struct Definition {
    Definition(ModelEntry its_entry, std::size_t its_file) : entry(std::move(its_entry)), file(its_file) {}

    ModelEntry entry;
    std::size_t file;
    bool is_second = false;
    mutable std::once_flag read;
    mutable std::vector<Problem> problems;
  };

  void read_folder(const ConfigFolder& folder, bool at_once);
  void read_kept(const ConfigFolder& folder);
  /// `folder_begin` is the first file of the folder of this file. Definitions other than `only` are left out, unless it
  /// is empty.
  void add_file(File file, std::size_t folder_begin, std::string_view only, bool at_once);
  void add_definition(ModelEntry entry, std::size_t folder_begin, bool at_once);
  const Definition* find(std::string_view name) const;
  /// Whether a definition has no errors; reads it.
  bool is_sound(const Definition& definition) const;
  /// Those outside its definitions, then those of each of them.
  std::vector<Problem> problems_in(std::size_t file) const;

  std::string what_;
  Define define_;
  std::vector<ConfigFolder> folders_;
  std::vector<File> files_;
  std::vector<std::string> names_;
  /// In the order of the files.
  std::deque<Definition> all_;
  /// The last definition of each name in the first folder that has it.
  std::map<std::string, const Definition*, std::less<>> definitions_;
};

}  // namespace pimsweep::workload
