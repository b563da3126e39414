#include "hardware/pe_array/row_stationary.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <random>

#include "random_layers.h"
#include "reference.h"

using namespace pimsweep::hardware::pe_array;
using namespace pimsweep::test;
using namespace pimsweep;
using pimsweep::test::random_layer;
using pimsweep::test::Reference;

namespace {

/// The Eyeriss chip (JSSC 2017): 12 x 14 PEs with scratchpads for 12 inputs, 224 weights and 24 partial sums; 108 KiB
/// buffer, 16-bit words.
constexpr RowStationaryArray eyeriss{12, 14, 108 * 1024 / 2, 12, 224, 24};

ConvolutionLayer layer_of(const Reference& reference, std::size_t row) {
  const auto value = [&](const char* column) { return reference.integer(row, column); };
  return {value("batch"),  value("in_channels"), value("out_channels"), value("groups"),
          value("kernel"), value("kernel"),      value("out"),          value("out"),
          value("stride"), value("padding"),     value("padding")};
}

RowStationarySets published_sets(const Reference& reference, std::size_t row) {
  const auto value = [&](const char* column) { return reference.integer(row, column); };
  RowStationarySets sets;
  sets.kernel_rows = sets.taps_per_pe = value("kernel");
  sets.window_rows = value("window_rows");
  sets.channel_sets = value("channel_sets");
  sets.filter_sets = value("filter_sets");
  sets.channels_per_pe = value("channels_per_pe");
  sets.filters_per_pe = value("filters_per_pe");
  sets.images_per_pass = value("images_per_pass");
  return sets;
}

}  // namespace

TEST_CASE("AlexNet on Eyeriss, with the published mappings") {
  const Reference reference("results/reference/eyeriss/alexnet.csv");
  REQUIRE(reference.size() == 5);
  for (std::size_t row = 0; row < reference.size(); ++row) {
    const ConvolutionProduct product = training_products(layer_of(reference, row)).forward;
    const RowStationarySets sets = published_sets(reference, row);
    INFO(reference.text(row, "layer"));
    CHECK(sets.active_pes() == reference.integer(row, "active_pes"));
    // 4 to 16 % below the chip's: filling, draining and waiting are not in the model.
    const double measured = reference.real(row, "processing_ms") * 1e-3 * 200e6;
    const auto cycles = static_cast<double>(row_stationary_cycles(product, sets));
    CHECK(cycles < measured);
    CHECK(cycles > 0.84 * measured);
    // Buffer accesses within 1 %, but for conv3, whose noted mapping and count disagree (see the README there).
    const double megabytes = static_cast<double>(row_stationary_buffer_words(product, sets).total()) * 2 / 1e6;
    const double deviation = megabytes / reference.real(row, "buffer_mb") - 1;
    if (reference.text(row, "layer") == "conv3") {
      CHECK(deviation == Approx(0.39).margin(0.01));
      RowStationarySets as_conv4 = published_sets(reference, row + 1);
      const double other = static_cast<double>(row_stationary_buffer_words(product, as_conv4).total()) * 2 / 1e6;
      CHECK(other / reference.real(row, "buffer_mb") - 1 == Approx(0.0).margin(0.01));
    } else {
      CHECK(deviation == Approx(0.0).margin(0.01));
    }
  }
}

TEST_CASE("AlexNet on Eyeriss, with the mappings found") {
  const Reference reference("results/reference/eyeriss/alexnet.csv");
  for (std::size_t row = 0; row < reference.size(); ++row) {
    const ConvolutionProduct product = training_products(layer_of(reference, row)).forward;
    const RowStationarySets published = published_sets(reference, row);
    const RowStationaryMapping mapping = map_row_stationary(product, eyeriss);
    INFO(reference.text(row, "layer"));
    CHECK(mapping.cycles <= row_stationary_cycles(product, published));
    // The chip's designers minimized energy, so that equal cycles are the most that can be asked for; 7 % fewer are
    // found in conv3, 5 % in conv4 and 3 % in conv5, by PE sets one window row wide.
    CHECK(static_cast<double>(mapping.cycles) > 0.92 * static_cast<double>(row_stationary_cycles(product, published)));
    if (reference.text(row, "layer") == "conv1") CHECK(mapping.sets == published);
    // Uncompressed DRAM traffic: at most what the chip's would be, and not much less.
    const double megabytes = static_cast<double>(mapping.dram.total()) * 2 / 1e6;
    const double chip = reference.real(row, "dram_mb") * reference.real(row, "compression");
    CHECK(megabytes <= chip);
    CHECK(megabytes >= 0.75 * chip);
  }
}

TEST_CASE("no mapping that fits has fewer cycles than the one found") {
  std::mt19937 random(31);
  std::uniform_int_distribution<std::int64_t> side(1, 6);
  for (int round = 0; round < 150; ++round) {
    const TrainingProducts all = training_products(random_layer(random, 9));
    RowStationaryArray array = eyeriss;
    array.rows = side(random);
    array.cols = side(random);
    array.folds_all_kernels = round % 2 == 0;
    for (const ConvolutionProduct& p : {all.forward, all.backward, all.gradient}) {
      std::int64_t best = std::numeric_limits<std::int64_t>::max();
      RowStationarySets s;
      const bool fold = p.kernel_h > array.rows || array.folds_all_kernels;
      for (s.kernel_rows = fold ? 1 : p.kernel_h; s.kernel_rows <= std::min(p.kernel_h, array.rows); ++s.kernel_rows) {
        for (s.window_rows = 1; s.window_rows <= p.windows_h; ++s.window_rows) {
          // Sets in pieces above each other, or side by side.
          const std::int64_t pieces = (s.window_rows + array.cols - 1) / array.cols;
          const std::int64_t above = array.rows / (s.kernel_rows * pieces);
          const std::int64_t beside = pieces > 1 ? 1 : array.cols / s.window_rows;
          for (s.channel_sets = 1; s.channel_sets <= above; ++s.channel_sets) {
            const std::int64_t places = above / s.channel_sets * beside;
            for (s.filter_sets = 1; s.filter_sets <= places; ++s.filter_sets) {
              for (s.image_sets = 1; s.filter_sets * s.image_sets <= places; ++s.image_sets) {
                s.group_sets = std::min(p.groups, places / (s.filter_sets * s.image_sets));
                best = std::min(best, row_stationary_cycles(p, s));
              }
            }
          }
        }
      }
      REQUIRE(map_row_stationary(p, array).cycles == best);
    }
  }
}

TEST_CASE("laws of a mapping") {
  std::mt19937 random(32);
  std::uniform_int_distribution<std::int64_t> side(1, 16);
  for (int round = 0; round < 300; ++round) {
    const TrainingProducts all = training_products(random_layer(random, 60));
    RowStationaryArray array = eyeriss;
    array.rows = side(random);
    array.cols = side(random);
    for (const ConvolutionProduct& p : {all.forward, all.backward, all.gradient}) {
      const RowStationaryMapping m = map_row_stationary(p, array);
      const RowStationarySets& s = m.sets;
      REQUIRE(s.active_pes() <= array.pes());
      REQUIRE(m.cycles * s.active_pes() >= p.macs());
      REQUIRE(m.utilization <= 1.0);
      REQUIRE(m.utilization * static_cast<double>(m.cycles * array.pes()) == Approx(static_cast<double>(p.macs())));
      REQUIRE(s.taps_per_pe * s.channels_per_pe <= array.input_words);
      REQUIRE(s.taps_per_pe * s.channels_per_pe * s.filters_per_pe <= array.filter_words);
      REQUIRE(s.filters_per_pe <= array.psum_words);
      // What the array takes in and gives out comes by the buffer at least once.
      REQUIRE(m.buffer.inputs >= p.input_words());
      REQUIRE(m.buffer.filters >= p.filter_words());
      REQUIRE(m.buffer.outputs >= p.output_words());
      // A partial sum goes out and comes back at most once for each multiply-accumulate that it takes.
      REQUIRE(m.buffer.outputs < 2 * p.output_words() * p.kernel_h * p.kernel_w * p.channels);
    }
  }
}

TEST_CASE("a larger array is never slower, a larger buffer never needs more DRAM words") {
  std::mt19937 random(33);
  std::uniform_int_distribution<std::int64_t> side(1, 16);
  for (int round = 0; round < 100; ++round) {
    const TrainingProducts all = training_products(random_layer(random, 40));
    for (const ConvolutionProduct& p : {all.forward, all.backward, all.gradient}) {
      RowStationaryArray array = eyeriss;
      array.rows = side(random);
      array.cols = side(random);
      const std::int64_t eyeriss_like = map_row_stationary(p, array).cycles;
      // Only where a kernel may always be folded: one that just fits would otherwise do better in a lower array.
      array.folds_all_kernels = true;
      const RowStationaryMapping small = map_row_stationary(p, array);
      REQUIRE(small.cycles <= eyeriss_like);
      array.buffer_words *= 2;
      REQUIRE(map_row_stationary(p, array).dram.total() <= small.dram.total());
      array.cols += 1;
      const std::int64_t wider = map_row_stationary(p, array).cycles;
      REQUIRE(wider <= small.cycles);
      array.rows += 1;
      REQUIRE(map_row_stationary(p, array).cycles <= wider);
    }
  }
}

TEST_CASE("fully connected layers fill the array") {
  const TrainingProducts all = training_products(fully_connected(256, 4096, 4096));
  for (const ConvolutionProduct& p : {all.forward, all.backward, all.gradient}) {
    CHECK(map_row_stationary(p, eyeriss).utilization > 0.98);
  }
}

TEST_CASE("arrays that cannot be are refused") {
  const ConvolutionProduct p = training_products(fully_connected(2, 3, 4)).forward;
  RowStationaryArray array = eyeriss;
  array.psum_words = 0;
  CHECK_THROWS_AS(map_row_stationary(p, array), std::invalid_argument);
  array = eyeriss;
  array.buffer_words = 2;
  CHECK_THROWS_AS(map_row_stationary(p, array), std::invalid_argument);
}
