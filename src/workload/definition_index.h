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

/// Index of the files that define each name (of a model or a training step), with the problems of each file. A file
/// with errors makes only those names unavailable that it cannot define.
class DefinitionIndex {
 public:
  struct File {
    std::string path;
    bool is_installed = false;
    std::string text;
    /// Problems outside its definitions; any of the definitions may be affected.
    std::vector<Problem> problems;
  };
  /// Parses a definition and adds its problems. Called once per definition, by one thread at a time for the same
  /// definition.
  using Define = std::function<void(const ModelEntry& entry, ProblemList& problems)>;
  /// Time at which definitions of folders installed with the program are parsed; they are assumed to be valid until
  /// then. Definitions of other folders are always parsed at once.
  enum class Installed : std::uint8_t { at_once, when_used };

  /// `what` names the kind of definitions in messages ("model").
  DefinitionIndex(std::string what, Define define) : what_(std::move(what)), define_(std::move(define)) {}

  /// Reads the files of some folders. Names that are already known are skipped, so the first folder takes precedence.
  void read(const std::vector<ConfigFolder>& folders, Installed installed);
  /// Reads a file given as its text.
  void read_text(const std::string& text, const std::string& path);

  /// The names defined without errors, in the order in which they were read, including names that have not been parsed
  /// yet.
  const std::vector<std::string>& names() const { return names_; }
  /// The names without those that turn out to have errors; parses all definitions.
  std::vector<std::string> sound_names() const;
  /// File that defines a name, with or without errors; nullptr if there is none.
  const File* file_of(std::string_view name) const;
  /// The family that the definition of a name states, known or not; empty for an unknown name.
  std::string_view family_of(std::string_view name) const;
  /// The errors of the file that defines a name, if they affect the name; otherwise empty.
  std::vector<Problem> problems_of(std::string_view name) const;
  /// Parses the definition of a name if there is one. Throws InputError if it has errors.
  void require_sound(std::string_view name) const;
  /// For a message about an unknown name: "looked for in A, B; not read because of errors: FILE:3:1".
  std::string searched() const;
  /// The problems of all files, or only of those that did not come with the program.
  ProblemList problems(bool only_own = false) const;

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
  /// `folder_begin` is the first file of the folder of this file. If `only` is not empty, other definitions are
  /// skipped.
  void add_file(File file, std::size_t folder_begin, std::string_view only, bool at_once);
  void add_definition(ModelEntry entry, std::size_t folder_begin, bool at_once);
  const Definition* find(std::string_view name) const;
  /// Checks if a definition has no errors; parses it if necessary.
  bool is_sound(const Definition& definition) const;
  /// Problems outside the definitions, followed by those of each definition.
  std::vector<Problem> problems_in(std::size_t file) const;

  std::string what_;
  Define define_;
  std::vector<ConfigFolder> folders_;
  std::vector<File> files_;
  std::vector<std::string> names_;
  /// In the order of the files.
  std::deque<Definition> all_;
  /// The last definition of each name in the first folder that contains it.
  std::map<std::string, const Definition*, std::less<>> definitions_;
};

}  // namespace pimsweep::workload
