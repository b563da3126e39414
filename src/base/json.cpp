#include "base/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text_cursor.h"

namespace pimsweep {

namespace {

constexpr std::size_t max_json_bytes = std::size_t{4} << 20U;
constexpr std::size_t max_json_nodes = 200'000;
constexpr std::size_t max_json_depth = 64;

/// An iterator over a text that tells all its copies' owner how far the parser has read.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* taken) : at_(at), taken_(taken) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*taken_;
    return *this;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  std::size_t* taken_;
};

/// Builds the document from the parser's events, each of which comes when its last byte has been read.
class JsonHandler {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  JsonHandler(std::string_view text, const std::string& file) : text_(text), file_(file), cursor_(text) {}

  JsonNode read() {
    nlohmann::json::sax_parse(CountingIterator(text_.data(), &taken_),
                              CountingIterator(text_.data() + text_.size(), &taken_), this);
    problems_.throw_if_any();
    return std::move(root_);
  }

  bool null() { return add({}) != nullptr; }
  bool boolean(bool value) { return add_scalar(value); }
  bool number_integer(number_integer_t value) { return add_scalar(std::int64_t{value}); }
  bool number_unsigned(number_unsigned_t value) {
    constexpr auto max = std::numeric_limits<std::int64_t>::max();
    return value <= static_cast<number_unsigned_t>(max) ? add_scalar(static_cast<std::int64_t>(value))
                                                        : add_scalar(static_cast<double>(value));
  }
  bool number_float(number_float_t value, const string_t& /*text*/) { return add_scalar(value); }
  bool string(string_t& value) { return add_scalar(std::move(value)); }
  bool binary(binary_t& /*value*/) { return false; }  // not in a text
  bool start_object(std::size_t /*size*/) { return open(JsonNode::Kind::object); }
  bool start_array(std::size_t /*size*/) { return open(JsonNode::Kind::list); }
  bool end_array() { return close(); }
  bool end_object() { return close(); }

  bool key(string_t& name) {
    const SourcePosition where = next_token();
    const auto [first, added] = names_.back().emplace(name, where.line);
    if (!added) problems_.add(where, fmt::format("the key '{}' stands twice: first in line {}", name, first->second));
    open_.back()->keys.push_back({std::move(name), where.line, where.column});
    return true;
  }

  bool parse_error(std::size_t /*position*/, const std::string& /*token*/, const nlohmann::json::exception& error) {
    problems_.add(place_of_error(), fmt::format("no JSON: {}", reason_of(error.what())));
    return false;
  }

 private:
  /// The message of the library without its own name and place.
  static std::string_view reason_of(std::string_view message) {
    message.remove_prefix(std::min(message.find("] ") + 2, message.size()));
    const std::size_t place = message.find("column ");
    const std::size_t colon = place == std::string_view::npos ? place : message.find(": ", place);
    return colon == std::string_view::npos ? message : message.substr(colon + 2);
  }

  void walk_to(std::size_t taken) {
    cursor_.skip(taken - std::min(taken, walked_));
    walked_ = std::max(walked_, taken);
  }

  /// The separator that is one too many, or the token that does not suit.
  SourcePosition place_of_error() {
    const bool is_separator = taken_ > 0 && (text_[taken_ - 1] == ',' || text_[taken_ - 1] == ':');
    if (!is_separator) return next_token();
    walk_to(taken_ - 1);
    return {file_, cursor_.line(), cursor_.column()};
  }

  /// The place of the token that has just been read: the first one after the last event.
  SourcePosition next_token() {
    constexpr std::string_view between = " \t\r\n,:";
    while (!cursor_.at_end() && between.find(cursor_.peek()) != std::string_view::npos) {
      cursor_.take();
      ++walked_;
    }
    SourcePosition where{file_, cursor_.line(), cursor_.column()};
    walk_to(taken_);
    return where;
  }

  bool add_scalar(Value value) {
    JsonNode node;
    node.kind = JsonNode::Kind::scalar;
    node.scalar = std::move(value);
    return add(std::move(node)) != nullptr;
  }

  /// Null, and a problem, if the document has too many values.
  JsonNode* add(JsonNode node) {
    const SourcePosition where = next_token();
    node.line = where.line;
    node.column = where.column;
    if (++nodes_ > max_json_nodes) {
      problems_.add(where, fmt::format("the file has more than {} values", max_json_nodes));
      return nullptr;
    }
    if (open_.empty()) {
      root_ = std::move(node);
      return &root_;
    }
    return &open_.back()->items.emplace_back(std::move(node));
  }

  bool open(JsonNode::Kind kind) {
    JsonNode node;
    node.kind = kind;
    JsonNode* added = add(std::move(node));
    if (added == nullptr) return false;
    open_.push_back(added);
    names_.emplace_back();
    if (open_.size() <= max_json_depth) return true;
    problems_.add({file_, added->line, added->column},
                  fmt::format("lists and objects are nested more than {} deep", max_json_depth));
    return false;
  }

  bool close() {
    walk_to(taken_);
    open_.pop_back();
    names_.pop_back();
    return true;
  }

  std::string_view text_;
  const std::string& file_;
  ProblemList problems_;
  JsonNode root_;
  /// Lists and objects that have not ended, outermost first, and the lines of their keys.
  std::vector<JsonNode*> open_;
  std::vector<std::map<std::string, std::uint32_t, std::less<>>> names_;
  std::size_t nodes_ = 0;
  /// Bytes read by the parser, which is one byte past a number, and bytes passed by the cursor.
  std::size_t taken_ = 0;
  std::size_t walked_ = 0;
  TextCursor cursor_;
};

}  // namespace

const JsonNode* JsonNode::find(std::string_view key) const {
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == key; });
  return found == keys.end() ? nullptr : &items[static_cast<std::size_t>(found - keys.begin())];
}

JsonNode parse_json(std::string_view text, const std::string& file) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  if (text.size() > max_json_bytes) {
    throw InputError({file}, fmt::format("the file has {} bytes, more than the {} that a configuration may have",
                                         text.size(), max_json_bytes));
  }
  return JsonHandler(text, file).read();
}

std::string describe(const JsonNode& node) {
  switch (node.kind) {
    case JsonNode::Kind::null:
      return "null";
    case JsonNode::Kind::list:
      return "a list";
    case JsonNode::Kind::object:
      return "an object";
    case JsonNode::Kind::scalar:
      return fmt::format("the {} {}", name_of(type_of(node.scalar)), to_text(node.scalar));
  }
  return {};
}

}  // namespace pimsweep
