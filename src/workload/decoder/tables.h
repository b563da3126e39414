#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/config_folders.h"
#include "base/hash.h"
#include "workload/decoder/requests.h"

namespace pimsweep::workload::decoder {

/// Requests of a CSV file or of lines of JSON: tokens of the prompt and generated tokens, whole numbers of 1 to 2^24,
/// in the columns input and output or under the names of public traces (docs/llm.md); times of arrival and shared
/// prefixes, where the file has them (docs/serving.md). `file` is used in messages. Throws InputError with all
/// problems, such as a file without rows, or times that go back.
std::vector<Request> read_requests(std::string_view text, const std::string& file);

/// Shares of experts of a CSV file with the column share: a row for each expert. Throws InputError likewise; a share is
/// a number from 0.
std::vector<double> read_shares(std::string_view text, const std::string& file);

/// Tables of requests and of routing in the folders of model files, by name without ".csv" or ".jsonl". A table is read
/// when a point first uses it. All functions throw PointError if no folder has the file or if it has errors.
class Tables {
 public:
  explicit Tables(std::vector<ConfigFolder> folders) : folders_(std::move(folders)) {}
  std::span<const Request> requests(std::string_view name);
  std::span<const double> shares(std::string_view name);
  /// Hash of a file.
  Hash128 content(std::string_view name);

 private:
  struct File {
    std::string path;
    std::string text;
    std::vector<Request> requests = {};
    std::vector<double> shares = {};
  };
  File& file(std::string_view name);

  std::vector<ConfigFolder> folders_;
  std::map<std::string, File, std::less<>> files_;
};

}  // namespace pimsweep::workload::decoder
