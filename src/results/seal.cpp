#include "results/seal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/bytes.h"
#include "results/data_digest.h"

namespace pimsweep::results {

namespace {

constexpr std::string_view mark = "pimsweep seal 1\n";
constexpr std::uint64_t seal_bytes = mark.size() + 16;

bool accepts_unsealed = false;

/// The seal of the first `size` bytes; empty if they cannot be read.
std::string seal_of(std::ifstream& file, std::uint64_t size) {
  std::vector<char> buffer(std::size_t{1} << 18);
  DataDigest digest;
  file.seekg(0);
  while (size > 0) {
    const std::uint64_t piece = std::min<std::uint64_t>(size, buffer.size());
    if (!file.read(buffer.data(), static_cast<std::streamsize>(piece))) return {};
    digest.add(buffer.data(), piece);
    size -= piece;
  }
  std::string seal(mark);
  append_number(seal, digest.value().high);
  append_number(seal, digest.value().low);
  return seal;
}

std::uint64_t size_of(std::ifstream& file) {
  file.seekg(0, std::ios::end);
  return file ? static_cast<std::uint64_t>(file.tellg()) : 0;
}

}  // namespace

void seal_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::uint64_t size = size_of(file);
  // No results file is empty: this one cannot be read.
  const std::string seal = size == 0 ? "" : seal_of(file, size);
  std::ofstream end(path, std::ios::binary | std::ios::app);
  end << seal << std::flush;
  if (seal.empty() || !end) {
    throw std::runtime_error(fmt::format("cannot seal '{}': {}", path, std::generic_category().message(errno)));
  }
}

Seal inspect_seal(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::uint64_t size = size_of(file);
  if (size < seal_bytes) return Seal::none;
  std::string seal(seal_bytes, '\0');
  file.seekg(static_cast<std::streamoff>(size - seal_bytes));
  if (!file.read(seal.data(), seal_bytes) || !seal.starts_with(mark)) return Seal::none;
  return seal_of(file, size - seal_bytes) == seal ? Seal::intact : Seal::broken;
}

void accept_unsealed_files(bool accepted) { accepts_unsealed = accepted; }

bool unsealed_files_accepted() { return accepts_unsealed; }

}  // namespace pimsweep::results
