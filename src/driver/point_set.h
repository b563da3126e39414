#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <vector>

namespace pimsweep::driver {

/// A set of points of a plan: one bit per point, and none for pages of 65536 points that are all in the set or all out
/// of it.
class PointSet {
 public:
  explicit PointSet(std::uint64_t size) : size_(size), pages_((size + page_bits - 1) / page_bits) {}

  /// A set of all points.
  static PointSet full(std::uint64_t size) {
    PointSet set(size);
    for (std::uint64_t page = 0; page < set.pages_.size(); ++page)
      set.pages_[page].count = static_cast<std::uint32_t>(set.points_of(page));
    set.count_ = size;
    return set;
  }

  std::uint64_t size() const { return size_; }
  std::uint64_t count() const { return count_; }

  bool contains(std::uint64_t point) const {
    const Page& page = pages_[point / page_bits];
    return page.bits ? page.bits->test(point % page_bits) : page.count > 0;
  }

  /// Returns false if the point was in the set already.
  bool insert(std::uint64_t point) {
    Page& page = pages_[point / page_bits];
    if (!page.bits) {
      if (page.count > 0) return false;
      page.bits = std::make_unique<std::bitset<page_bits>>();
    }
    if (page.bits->test(point % page_bits)) return false;
    page.bits->set(point % page_bits);
    ++count_;
    if (++page.count == points_of(point / page_bits)) page.bits.reset();
    return true;
  }

  /// Returns false if the point was not in the set.
  bool erase(std::uint64_t point) {
    Page& page = pages_[point / page_bits];
    if (!contains(point)) return false;
    if (!page.bits) {
      page.bits = std::make_unique<std::bitset<page_bits>>();
      for (std::uint64_t other = 0; other < points_of(point / page_bits); ++other) page.bits->set(other);
    }
    page.bits->reset(point % page_bits);
    --count_;
    if (--page.count == 0) page.bits.reset();
    return true;
  }

  /// The first point from `point` on that is not in the set, or size().
  std::uint64_t next_absent(std::uint64_t point) const {
    while (point < size_) {
      const Page& page = pages_[point / page_bits];
      if (page.count == 0) return point;
      if (!page.bits) {
        point = (point / page_bits + 1) * page_bits;
      } else if (page.bits->test(point % page_bits)) {
        ++point;
      } else {
        return point;
      }
    }
    return size_;
  }

  /// The first point from `point` on that is in the set, but at most `limit`.
  std::uint64_t next_present(std::uint64_t point, std::uint64_t limit) const {
    while (point < limit) {
      const Page& page = pages_[point / page_bits];
      if (page.count == 0) {
        point = (point / page_bits + 1) * page_bits;
      } else if (!page.bits || page.bits->test(point % page_bits)) {
        return point;
      } else {
        ++point;
      }
    }
    return limit;
  }

 private:
  static constexpr std::uint64_t page_bits = 65536;
  struct Page {
    /// nullptr if all points of the page are in the set (count > 0) or all are out of it.
    std::unique_ptr<std::bitset<page_bits>> bits;
    std::uint32_t count = 0;
  };
  std::uint64_t points_of(std::uint64_t page) const {
    return page + 1 == pages_.size() ? size_ - page * page_bits : page_bits;
  }

  std::uint64_t size_;
  std::uint64_t count_ = 0;
  std::vector<Page> pages_;
};

}  // namespace pimsweep::driver
