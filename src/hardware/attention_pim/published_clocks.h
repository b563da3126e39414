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

/// Published clocks of decode attentions, by shape (configs/hardware/attacc-clocks.csv). A line of the file lists the
/// clocks of consecutive contexts: `16345x16 16400` means 16 contexts of 16345 clocks, then one of 16400.
class PublishedClocks {
 public:
  /// Parses the text of a file; `file` is used in messages. Throws InputError with all problems.
  PublishedClocks(std::string_view text, const std::string& file);

  /// Clocks of a shape; nullopt if they were not published.
  std::optional<double> find(Placement placement, bool power_limit, const AttentionShape& shape) const;
  /// Clocks of a shape. Throws PointError with the shape and the published contexts if they were not published.
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
  /// Contexts from `first` on; their clocks start at `offset`.
  struct Span {
    Key key = {};
    std::int64_t first = 0;
    std::int64_t count = 0;
    std::size_t offset = 0;
  };

  /// Spans of a key, ordered by first context.
  std::vector<Span>::const_iterator first_of(const Key& key) const;

  std::vector<Span> spans_;
  std::vector<double> clocks_;
};

}  // namespace pimsweep::hardware::attention_pim
