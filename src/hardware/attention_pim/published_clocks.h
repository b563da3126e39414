#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/attention_pim/commands.h"
#include "hardware/attention_pim/device.h"

namespace pimsweep::hardware::attention_pim {

/// Clocks of decode attentions that somebody published, by shape (configs/attention_pim/attacc-clocks.csv). A line of
/// the file has the clocks of contexts that follow one another: `16345x16 16400` are 16 contexts of 16345 clocks, then
/// one of 16400.
class PublishedClocks {
 public:
  /// Reads a file's text; `file` is used in messages. Throws InputError with all that is wrong.
  PublishedClocks(std::string_view text, const std::string& file);

  /// Clocks of a shape; nothing if they were not published.
  std::optional<double> find(Placement placement, bool power_limit, const AttentionShape& shape) const;
  /// The same. Throws PointError that names the shape if it was not published, and the contexts that were.
  double at(Placement placement, bool power_limit, const AttentionShape& shape) const;

  std::size_t size() const { return clocks_.size(); }

 private:
  struct Key {
    Placement placement = Placement::bank;
    bool power_limit = false;
    std::int64_t heads = 0;
    std::int64_t head_size = 0;
    double value_bytes = 0;

    friend auto operator<=>(const Key&, const Key&) = default;
  };
  /// Contexts from `first` on; their clocks begin at `offset`.
  struct Span {
    Key key = {};
    std::int64_t first = 0;
    std::int64_t count = 0;
    std::size_t offset = 0;
  };

  /// Spans of a key, by first context.
  std::vector<Span>::const_iterator first_of(const Key& key) const;

  std::vector<Span> spans_;
  std::vector<double> clocks_;
};

}  // namespace pimsweep::hardware::attention_pim
