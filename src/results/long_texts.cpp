#include "results/long_texts.h"

#include "results/hdf5_write.h"
#include "results/text_block.h"

namespace pimsweep::results {

namespace {

Hdf5Handle create_table(hid_t group, const std::string& column) {
  const bool first = H5Lexists(group, LongTexts::group_name, H5P_DEFAULT) <= 0;
  const Hdf5Handle tables =
      first ? hdf5::create_group(group, LongTexts::group_name)
            : Hdf5Handle(hdf5::checked(H5Gopen2(group, LongTexts::group_name, H5P_DEFAULT), "open a group"), H5Gclose);
  return hdf5::create_group(tables.get(), column);
}

GroupInfo pieces_of(const std::string& column) {
  return {column,
          {},
          {{"piece", "1", "number of the piece of text", "", "", ValueType::integer},
           {"owner", "1", "number of the row that the text belongs to", "", "", ValueType::integer},
           {"text", "1", "piece of a text that is too long for its column", "", "", ValueType::text}}};
}

}  // namespace

LongTexts::LongTexts(hid_t group, const std::string& column, const ColumnTarget& target)
    : pieces_(create_table(group, column), pieces_of(column), target) {}

void LongTexts::push(std::uint64_t row, std::string_view text) {
  while (!text.empty()) {
    const std::string_view piece = utf8_prefix(text, max_piece_bytes);
    pieces_[1].push(static_cast<std::int64_t>(row));
    pieces_[2].push(piece);
    pieces_.end_row();
    text.remove_prefix(piece.size());
  }
}

}  // namespace pimsweep::results
