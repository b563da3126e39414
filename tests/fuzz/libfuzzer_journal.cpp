// libFuzzer's mutations of the target `journal`.

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>

#include "journal_mutator.h"

using namespace pimsweep::fuzz;

extern "C" {

std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
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
