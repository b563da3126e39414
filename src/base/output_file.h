#pragma once

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

namespace pimsweep {

/// An output that cannot be written, as on a full disk. what() names the file and the reason.
class OutputError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// True if an error says that a disk, a quota or the limit of a file's size is full, or that a device fails.
bool is_output_error(const std::exception& error);

/// Throws OutputError if `code`, an errno, is one of those, else InputError: the path is wrong.
[[noreturn]] void throw_unwritable(int code, const std::string& message);

/// Remembers a file that this process has read, so that no output takes its place.
void note_input(const std::string& path);

/// True if a path names a file in a folder of journals.
bool is_in_journal_folder(const std::string& path);

/// A text, picture or model that a command writes. It appears by rename once it is whole, so that a file of the same
/// name stays as it is until then. Pipes, devices and /dev/stdout are written directly.
///
///     OutputFile file("points.csv", "n,time\n", force);
///     file.write("n,time\n1,2\n");
///     file.close();
///
/// Without close(), as after an exception, nothing appears. Results files have rules of their own
/// (driver/own_files.h).
class OutputFile {
 public:
  /// `mark` is how files of this kind begin, such as the header line of a CSV: a file that exists is replaced only if
  /// it is empty, begins so, or if `force` is set. Throws InputError for one that is not replaced, for a file that this
  /// process has read, for a folder, and for anything in a folder of journals; OutputError if the disk is full.
  OutputFile(const std::string& path, std::string_view mark, bool force);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Throws OutputError.
  void write(std::string_view bytes);
  /// Writes the rest and puts the file in its place. Throws OutputError; InputError if a file of another kind has
  /// appeared there meanwhile.
  void close();

  /// Throws InputError as the constructor would, and writes nothing: for a command with several outputs.
  static void require_writable(const std::string& path, std::string_view mark, bool force);

 private:
  void flush();
  [[noreturn]] void fail() const;

  std::string path_;
  /// The temporary file until it is renamed; path_ where the output is written directly.
  std::string written_;
  std::string mark_;
  bool force_;
  int descriptor_ = -1;
  std::string buffer_;
};

}  // namespace pimsweep
