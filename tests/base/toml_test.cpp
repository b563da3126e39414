#include "base/toml.h"

#include <catch2/catch.hpp>

using namespace pimsweep;

namespace {

/// A file and a reader of it.
struct File {
  explicit File(std::string content) : text(std::move(content)), root(parse_toml(text, name)) {}
  const toml::node& operator[](const char* key) const { return *root.get(key); }
  std::string errors() const {
    try {
      problems.throw_if_any();
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  }

  std::string name = "t.toml";
  std::string text;
  toml::table root;
  ProblemList problems;
  TomlReader reader{text, name, problems};
};

}  // namespace

TEST_CASE("A syntax error of TOML has its place") {
  try {
    parse_toml("a = 1\nb = = 2\n", "t.toml");
    FAIL("nothing was thrown");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()).find("t.toml:2:5: not valid TOML: ") == 0);
  }
}

TEST_CASE("Entries are read in the order of the file, unknown ones reported") {
  File file("b = 1\nzzzz = 2\na = \"x\"\n");
  std::string order;
  const auto read = [&](const toml::key& key, const toml::node&) { order += key.str(); };
  file.reader.entries(file.root, "a test", {{"a", read}, {"b", read}});
  CHECK(order == "ba");
  CHECK(file.errors() == "t.toml:2:1: unknown key 'zzzz' in a test; allowed: a, b");
  file.reader.entries(file.root, "a test", {{"a", read}}, read);
  CHECK(order == "babzzzza");
}

TEST_CASE("A node of the wrong kind is reported with what was read") {
  File file(
      "text = 3\nempty = \"\"\nlist = { a = 1 }\nword = \"lgo\"\nnumber = 1.5\ntable = 2020-01-01\ntables = [1]\n");
  const toml::key key("key");
  CHECK_FALSE(file.reader.text(key, file["text"]));
  CHECK(file.reader.text(key, file["empty"]));
  CHECK_FALSE(file.reader.nonempty_text(key, file["empty"]));
  CHECK(file.reader.texts(key, file["list"]).empty());
  CHECK_FALSE(file.reader.word(key, file["word"], "scale", {"linear", "log"}));
  CHECK_FALSE(file.reader.integer(key, file["number"]));
  CHECK(file.reader.table(key, file["table"], "a table [key]") == nullptr);
  CHECK(file.reader.tables(key, file["tables"], "[[key]] blocks").empty());
  CHECK(file.errors() ==
        "t.toml:1:8: 'key': expected text, got the integer 3\n"
        "t.toml:2:9: 'key': expected nonempty text, got the text ''\n"
        "t.toml:3:8: 'key': expected a list of texts, got a table\n"
        "t.toml:4:8: there is no scale 'lgo' (did you mean 'log'?); allowed: linear, log\n"
        "t.toml:5:10: 'key': expected an integer, got the real 1.5\n"
        "t.toml:6:9: 'key': expected a table [key], got a date or time\n"
        "t.toml:7:11: 'key': expected [[key]] blocks, got the integer 1");
}

TEST_CASE("Each byte of a string has its place, through escapes and line breaks") {
  const File file("# \xc3\xa9\na = \"x\\ty\\u00e9z\"\nb = 'p\\q'\nc = \"\"\"\none \\\n  two\"\"\"\n");
  const auto place = [&](const char* key, std::size_t offset) {
    return file.reader.placed_string(file[key])->at(offset).text();
  };
  CHECK(place("a", 0) == "t.toml:2:6");
  CHECK(place("a", 1) == "t.toml:2:7");   // the tab
  CHECK(place("a", 2) == "t.toml:2:9");   // y
  CHECK(place("a", 3) == "t.toml:2:10");  // both bytes of the letter
  CHECK(place("a", 4) == "t.toml:2:10");
  CHECK(place("a", 5) == "t.toml:2:16");  // z
  CHECK(place("a", 6) == "t.toml:2:17");  // the end
  CHECK(place("a", 99) == "t.toml:2:17");
  CHECK(place("b", 1) == "t.toml:3:7");
  CHECK(place("c", 0) == "t.toml:5:1");
  CHECK(place("c", 4) == "t.toml:6:3");
  CHECK_FALSE(file.reader.placed_string(*parse_toml("n = 1", "t.toml").get("n")));
}

TEST_CASE("A key of very many parts is refused") {
  const auto keys = [](int parts) {
    std::string text = "a";
    for (int i = 1; i < parts; ++i) text += ".a";
    return text;
  };
  CHECK_THROWS_WITH(parse_toml("x = 1\n" + keys(50000) + " = 1\n", "f.toml"),
                    Catch::Contains("f.toml:2:130: a key has too many parts"));
  CHECK_THROWS_WITH(parse_toml("[" + keys(50000) + "]\n", "f.toml"), Catch::Contains("f.toml:1:131"));
  CHECK_THROWS_WITH(parse_toml("x = { " + keys(70) + " = 1 }\n", "f.toml"), Catch::Contains("too many parts"));
  CHECK_NOTHROW(parse_toml(keys(60) + " = 1\n", "f.toml"));
  // Numbers, texts and comments have dots too.
  std::string numbers = "x = [0.5";
  for (int i = 0; i < 200; ++i) numbers += ", 0.5";
  const std::string dots(200, '.');
  CHECK_NOTHROW(parse_toml(numbers + "]\ny = \"\\\"" + dots + "\"\nz = '" + dots + "'\n# " + dots + "\n", "f.toml"));
}
