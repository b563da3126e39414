#pragma once

#include <cstdint>

/// Calls of operator new in this program so far.
std::uint64_t heap_allocations();
