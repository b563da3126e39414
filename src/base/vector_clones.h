#pragma once

/// Before a function: it is compiled for several widths of vectors, and the loader takes the widest that the processor
/// has, so that one program is fast on all; minima of integers need SSE4.1. All clones give the same bits as long as
/// the order of operations is written out (sums in the order of the loop, no contraction: cmake/Rooms.cmake). Thread
/// sanitizer cannot run the resolvers, which the loader calls before it is set up.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_THREAD__)
#define PIMSWEEP_VECTOR_CLONES [[gnu::target_clones("default", "sse4.1", "avx2", "avx512f")]]
#else
#define PIMSWEEP_VECTOR_CLONES
#endif
