#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pimsweep::fuzz {

/// The payloads of all frames, whether their checksums match or not; what is left over is a last payload.
std::vector<std::string> payloads_of(std::string_view journal);

/// A journal of frames with these payloads.
std::string sealed_journal(const std::vector<std::string>& payloads);

/// Numbers at which readers may go wrong.
inline constexpr std::array<std::uint64_t, 8> suspect_numbers{
    0, 1, 0x7f, 0x80, 0xffffffff, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff};

}  // namespace pimsweep::fuzz
