// libFuzzer's entry points. The environment variable TARGET says which reader is fuzzed.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

#include "journal_mutator.h"
#include "targets.h"

namespace {

using namespace pimsweep::fuzz;

const Target& target() {
  static const Target& chosen = [&]() -> const Target& {
    const char* name = std::getenv("TARGET");
    const auto found = std::ranges::find(targets(), std::string_view(name == nullptr ? "" : name), &Target::name);
    if (found != targets().end()) return *found;
    fmt::print(stderr, "TARGET must be one of:\n");
    for (const Target& known : targets()) fmt::print(stderr, "  {}\n", known.name);
    std::exit(2);
  }();
  return chosen;
}

}  // namespace

extern "C" {

std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target().read({reinterpret_cast<const char*>(data), size});
  return 0;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
  if (target().name != "journal") return LLVMFuzzerMutate(data, size, max_size);
  std::mt19937 random(seed);
  const MutateBytes mutate = [](std::string& bytes, std::size_t max_bytes) {
    const std::size_t old_size = bytes.size();
    bytes.resize(std::max(old_size, max_bytes));
    bytes.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), old_size, bytes.size()));
  };
  const std::string changed = mutate_journal({reinterpret_cast<const char*>(data), size}, max_size, random, mutate);
  std::copy(changed.begin(), changed.end(), data);
  return changed.size();
}

}  // extern "C"
