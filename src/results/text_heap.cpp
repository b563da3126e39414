#include "results/text_heap.h"

#include <cstring>
#include <limits>

#include "results/hdf5_write.h"

namespace pimsweep::results {

namespace {

/// More than this is not kept back from the heap.
constexpr std::size_t max_pending_bytes = 1 << 18;
constexpr std::uint32_t pending_index = std::numeric_limits<std::uint32_t>::max();

}  // namespace

void TextReference::store(char* bytes) const {
  std::memcpy(bytes, &length, 4);
  std::memcpy(bytes + 4, &address, 8);
  std::memcpy(bytes + 12, &index, 4);
}

TextReference TextReference::load(const char* bytes) {
  TextReference reference;
  std::memcpy(&reference.length, bytes, 4);
  std::memcpy(&reference.address, bytes + 4, 8);
  std::memcpy(&reference.index, bytes + 12, 4);
  return reference;
}

TextHeap::TextHeap(hid_t file) : raw_(capacity * TextReference::stored_bytes, '\0') {
  const hsize_t rows = capacity;
  const Hdf5Handle space(H5Screate_simple(1, &rows, nullptr), H5Sclose);
  const Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  hdf5::check(H5Pset_chunk(properties.get(), 1, &rows), "set the chunk size");
  hdf5::check(H5Pset_obj_track_times(properties.get(), false), "leave out object times");
  const Hdf5Handle type = hdf5::text_type();
  scratch_ = {
      hdf5::checked(H5Dcreate_anon(file, type.get(), space.get(), properties.get(), H5P_DEFAULT), "create a dataset"),
      H5Dclose};
}

void TextHeap::put(const std::vector<const char*>& texts, std::vector<TextReference>& references) {
  const hsize_t start = 0;
  const hsize_t count = texts.size();
  const Hdf5Handle type = hdf5::text_type();
  const Hdf5Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Hdf5Handle space(H5Dget_space(scratch_.get()), H5Sclose);
  hdf5::check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &count, nullptr), "select rows");
  hdf5::check(H5Dwrite(scratch_.get(), type.get(), memory.get(), space.get(), H5P_DEFAULT, texts.data()),
              "write texts (is the disk full?)");
  std::uint32_t filters = 0;
  hdf5::check(H5Dread_chunk(scratch_.get(), H5P_DEFAULT, &start, &filters, raw_.data()), "read references");
  references.clear();
  for (std::size_t i = 0; i < texts.size(); ++i)
    references.push_back(TextReference::load(raw_.data() + i * TextReference::stored_bytes));
  // HDF5 frees the texts of rows that are written again, so the rows must forget them.
  raw_.assign(raw_.size(), '\0');
  hdf5::check(H5Dwrite_chunk(scratch_.get(), H5P_DEFAULT, 0, &start, raw_.size(), raw_.data()), "forget references");
}

TextReference TextBlock::pending(std::size_t number) { return {0, pending_index, number}; }

bool TextBlock::is_pending(const TextReference& reference) const { return reference.index == pending_index; }

void TextBlock::push(std::string_view text, const Hash128& hash) {
  if (text.empty()) {
    rows_.emplace_back();
    return;
  }
  all_empty_ = false;
  const std::size_t place = hash.low % recent_.size();
  if (recent_[place].hash != hash) {
    if (pending_starts_.size() == TextHeap::capacity || pending_bytes_.size() > max_pending_bytes) store_pending();
    recent_[place] = {hash, pending(pending_starts_.size())};
    pending_places_.push_back(place);
    pending_starts_.push_back(pending_bytes_.size());
    pending_bytes_.append(text);
    pending_bytes_ += '\0';
  }
  rows_.push_back(recent_[place].reference);
}

void TextBlock::store_pending() {
  if (!pending_starts_.empty()) {
    std::vector<const char*> texts;
    for (const std::size_t start : pending_starts_) texts.push_back(pending_bytes_.data() + start);
    heap_.put(texts, stored_);
    for (const std::size_t place : pending_places_) {
      TextReference& reference = recent_[place].reference;
      if (is_pending(reference)) reference = stored_[reference.address];
    }
    for (std::size_t row = first_pending_row_; row < rows_.size(); ++row) {
      if (is_pending(rows_[row])) rows_[row] = stored_[rows_[row].address];
    }
  }
  first_pending_row_ = rows_.size();
  pending_bytes_.clear();
  pending_starts_.clear();
  pending_places_.clear();
}

std::string TextBlock::take(std::size_t chunk_rows) {
  store_pending();
  std::string bytes(chunk_rows * TextReference::stored_bytes, '\0');
  for (std::size_t row = 0; row < rows_.size(); ++row)
    rows_[row].store(bytes.data() + row * TextReference::stored_bytes);
  rows_.clear();
  first_pending_row_ = 0;
  all_empty_ = true;
  return bytes;
}

}  // namespace pimsweep::results
