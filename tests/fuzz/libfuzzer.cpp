// libFuzzer's entry point. PIMSWEEP_READER is the reader of the target that is built.

#include <cstdint>

#include "readers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pimsweep::fuzz::PIMSWEEP_READER({reinterpret_cast<const char*>(data), size});
  return 0;
}
