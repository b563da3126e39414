#include "results/data_frame.h"

#include "results/frame_reader.h"
#include "results/hdf5_read.h"

namespace pimsweep::results {

DataFrame read_study(const std::string& results_file, const std::string& study) {
  const Hdf5Handle file = hdf5::open_results(results_file);
  FrameReader reader(file.get(), results_file, study);
  return reader.read({{0, reader.rows()}}, [](const ColumnReader&) { return true; });
}

void append_cell(const DataColumn& column, std::size_t row, std::string& key) {
  if (column.is_text()) {
    key += column.texts[row];
  } else {
    key.append(reinterpret_cast<const char*>(&column.numbers[row]), sizeof(double));
  }
  key += '\x1f';
}

}  // namespace pimsweep::results
