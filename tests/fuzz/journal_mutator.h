#pragma once

#include <cstddef>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace pimsweep::fuzz {

/// Changes bytes at random, to at most `max_size`.
using MutateBytes = std::function<void(std::string& bytes, std::size_t max_size)>;

/// Changes a journal frame by frame and seals it again, so that the checksums hide nothing from the fuzzer: payloads
/// are changed, and frames repeated, removed, exchanged and given another kind. Bytes that are not a journal are
/// changed as they are.
std::string mutate_journal(std::string_view journal, std::size_t max_size, std::mt19937& random,
                           const MutateBytes& mutate);

}  // namespace pimsweep::fuzz
