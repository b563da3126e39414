#pragma once

/// Attribute of a function that is compiled for several vector widths; the loader picks the widest that the processor
/// supports, so that one program is fast on all of them. Integer minima need SSE4.1. All clones give the same bits as
/// long as the order of operations is written out (sums in the order of the loop, no contraction: cmake/Rooms.cmake).
/// The thread sanitizer cannot run the resolvers, which the loader calls before the sanitizer is initialized.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_THREAD__)
#define PIMSWEEP_VECTOR_CLONES [[gnu::target_clones("default", "sse4.1", "avx2", "avx512f")]]
#else
#define PIMSWEEP_VECTOR_CLONES
#endif
