#include "hardware/pe_array/convolution_tiling.h"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

#include "hardware/integer_math.h"
#include "hardware/pe_array/cuts.h"

namespace pimsweep::hardware::pe_array {

namespace {

/// Rows of input of one map that all tiles of `windows` rows and `kernel_rows` read in total.
std::int64_t input_rows_read(const ConvolutionProduct& p, std::int64_t windows, std::int64_t kernel_rows) {
  const auto strips = [&](std::int64_t rows) {
    const std::int64_t rest = p.windows_h % windows;
    return Count{p.windows_h / windows} * p.input_rows(windows, rows) + (rest > 0 ? p.input_rows(rest, rows) : 0);
  };
  const std::int64_t rest = p.kernel_h % kernel_rows;
  return Count{p.kernel_h / kernel_rows} * strips(kernel_rows) + (rest > 0 ? strips(rest) : Count{});
}

class Search {
 public:
  Search(const ConvolutionProduct& product, std::int64_t buffer) : p_(product), buffer_(buffer) {
    best_.dram.outputs = std::numeric_limits<std::int64_t>::max();
  }

  ConvolutionTiling run() {
    for_each_part(p_.windows_h, p_.windows_h, [&](std::int64_t windows) {
      for_each_part(p_.kernel_h, p_.kernel_h, [&](std::int64_t kernel_rows) {
        const Strip strip = strip_of(windows, kernel_rows);
        if (Count{strip.inputs_once} + p_.filter_words() + p_.output_words() >= best_.dram.total()) return;
        keep_filters(strip);
        // Whole maps may come from several images; parts of maps come from one.
        for_each_part(p_.images, windows == p_.windows_h ? p_.images : 1, [&](std::int64_t images) {
          const std::int64_t filter_words = Count{p_.filter_words()} * ceil_div(p_.images, images) * strip.map_tiles;
          // Fewer images at a time only increase this.
          if (Count{strip.inputs_once} + filter_words + p_.output_words() >= best_.dram.total()) return false;
          keep_outputs(strip, images, filter_words);
          keep_inputs(strip, images, filter_words);
          return true;
        });
      });
    });
    if (best_.images == 0) {
      throw std::invalid_argument(
          fmt::format("convolution: a buffer of {} words cannot hold a row of each operand", buffer_));
    }
    return best_;
  }

 private:
  /// Rows of windows and of the kernel in a tile, and derived sizes.
  struct Strip {
    std::int64_t windows = 0;
    std::int64_t kernel_rows = 0;
    std::int64_t input_words = 0;   ///< per image and channel
    std::int64_t filter_words = 0;  ///< per filter and channel
    std::int64_t output_words = 0;  ///< per image and filter
    std::int64_t inputs_once = 0;   ///< words of all inputs; shared rows count for each tile
    std::int64_t map_tiles = 0;
    std::int64_t kernel_tiles = 0;
  };

  Strip strip_of(std::int64_t windows, std::int64_t kernel_rows) const {
    Strip s;
    s.windows = windows;
    s.kernel_rows = kernel_rows;
    s.input_words = Count{p_.input_rows(windows, kernel_rows)} * p_.in_w;
    s.filter_words = Count{kernel_rows} * p_.kernel_w;
    s.output_words = Count{ceil_div(Count{p_.out_h} * windows, p_.windows_h)} * p_.out_w;
    s.inputs_once = Count{p_.input_words() / p_.in_h} * input_rows_read(p_, windows, kernel_rows);
    s.map_tiles = ceil_div(p_.windows_h, windows);
    s.kernel_tiles = ceil_div(p_.kernel_h, kernel_rows);
    return s;
  }

  /// Channels and kernel rows innermost: one channel at a time, and as many filters as fit.
  void keep_outputs(const Strip& s, std::int64_t images, std::int64_t filter_words) {
    const std::int64_t room =
        (buffer_ - Count{images} * s.input_words) / (s.filter_words + Count{images} * s.output_words);
    const std::int64_t filters = std::min(room, p_.filters);
    if (filters < 1) return;
    offer({images,
           s.windows,
           filters,
           1,
           s.kernel_rows,
           StationaryTile::outputs,
           {Count{s.inputs_once} * ceil_div(p_.filters, filters), filter_words, p_.output_words()}});
  }

  /// Images and windows innermost: one image at a time; every split of the remaining buffer between channels and
  /// filters.
  void keep_filters(const Strip& s) {
    const std::int64_t max_channels = s.kernel_tiles == 1 ? p_.channels : 1;
    for_each_part(p_.channels, max_channels, [&](std::int64_t channels) {
      const Count outputs = p_.output_words() * (Count{2} * ceil_div(p_.channels, channels) * s.kernel_tiles - 1);
      if (outputs + s.inputs_once + p_.filter_words() >= best_.dram.total()) return false;
      const std::int64_t room =
          (buffer_ - Count{channels} * s.input_words) / (Count{channels} * s.filter_words + s.output_words);
      const std::int64_t filters = std::min(room, p_.filters);
      if (filters < 1) return true;
      offer({1,
             s.windows,
             filters,
             channels,
             s.kernel_rows,
             StationaryTile::filters,
             {Count{s.inputs_once} * ceil_div(p_.filters, filters), p_.filter_words(), outputs}});
      return true;
    });
  }

  /// Filters innermost: one filter at a time, and as many channels as fit.
  void keep_inputs(const Strip& s, std::int64_t images, std::int64_t filter_words) {
    const std::int64_t room =
        (buffer_ - Count{images} * s.output_words) / (Count{images} * s.input_words + s.filter_words);
    const std::int64_t channels = std::min(room, s.kernel_tiles == 1 ? p_.channels : 1);
    if (channels < 1) return;
    offer({images,
           s.windows,
           1,
           channels,
           s.kernel_rows,
           StationaryTile::inputs,
           {s.inputs_once, filter_words,
            p_.output_words() * (Count{2} * ceil_div(p_.channels, channels) * s.kernel_tiles - 1)}});
  }

  void offer(const ConvolutionTiling& tiling) {
    if (tiling.dram.total() < best_.dram.total()) best_ = tiling;
  }

  const ConvolutionProduct& p_;
  std::int64_t buffer_;
  ConvolutionTiling best_;
};

}  // namespace

ConvolutionTiling fewest_dram_words(const ConvolutionProduct& product, std::int64_t buffer_words) {
  return Search(product, buffer_words).run();
}

}  // namespace pimsweep::hardware::pe_array
