#include "hardware/pe_array/row_stationary.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "hardware/integer_math.h"
#include "hardware/pe_array/cuts.h"

namespace pimsweep::hardware::pe_array {

namespace {

/// Work of one PE within a pass: as much as its scratchpads hold.
void fill_scratchpads(const ConvolutionProduct& p, const RowStationaryArray& array, RowStationarySets& sets) {
  const std::int64_t inputs = std::min(array.input_words, array.filter_words);
  sets.taps_per_pe = even_part(p.kernel_w, inputs);
  sets.channels_per_pe = even_part(ceil_div(p.channels, sets.channel_sets), inputs / sets.taps_per_pe);
  const std::int64_t filters = array.filter_words / (sets.channels_per_pe * sets.taps_per_pe);
  sets.filters_per_pe = even_part(ceil_div(p.filters, sets.filter_sets), std::min(filters, array.psum_words));
}

class SetSearch {
 public:
  SetSearch(const ConvolutionProduct& product, const RowStationaryArray& array, std::int64_t images_in_buffer)
      : p_(product), array_(array), images_in_buffer_(images_in_buffer) {}

  RowStationarySets run() {
    if (p_.kernel_h <= array_.rows && !array_.folds_all_kernels) {
      try_sets(p_.kernel_h);
    } else {
      for_each_part(p_.kernel_h, array_.rows, [&](std::int64_t kernel_rows) { try_sets(kernel_rows); });
    }
    return best_;
  }

 private:
  void try_sets(std::int64_t kernel_rows) {
    const std::int64_t max_rows = array_.rows / kernel_rows * array_.cols;
    for_each_part(p_.windows_h, max_rows, [&](std::int64_t window_rows) { try_set(kernel_rows, window_rows); });
  }

  void try_set(std::int64_t kernel_rows, std::int64_t window_rows) {
    const std::int64_t above = array_.rows / kernel_rows / ceil_div(window_rows, array_.cols);
    const std::int64_t beside = std::max<std::int64_t>(1, array_.cols / window_rows);
    const Count set_cycles =
        Count{ceil_div(p_.kernel_h, kernel_rows)} * ceil_div(p_.windows_h, window_rows) * p_.kernel_w * p_.windows_w;
    const Count others = Count{p_.filters} * p_.images * p_.groups;
    if (above == 0 || set_cycles * ceil_div(p_.channels * others, above * beside) > cycles_) return;
    for_each_part(p_.channels, above, [&](std::int64_t channel_sets) {
      const Count channel_cycles = set_cycles * ceil_div(p_.channels, channel_sets);
      const std::int64_t places = above / channel_sets * beside;
      if (channel_cycles * ceil_div(others, places) > cycles_) return;
      for_each_part(p_.filters, places, [&](std::int64_t filter_sets) {
        const std::int64_t left = places / filter_sets;
        if (channel_cycles * ceil_div(p_.filters, filter_sets) * ceil_div(Count{p_.images} * p_.groups, left) >
            cycles_) {
          return;
        }
        for_each_part(p_.images, left, [&](std::int64_t image_sets) {
          RowStationarySets sets;
          sets.kernel_rows = kernel_rows;
          sets.window_rows = window_rows;
          sets.channel_sets = channel_sets;
          sets.filter_sets = filter_sets;
          sets.image_sets = image_sets;
          sets.group_sets = even_part(p_.groups, left / image_sets);
          offer(sets);
        });
      });
    });
  }

  void offer(RowStationarySets& sets) {
    const std::int64_t cycles = row_stationary_cycles(p_, sets);
    if (cycles > cycles_) return;
    fill_scratchpads(p_, array_, sets);
    sets.images_per_pass = std::max(images_in_buffer_, sets.image_sets);
    const std::int64_t words = row_stationary_buffer_words(p_, sets).total();
    if (cycles == cycles_ && words >= words_) return;
    best_ = sets;
    cycles_ = cycles;
    words_ = words;
  }

  const ConvolutionProduct& p_;
  const RowStationaryArray& array_;
  std::int64_t images_in_buffer_;
  RowStationarySets best_;
  std::int64_t cycles_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t words_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace

std::int64_t row_stationary_cycles(const ConvolutionProduct& p, const RowStationarySets& sets) {
  return Count{ceil_div(p.kernel_h, sets.kernel_rows)} * ceil_div(p.windows_h, sets.window_rows) *
         ceil_div(p.channels, sets.channel_sets) * ceil_div(p.filters, sets.filter_sets) *
         ceil_div(p.images, sets.image_sets) * ceil_div(p.groups, sets.group_sets) * p.windows_w * p.kernel_w;
}

OperandWords row_stationary_buffer_words(const ConvolutionProduct& p, const RowStationarySets& sets) {
  const std::int64_t strips = ceil_div(p.windows_h, sets.window_rows);
  const std::int64_t folds = ceil_div(p.kernel_h, sets.kernel_rows);
  const std::int64_t input_rows = Count{strips} * folds * p.input_rows(sets.window_rows, sets.kernel_rows);
  const Count passes = Count{ceil_div(p.channels, sets.channels_per_pe * sets.channel_sets)} * folds *
                       ceil_div(p.kernel_w, sets.taps_per_pe);
  OperandWords words;
  words.inputs =
      Count{p.input_words() / p.in_h} * input_rows * ceil_div(p.filters, sets.filters_per_pe * sets.filter_sets);
  words.filters = Count{p.filter_words()} * strips * ceil_div(p.images, sets.images_per_pass);
  words.outputs = p.output_words() * (2 * passes - 1);
  return words;
}

RowStationaryMapping map_row_stationary(const ConvolutionProduct& product, const RowStationaryArray& array) {
  if (std::min({array.rows, array.cols, array.input_words, array.filter_words, array.psum_words}) < 1) {
    throw std::invalid_argument("row-stationary array: all sizes must be positive");
  }
  RowStationaryMapping mapping;
  mapping.tiling = fewest_dram_words(product, array.buffer_words);
  mapping.dram = mapping.tiling.dram;
  mapping.sets = SetSearch(product, array, mapping.tiling.images).run();
  mapping.cycles = row_stationary_cycles(product, mapping.sets);
  mapping.utilization = static_cast<double>(product.macs()) / static_cast<double>(mapping.cycles * array.pes());
  mapping.buffer = row_stationary_buffer_words(product, mapping.sets);
  return mapping;
}

}  // namespace pimsweep::hardware::pe_array
