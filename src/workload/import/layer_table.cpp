#include "workload/import/layer_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "base/checked.h"
#include "base/csv.h"

namespace pimsweep::workload::import {

namespace {

constexpr std::size_t max_table_rows = 50'000;
constexpr std::int64_t max_cell = 1'000'000'000;
/// Limits of the elements of one tensor or weight matrix (2^53) and of the multiply-accumulates of all rows.
constexpr double max_row_elements = 9007199254740992.0;
constexpr double max_table_macs = 4e18;
constexpr std::size_t max_name_bytes = 256;
/// Maximum M of N:M sparsity.
constexpr std::int64_t max_block = 4096;
constexpr std::size_t max_problems = 1000;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Header word in lower case, reduced to letters and digits.
std::string key_of(std::string_view text) {
  std::string key;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (std::isalnum(byte) != 0) key += static_cast<char>(std::tolower(byte));
  }
  return key;
}

/// Cells of a line without trailing empty ones, which SCALE-Sim's own tables have.
std::span<const CsvCell> filled(const std::vector<CsvCell>& cells) {
  std::size_t count = cells.size();
  while (count > 0 && trimmed(cells[count - 1].text).empty()) --count;
  return std::span(cells).first(count);
}

/// Column of a table form. Its header begins with `word`.
struct TableColumn {
  std::string_view word;
  std::string_view doc;
  bool required = true;
};

/// Form of a layer table. Its first column is the name of the layer.
struct TableForm {
  std::string_view doc;
  std::span<const TableColumn> columns;
  /// Columns are identified by their headers, not by their position.
  bool by_word = false;
};

/// Positions of columns in the forms.
struct ConvolutionColumn {
  enum : std::size_t {
    map_height = 1,
    map_width,
    kernel_height,
    kernel_width,
    channels,
    outputs,
    stride,
    stride_width
  };
};
struct ProductColumn {
  enum : std::size_t { rows = 1, inner, columns, batch, weights };
};

constexpr std::array convolution_columns{
    TableColumn{"layer", "Layer name"},          TableColumn{"ifmap", "IFMAP Height"},
    TableColumn{"ifmap", "IFMAP Width"},         TableColumn{"filter", "Filter Height"},
    TableColumn{"filter", "Filter Width"},       TableColumn{"channel", "Channels"},
    TableColumn{"numfilter", "Num Filter"},      TableColumn{"stride", "Strides"},
    TableColumn{"stride", "Stride width", false}};
constexpr std::array gemm_columns{TableColumn{"l", "Layer"}, TableColumn{"m", "M"}, TableColumn{"n", "N"},
                                  TableColumn{"k", "K"}};
constexpr std::array product_form_columns{
    TableColumn{"name", "name"},       TableColumn{"rows", "rows"},          TableColumn{"inner", "inner"},
    TableColumn{"columns", "columns"}, TableColumn{"batch", "batch", false}, TableColumn{"weights", "weights", false}};

constexpr TableForm convolution_form{"convolutions of SCALE-Sim", convolution_columns};
constexpr TableForm gemm_form{"GEMMs of SCALE-Sim", gemm_columns};
constexpr TableForm product_form{"GEMMs", product_form_columns, true};

std::string words_of(const TableForm& form) {
  std::vector<std::string_view> words;
  for (const TableColumn& column : form.columns) {
    if (column.required) words.push_back(column.doc);
  }
  return fmt::format("{} ({})", fmt::join(words, ", "), form.doc);
}

/// Form that a header belongs to; null if there is none.
const TableForm* form_of(std::span<const CsvCell> header) {
  std::vector<std::string> keys;
  keys.reserve(header.size());
  for (const CsvCell& cell : header) keys.push_back(key_of(cell.text));
  if (keys.size() > 1 && keys[1].starts_with("ifmap")) return &convolution_form;
  if (keys.size() > 3 && keys[1] == "m" && keys[2] == "n" && keys[3] == "k") return &gemm_form;
  if (std::find(keys.begin(), keys.end(), "inner") != keys.end()) return &product_form;
  return nullptr;
}

class LayerTableReader {
 public:
  LayerTableReader(const std::string& file, std::vector<std::string>& headings, ProblemList& problems)
      : file_(file), headings_(headings), problems_(problems) {}

  std::vector<TableLayer> read(const CsvTable& table) {
    const std::span<const CsvCell> header = filled(table.header);
    form_ = form_of(header);
    if (form_ == nullptr) {
      problem(table.header.front(),
              fmt::format("the header does not match any layer table; supported are: {}; {}; {}",
                          words_of(convolution_form), words_of(gemm_form), words_of(product_form)));
      return {};
    }
    read_header(header);
    if (!sound_) return {};
    if (table.rows.size() > max_table_rows) {
      problem(table.rows[max_table_rows].front(), fmt::format("the table has more than {} rows", max_table_rows));
      return {};
    }
    std::vector<TableLayer> layers;
    layers.reserve(table.rows.size());
    for (const std::vector<CsvCell>& row : table.rows) {
      const std::span<const CsvCell> cells = filled(row);
      if (!form_->by_word && cells.size() == 1 && is_name(cells.front()) && &row != &table.rows.back()) {
        headings_.emplace_back(trimmed(cells.front().text));
      } else if (!cells.empty()) {
        read_row(cells, layers);
      }
      if (problems_.problems().size() > max_problems) {
        problem(row.front(), "too many errors: the remaining rows are not checked");
        return {};
      }
    }
    if (layers.empty() && sound_)
      problem(table.header.front(), "the table has no rows: a network needs at least one layer");
    if (macs_ > max_table_macs) {
      problem(table.header.front(), "the multiply-accumulates of all rows exceed 64-bit integers");
    }
    return layers;
  }

 private:
  void problem(const CsvCell& cell, std::string message) {
    sound_ = false;
    problems_.add({file_, cell.line, cell.column}, std::move(message));
  }

  void read_header(std::span<const CsvCell> header) {
    places_.assign(form_->columns.size(), std::nullopt);
    const auto required = static_cast<std::size_t>(std::ranges::count(form_->columns, true, &TableColumn::required));
    for (std::size_t i = 0; i < header.size(); ++i) {
      // Columns after a nameless one are notes.
      if (!form_->by_word && i >= required && trimmed(header[i].text).empty()) break;
      if (!place_column(key_of(header[i].text), i)) report_column(header[i]);
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_[i] || !form_->columns[i].required) continue;
      problem(header.front(), fmt::format("a table of {} requires the column '{}'", form_->doc, form_->columns[i].doc));
    }
  }

  /// True if a header belongs to a column of the form, or to one that is ignored.
  bool place_column(const std::string& key, std::size_t place) {
    const auto& columns = form_->columns;
    if (!form_->by_word && place < columns.size() && key.starts_with(columns[place].word)) {
      places_[place] = place;
      return true;
    }
    if (form_->by_word) {
      const auto found =
          std::find_if(columns.begin(), columns.end(), [&](const TableColumn& c) { return c.word == key; });
      if (found == columns.end() || places_[static_cast<std::size_t>(found - columns.begin())]) return false;
      places_[static_cast<std::size_t>(found - columns.begin())] = place;
      return true;
    }
    if (key.starts_with("sparsity")) sparsity_ = place;
    return key.starts_with("sparsity") || key == "batchsize";
  }

  void report_column(const CsvCell& cell) {
    std::vector<std::string_view> words;
    words.reserve(form_->columns.size());
    for (const TableColumn& column : form_->columns) words.push_back(column.doc);
    problem(cell, fmt::format("a table of {} does not have a column '{}' here; its columns are: {}", form_->doc,
                              trimmed(cell.text), fmt::join(words, ", ")));
  }

  void read_row(std::span<const CsvCell> cells, std::vector<TableLayer>& layers) {
    cells_ = cells;
    const bool was_sound = std::exchange(sound_, true);
    TableLayer layer;
    layer.name = name();
    if (form_ == &convolution_form) {
      layer.layer = convolution(layer.name);
    } else {
      layer.layer = form_ == &gemm_form ? gemm() : product();
    }
    if (sparsity_ && *sparsity_ < cells.size() && sound_) compress(cells[*sparsity_], layer);
    if (sound_) std::visit([&](const auto& read) { check_size(read); }, layer.layer);
    if (sound_) layers.push_back(std::move(layer));
    sound_ = sound_ && was_sound;
  }

  const CsvCell* cell(std::size_t column) const {
    const std::optional<std::size_t> place = places_[column];
    return place && *place < cells_.size() && !trimmed(cells_[*place].text).empty() ? &cells_[*place] : nullptr;
  }

  static bool is_name(const CsvCell& cell) {
    const std::string_view text = trimmed(cell.text);
    return !text.empty() && text.size() <= max_name_bytes &&
           std::ranges::none_of(text, [](char letter) { return static_cast<unsigned char>(letter) < ' '; });
  }

  /// Unique name of a row: tables may use one name for several rows.
  std::string name() {
    const CsvCell* given = cell(0);
    if (given == nullptr || !is_name(*given)) {
      problem(cells_.front(),
              fmt::format("a row must begin with the name of its layer, of at most {} bytes without line breaks",
                          max_name_bytes));
      return {};
    }
    const std::string_view text = trimmed(given->text);
    std::string name(text);
    if (names_.emplace(name, 1).second) return name;
    // Continues counting after the last row of this name.
    int& uses = names_[std::string(text)];
    do {
      name = fmt::format("{}.{}", text, ++uses);
    } while (names_.contains(name));
    names_.emplace(name, 1);
    return name;
  }

  /// Integer of at least 1; `fallback` if an optional column is empty.
  std::int64_t integer(std::size_t column, std::int64_t fallback = 1) {
    const TableColumn& described = form_->columns[column];
    const CsvCell* given = cell(column);
    if (given == nullptr) {
      if (described.required) problem(cells_.back(), fmt::format("the row lacks '{}'", described.doc));
      return fallback;
    }
    const std::string_view text = trimmed(given->text);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value >= 1 && value <= max_cell) return value;
    problem(*given, fmt::format("'{}' is '{}', but an integer from 1 to {} is needed", described.doc, text, max_cell));
    return fallback;
  }

  TableConvolution convolution(std::string_view name) {
    using Column = ConvolutionColumn;
    TableConvolution layer;
    layer.map = {integer(Column::map_height), integer(Column::map_width)};
    layer.kernel = {integer(Column::kernel_height), integer(Column::kernel_width)};
    layer.channels = integer(Column::channels);
    layer.outputs = integer(Column::outputs);
    const std::int64_t high = integer(Column::stride);
    layer.stride = {high, integer(Column::stride_width, high)};
    if (sound_ && (layer.kernel.height > layer.map.height || layer.kernel.width > layer.map.width)) {
      problem(cells_[Column::kernel_height],
              fmt::format("a filter of {} x {} does not fit a map of {} x {}", layer.kernel.height, layer.kernel.width,
                          layer.map.height, layer.map.width));
    }
    // SCALE-Sim runs such a row once for each channel.
    if (name.find("DP") != std::string_view::npos) {
      layer.groups = layer.channels;
      layer.outputs *= layer.channels;
    }
    return layer;
  }

  TableProduct gemm() {
    const std::int64_t rows = integer(1);
    const std::int64_t columns = integer(2);
    return {{1, rows, integer(3), columns}, true};
  }

  TableProduct product() {
    TableProduct layer;
    layer.product = {integer(ProductColumn::batch), integer(ProductColumn::rows), integer(ProductColumn::inner),
                     integer(ProductColumn::columns)};
    layer.has_weights = layer.product.batch == 1;
    const CsvCell* weights = cell(ProductColumn::weights);
    if (weights == nullptr) return layer;
    const std::string_view word = trimmed(weights->text);
    if (word != "yes" && word != "no") {
      problem(*weights, fmt::format("'weights' is '{}', but 'yes' or 'no' is needed", word));
    }
    layer.has_weights = word == "yes";
    return layer;
  }

  /// N:M sparsity: `kept` of every `block` weights along the inner dimension are nonzero, as in "2:4".
  struct Density {
    std::int64_t kept = 1;
    std::int64_t block = 1;
  };

  std::optional<Density> density(const CsvCell& cell) {
    const std::string_view text = trimmed(cell.text);
    if (text.empty()) return Density{};
    const std::size_t colon = text.find(':');
    Density density;
    const auto read = [&](std::string_view part, std::int64_t& number) {
      const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
      return error == std::errc() && end == part.data() + part.size() && number >= 1 && number <= max_block;
    };
    const bool is_ratio = colon != std::string_view::npos && read(text.substr(0, colon), density.kept) &&
                          read(text.substr(colon + 1), density.block) && density.kept <= density.block;
    if (is_ratio) return density;
    problem(cell, fmt::format("'{}' is not a valid sparsity: expected N:M, with N of every M weights nonzero and M at "
                              "most {}",
                              text, max_block));
    return std::nullopt;
  }

  /// Replaces a sparse layer by a GEMM with its nonzero weights, each stored with its index in its block.
  void compress(const CsvCell& cell, TableLayer& layer) {
    const std::optional<Density> share = density(cell);
    if (!share || share->kept == share->block) return;
    TableProduct product;
    if (const auto* convolution = std::get_if<TableConvolution>(&layer.layer)) {
      if (convolution->groups != 1) return problem(cell, "a depthwise layer cannot be sparse");
      const Extent output = convolution->output();
      product = {
          {1, output.height * output.width,
           Count{convolution->kernel.height} * convolution->kernel.width * convolution->channels, convolution->outputs},
          true};
    } else {
      product = std::get<TableProduct>(layer.layer);
    }
    std::int64_t& inner = product.product.inner;
    inner = Count{(inner + share->block - 1) / share->block} * share->kept;
    const auto bits = static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(share->block - 1)));
    layer.metadata_bits = Count{product.product.batch} * inner * product.product.columns * bits;
    layer.layer = product;
  }

  static double real(std::int64_t count) { return static_cast<double>(count); }

  void check_size(const TableConvolution& layer) {
    const Extent output = layer.output();
    const double positions = real(output.height) * real(output.width);
    const double weights = real(layer.kernel.height) * real(layer.kernel.width) * real(layer.channels / layer.groups) *
                           real(layer.outputs);
    // Windows reach beyond the map by less than a kernel or a stride.
    const double input = (real(layer.map.height) + real(layer.stride.height)) *
                         (real(layer.map.width) + real(layer.stride.width)) * real(layer.channels);
    check_elements({input, positions * real(layer.outputs), weights}, positions * weights);
  }

  void check_size(const TableProduct& layer) {
    const auto& [batch, rows, inner, columns] = layer.product;
    check_elements({real(batch) * real(rows) * real(inner), real(batch) * real(inner) * real(columns),
                    real(batch) * real(rows) * real(columns)},
                   real(batch) * real(rows) * real(inner) * real(columns));
  }

  void check_elements(std::initializer_list<double> elements, double macs) {
    macs_ += macs;
    if (std::max(elements) <= max_row_elements) return;
    problem(cells_.front(),
            fmt::format("a tensor of this row has {:.3g} elements, more than 2^53", std::max(elements)));
  }

  const std::string& file_;
  std::vector<std::string>& headings_;
  ProblemList& problems_;
  const TableForm* form_ = nullptr;
  /// Position of each column of the form, and of the sparsity ratios.
  std::vector<std::optional<std::size_t>> places_;
  std::optional<std::size_t> sparsity_;
  std::span<const CsvCell> cells_;
  /// Number of uses of each name.
  std::map<std::string, int, std::less<>> names_;
  double macs_ = 0;
  /// False after a problem in the header or in the rows so far.
  bool sound_ = true;
};

}  // namespace

Extent TableConvolution::output() const {
  const auto along = [](std::int64_t length, std::int64_t side, std::int64_t step) {
    return (length - side + step - 1) / step + 1;
  };
  return {along(map.height, kernel.height, stride.height), along(map.width, kernel.width, stride.width)};
}

std::string TableLayer::text() const {
  if (const auto* c = std::get_if<TableConvolution>(&layer)) {
    return fmt::format("{}: convolution {}x{}x{} kernel {}x{} stride {}x{} outputs {} groups {}\n", name, c->map.height,
                       c->map.width, c->channels, c->kernel.height, c->kernel.width, c->stride.height, c->stride.width,
                       c->outputs, c->groups);
  }
  const auto& p = std::get<TableProduct>(layer);
  return fmt::format("{}: product {}x{}x{}x{} weights {}\n", name, p.product.batch, p.product.rows, p.product.inner,
                     p.product.columns, p.has_weights);
}

std::vector<TableLayer> read_layer_table(std::string_view text, const std::string& file,
                                         std::vector<std::string>& headings, ProblemList& problems) {
  return LayerTableReader(file, headings, problems).read(parse_csv(text, file, CsvRows::any));
}

}  // namespace pimsweep::workload::import
