#include "hardware/pe_array/mapper/notation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <stdexcept>

namespace pimsweep::hardware::pe_array::mapper {

namespace {

constexpr std::string_view letters = "MNK";
constexpr std::array<std::string_view, 4> levels{"L3[ABZ]", "L2[ABZ]", "L1[Z]", "L0[B]"};
/// More than any GEMM needs, and small enough to multiply without overflow.
constexpr std::int64_t max_rounds = 1 << 20;

std::int64_t& size_of(Gemm& gemm, Loop loop) { return loop == Loop::m ? gemm.m : loop == Loop::n ? gemm.n : gemm.k; }

/// One loop as written.
struct Written {
  Loop loop = Loop::m;
  std::int64_t rounds = 1;
  /// 'X', 'Y' or 0.
  char spread = 0;
};

class Parser {
 public:
  Parser(std::string_view text, const Gemm& gemm) : text_(text), gemm_(gemm) {}

  Mapping run() {
    mapping_.strip = mapping_.used_rows = mapping_.used_cols = 1;
    for (level_ = 0; level_ < levels.size(); ++level_) {
      if (level_ > 0) expect("-");
      expect(levels[level_]);
      while (next() != "-" && !next().empty()) take(read_loop());
    }
    if (!next().empty()) fail("expected the end");
    const Gemm step = mapping_.step();
    for (const Loop loop : {Loop::m, Loop::n, Loop::k}) {
      const std::int64_t whole = size_of(gemm_, loop);
      const std::int64_t tile = size_of(inner_, loop) * size_of(step, loop);
      size_of(mapping_.tile, loop) = std::min(tile, whole);
      if (size_of(outer_, loop) != ceil_div(whole, tile)) {
        throw std::invalid_argument(fmt::format("mapping '{}': {} rounds of tiles of {} do not cover {} = {} once",
                                                text_, size_of(outer_, loop), tile, letter(loop), whole));
      }
    }
    return mapping_;
  }

 private:
  static char letter(Loop loop) { return letters[static_cast<std::size_t>(loop)]; }

  [[noreturn]] void fail(const std::string& wanted) {
    throw std::invalid_argument(
        fmt::format("mapping '{}', column {}: {}, got '{}'", text_, at_ + 1, wanted, next().empty() ? "end" : next()));
  }

  /// The next word, without leading blanks; empty at the end.
  std::string_view next() {
    at_ = std::min(text_.find_first_not_of(' ', at_), text_.size());
    return text_.substr(at_, text_.find(' ', at_) - at_);
  }

  void expect(std::string_view word) {
    if (next() != word) fail(fmt::format("expected '{}'", word));
    at_ += word.size();
  }

  Written read_loop() {
    const std::string_view word = next();
    Written written;
    const std::size_t index = letters.find(word.front());
    const char* const end = word.data() + word.size();
    const auto [after, error] = std::from_chars(word.data() + 1, end, written.rounds);
    std::string_view rest(after, static_cast<std::size_t>(end - after));
    if (!rest.empty() && rest.front() == ';') {
      std::int64_t last = 0;
      const auto [after_last, last_error] = std::from_chars(rest.data() + 1, end, last);
      if (last_error != std::errc{} || last < 1 || last > written.rounds)
        fail("expected a last round of 1 to a whole one");
      rest = {after_last, static_cast<std::size_t>(end - after_last)};
    }
    if (rest == "X" || rest == "Y") {
      written.spread = rest.front();
      rest = {};
    }
    if (index == std::string_view::npos || error != std::errc{} || !rest.empty() || written.rounds < 1 ||
        written.rounds > max_rounds) {
      fail(fmt::format("expected a loop M, N or K with its iterations (1 to {}), optionally followed by ;LAST, X or Y",
                       max_rounds));
    }
    written.loop = static_cast<Loop>(index);
    return written;
  }

  void take(const Written& written) {
    const auto [loop, rounds, spread] = written;
    if (spread == 'X' && level_ == 1 && loop == Loop::n) {
      mapping_.used_cols = rounds;
    } else if (spread == 'Y' && level_ == 2 && loop == Loop::k) {
      mapping_.used_rows = rounds;
    } else if (spread != 0) {
      fail("only N of L2 is spread over X and K of L1 over Y");
    } else if (rounds > 1) {
      take_rounds(loop, rounds);
    }
    at_ += next().size();
  }

  void take_rounds(Loop loop, std::int64_t rounds) {
    if (level_ >= 2) {
      if (loop != Loop::m) fail("accumulators and registers loop over M only");
      mapping_.strip *= rounds;
      if (mapping_.strip > max_rounds) fail(fmt::format("a strip has at most {} rows", max_rounds));
      return;
    }
    std::int64_t& so_far = size_of(level_ == 0 ? outer_ : inner_, loop);
    if (so_far > 1) fail("a level loops once over each of M, N and K");
    so_far = rounds;
    // Loops written later are further inside.
    LoopOrder& order = level_ == 0 ? mapping_.dram_order : mapping_.buffer_order;
    const auto place = std::find(order.begin(), order.end(), loop);
    std::rotate(place, place + 1, order.end());
  }

  std::string_view text_;
  const Gemm& gemm_;
  std::size_t at_ = 0;
  std::size_t level_ = 0;
  Mapping mapping_;
  /// Iterations of the loops between DRAM and buffer, and between buffer and PEs.
  Gemm outer_{1, 1, 1};
  Gemm inner_{1, 1, 1};
};

std::string loops(const LoopOrder& order, const Gemm& whole, const Gemm& part) {
  std::string text;
  for (const Loop loop : order) {
    const std::int64_t rounds = trips(whole, part, loop);
    if (rounds > 1) text += fmt::format(" {}{}", letters[static_cast<std::size_t>(loop)], rounds);
  }
  return text;
}

}  // namespace

std::string to_text(const Mapping& mapping, const Gemm& gemm) {
  return fmt::format("{}{} - {}{} N{}X - {} M{} K{}Y - {}", levels[0], loops(mapping.dram_order, gemm, mapping.tile),
                     levels[1], loops(mapping.buffer_order, mapping.tile, mapping.step()), mapping.used_cols, levels[2],
                     mapping.strip, mapping.used_rows, levels[3]);
}

Mapping parse_mapping(std::string_view text, const Gemm& gemm) { return Parser(text, gemm).run(); }

}  // namespace pimsweep::hardware::pe_array::mapper
