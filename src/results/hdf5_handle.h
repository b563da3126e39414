#pragma once

#include <hdf5.h>

#include <atomic>
#include <cstdint>
#include <utility>

namespace pimsweep::results {

/// Must be called before any other function of HDF5; calling it again is harmless. Silences HDF5's own error messages
/// and removes its exit handler, which crashes after a failed write (a full disk).
inline void prepare_hdf5() {
  static const herr_t once = H5dont_atexit();
  static_cast<void>(once);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

/// Owns an HDF5 identifier and closes it. HDF5 writes much of its data only on closing, so a writer must check for
/// failures at its end.
class Hdf5Handle {
 public:
  /// Number of failed closings in this process.
  static std::uint64_t failures() { return failures_; }
  using Close = herr_t (*)(hid_t);
  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle() {
    if (id_ >= 0 && close_(id_) < 0) ++failures_;
  }
  hid_t get() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  static inline std::atomic<std::uint64_t> failures_ = 0;
  hid_t id_ = -1;
  Close close_ = nullptr;
};

}  // namespace pimsweep::results
