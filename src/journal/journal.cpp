#include "journal/journal.h"

#include <algorithm>
#include <filesystem>

namespace pimsweep::journal {

std::string folder_of(const std::string& output) { return output + ".journal"; }

std::vector<std::string> files_in(const std::string& folder_or_file) {
  namespace fs = std::filesystem;
  if (fs::is_regular_file(folder_or_file)) return {folder_or_file};
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_or_file, error)) {
    // A link in the folder may lead anywhere.
    if (entry.symlink_status().type() == fs::file_type::regular && entry.path().extension() == ".journal")
      files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool is_result(systems::Status status) {
  return status == systems::Status::ok || status == systems::Status::infeasible;
}

}  // namespace pimsweep::journal
