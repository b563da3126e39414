#include "hardware/pe_array/convolution.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "hardware/pe_array/convolution_tiling.h"
#include "hardware/pe_array/cuts.h"
#include "random_layers.h"

using namespace pimsweep::hardware::pe_array;
using namespace pimsweep::test;
using namespace pimsweep;
using pimsweep::test::random_layer;

namespace {

/// Words that a loop nest over tiles moves, by walking it: an operand moves when its tile changes, and a partial sum
/// that is taken up again is read back.
std::int64_t walk(const ConvolutionProduct& p, const ConvolutionTiling& tile, const std::vector<char>& order) {
  struct Span {
    std::int64_t begin, length;
  };
  const auto cut = [](std::int64_t whole, std::int64_t part) {
    std::vector<Span> spans;
    for (std::int64_t at = 0; at < whole; at += part) spans.push_back({at, std::min(part, whole - at)});
    return spans;
  };
  // The three loops: places (images and windows), filters, and the reduction (channels and kernel rows).
  std::map<char, std::vector<std::pair<Span, Span>>> loops;
  for (const Span& images : cut(p.images, tile.images)) {
    for (const Span& windows : cut(p.windows_h, tile.window_rows)) loops['x'].push_back({images, windows});
  }
  for (const Span& filters : cut(p.filters, tile.filters)) loops['m'].push_back({filters, {0, 0}});
  for (const Span& channels : cut(p.channels, tile.channels)) {
    for (const Span& rows : cut(p.kernel_h, tile.kernel_rows)) loops['k'].push_back({channels, rows});
  }
  const std::int64_t out_row_words = p.out_w * p.out_h / p.windows_h;
  std::int64_t words = 0;
  std::map<char, std::size_t> at;
  using Place = std::pair<std::size_t, std::size_t>;
  Place inputs{-1, -1}, filters{-1, -1}, outputs{-1, -1};
  std::set<Place> written;
  for (at[order[0]] = 0; at[order[0]] < loops[order[0]].size(); ++at[order[0]]) {
    for (at[order[1]] = 0; at[order[1]] < loops[order[1]].size(); ++at[order[1]]) {
      for (at[order[2]] = 0; at[order[2]] < loops[order[2]].size(); ++at[order[2]]) {
        const auto& [images, windows] = loops['x'][at['x']];
        const Span some_filters = loops['m'][at['m']].first;
        const auto& [channels, rows] = loops['k'][at['k']];
        if (inputs != Place{at['x'], at['k']}) {
          words += images.length * channels.length * p.input_rows(windows.length, rows.length) * p.in_w;
        }
        if (filters != Place{at['m'], at['k']}) {
          words += some_filters.length * channels.length * rows.length * p.kernel_w;
        }
        if (outputs != Place{at['x'], at['m']}) {
          const bool again = !written.insert({at['x'], at['m']}).second;
          words += images.length * some_filters.length * windows.length * out_row_words * (again ? 2 : 1);
        }
        inputs = {at['x'], at['k']};
        filters = {at['m'], at['k']};
        outputs = {at['x'], at['m']};
      }
    }
  }
  return p.groups * words;
}

std::int64_t tile_words(const ConvolutionProduct& p, const ConvolutionTiling& t) {
  return t.images * t.channels * p.input_rows(t.window_rows, t.kernel_rows) * p.in_w +
         t.filters * t.channels * t.kernel_rows * p.kernel_w +
         t.images * t.filters * t.window_rows * (p.out_h / p.windows_h) * p.out_w;
}

}  // namespace

TEST_CASE("the three products of training have the layer's multiply-accumulates, and its tensors change places") {
  std::mt19937 random(21);
  for (int round = 0; round < 500; ++round) {
    const ConvolutionLayer layer = random_layer(random, 12);
    const TrainingProducts all = training_products(layer);
    REQUIRE(all.forward.macs() == layer.batch * layer.in_channels / layer.groups * layer.out_channels * layer.kernel_h *
                                      layer.kernel_w * layer.out_h * layer.out_w);
    REQUIRE(all.backward.macs() == all.forward.macs());
    REQUIRE(all.gradient.macs() == all.forward.macs());
    REQUIRE(all.forward.output_words() == layer.batch * layer.out_channels * layer.out_h * layer.out_w);
    REQUIRE(all.backward.input_words() == all.forward.output_words());
    REQUIRE(all.backward.output_words() == all.forward.input_words());
    REQUIRE(all.backward.filter_words() == all.forward.filter_words());
    REQUIRE(all.gradient.input_words() == all.forward.input_words());
    REQUIRE(all.gradient.filter_words() == all.forward.output_words());
    REQUIRE(all.gradient.output_words() == all.forward.filter_words());
  }
}

TEST_CASE("input rows are those that windows and kernel rows touch") {
  std::mt19937 random(22);
  for (int round = 0; round < 500; ++round) {
    ConvolutionLayer layer = random_layer(random, 12);
    layer.padding_h = 0;
    const TrainingProducts all = training_products(layer);
    std::uniform_int_distribution<std::int64_t> some_kernel(1, layer.kernel_h);
    std::uniform_int_distribution<std::int64_t> some_out(1, layer.out_h);
    const std::int64_t kernel = some_kernel(random);
    const std::int64_t out = some_out(random);
    std::set<std::int64_t> forward;
    std::set<std::int64_t> backward;
    for (std::int64_t i = 0; i < out; ++i) {
      for (std::int64_t k = 0; k < kernel; ++k) forward.insert(i * layer.stride + k);
    }
    for (std::int64_t y = 0; y < out * layer.stride; ++y) {
      for (std::int64_t k = 0; k < kernel; ++k) {
        if ((y - k) % layer.stride == 0) backward.insert(y - k);
      }
    }
    const auto size = [](const std::set<std::int64_t>& rows) { return static_cast<std::int64_t>(rows.size()); };
    REQUIRE(all.forward.input_rows(out, kernel) == size(forward));
    // The gradient takes the same rows: its kernel rows are windows, its windows kernel rows.
    REQUIRE(all.gradient.input_rows(kernel, out) == size(forward));
    REQUIRE(all.backward.input_rows(out, kernel) == std::min(layer.out_h, size(backward)));
  }
}

TEST_CASE("no tiling moves fewer words than the one found: all tiles, all orders of the loops, walked") {
  std::mt19937 random(23);
  for (int round = 0; round < 200; ++round) {
    const ConvolutionLayer layer = random_layer(random, 4);
    const TrainingProducts all = training_products(layer);
    // Backward strips of a strided layer are rounded up to whole rows; forward and gradient are exact.
    const ConvolutionProduct& p = round % 2 == 0 ? all.forward : all.gradient;
    const std::int64_t everything = p.input_words() + p.filter_words() + p.output_words();
    const std::int64_t least = p.in_w + p.kernel_w + p.out_w;
    const std::int64_t buffer = std::uniform_int_distribution<std::int64_t>(least, least + everything)(random);
    const ConvolutionTiling found = fewest_dram_words(p, buffer);
    INFO("round " << round << ", buffer " << buffer);
    REQUIRE(tile_words(p, found) <= buffer);
    const std::vector<char> inside[] = {{'m', 'k', 'x'}, {'k', 'm', 'x'}, {'m', 'x', 'k'},
                                        {'x', 'm', 'k'}, {'k', 'x', 'm'}, {'x', 'k', 'm'}};
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    std::int64_t of_found = best;
    for (const std::vector<char>& order : inside) of_found = std::min(of_found, walk(p, found, order));
    const auto each = [](std::int64_t whole, auto visit) { for_each_part(whole, whole, visit); };
    each(p.images, [&](std::int64_t n) {
      each(p.windows_h, [&](std::int64_t e) {
        if (n > 1 && e < p.windows_h) return;
        each(p.filters, [&](std::int64_t m) {
          each(p.channels, [&](std::int64_t c) {
            each(p.kernel_h, [&](std::int64_t k) {
              if (c > 1 && k < p.kernel_h) return;
              const ConvolutionTiling tile{n, e, m, c, k, StationaryTile::outputs, {}};
              if (tile_words(p, tile) > buffer) return;
              for (const std::vector<char>& order : inside) best = std::min(best, walk(p, tile, order));
            });
          });
        });
      });
    });
    REQUIRE(found.dram.total() == best);
    REQUIRE(of_found <= found.dram.total());
  }
}

TEST_CASE("DRAM words: each operand at least once, fewer in a larger buffer, once if all fits") {
  std::mt19937 random(24);
  for (int round = 0; round < 300; ++round) {
    const TrainingProducts all = training_products(random_layer(random, 40));
    for (const ConvolutionProduct& p : {all.forward, all.backward, all.gradient}) {
      const std::int64_t everything = p.input_words() + p.filter_words() + p.output_words();
      std::int64_t before = std::numeric_limits<std::int64_t>::max();
      for (std::int64_t buffer = 2000; buffer < 4 * everything + 4000; buffer = buffer * 5 / 4) {
        const OperandWords dram = fewest_dram_words(p, buffer).dram;
        REQUIRE(dram.inputs >= p.input_words());
        REQUIRE(dram.filters >= p.filter_words());
        REQUIRE(dram.outputs >= p.output_words());
        REQUIRE(dram.total() <= before);
        before = dram.total();
      }
      REQUIRE(before == everything);
    }
  }
}

TEST_CASE("layers that cannot be are refused") {
  const auto changed = [](auto change) {
    ConvolutionLayer layer{2, 4, 6, 2, 3, 3, 5, 5, 1, 1, 1};
    change(layer);
    return layer;
  };
  CHECK_NOTHROW(training_products(changed([](ConvolutionLayer&) {})));
  CHECK_THROWS_AS(training_products(changed([](ConvolutionLayer& l) { l.batch = 0; })), std::invalid_argument);
  CHECK_THROWS_AS(training_products(changed([](ConvolutionLayer& l) { l.stride = -1; })), std::invalid_argument);
  CHECK_THROWS_AS(training_products(changed([](ConvolutionLayer& l) { l.groups = 4; })), std::invalid_argument);
  CHECK_THROWS_AS(training_products(changed([](ConvolutionLayer& l) { l.padding_w = 3; })), std::invalid_argument);
  CHECK_THROWS_AS(fewest_dram_words(training_products(changed([](ConvolutionLayer&) {})).forward, 12),
                  std::invalid_argument);
}
