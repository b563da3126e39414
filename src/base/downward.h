#pragma once

namespace pimsweep {

/// The indices n - 1, n - 2, ..., 0, without unsigned wrap-around.
template <typename Index>
class Downward {
 public:
  class Iterator {
   public:
    explicit constexpr Iterator(Index above) : above_(above) {}
    constexpr Index operator*() const { return above_ - 1; }
    constexpr Iterator& operator++() {
      --above_;
      return *this;
    }
    constexpr bool operator!=(Iterator other) const { return above_ != other.above_; }

   private:
    Index above_;
  };

  explicit constexpr Downward(Index n) : n_(n) {}
  constexpr Iterator begin() const { return Iterator(n_); }
  constexpr Iterator end() const { return Iterator(0); }

 private:
  Index n_;
};

/// Iterates over n indices from last to first: for (const std::size_t i : downward(n)).
template <typename Index>
constexpr Downward<Index> downward(Index n) {
  return Downward<Index>(n);
}

}  // namespace pimsweep
