#include "base/csv.h"

#include <catch2/catch.hpp>
#include <random>

#include "base/error.h"

using namespace pimsweep;

namespace {

std::string message_of(std::string_view text) {
  try {
    parse_csv(text, "t.csv");
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("A CSV file is read with the place of each cell") {
  const CsvTable table = parse_csv("a,b\n1,\"x, y\"\n\n2,\n", "t.csv");
  REQUIRE(table.header.size() == 2);
  CHECK(table.header[1].text == "b");
  CHECK(table.header[1].column == 3);
  CHECK(table.column("b") == 1);
  CHECK(table.column("c") == -1);
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0][1].text == "x, y");
  CHECK(table.rows[0][1].line == 2);
  CHECK(table.rows[0][1].column == 3);
  CHECK(table.rows[1][0].line == 4);
  CHECK(table.rows[1][1].text.empty());
}

TEST_CASE("Quotes, line breaks in quotes, CRLF and a byte-order mark are read as RFC 4180 says") {
  const CsvTable table = parse_csv("\xEF\xBB\xBFname,note\r\n\"a \"\"b\"\"\",\"two\nlines\"\r\nc,d", "t.csv");
  CHECK(table.header[0].text == "name");
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0][0].text == "a \"b\"");
  CHECK(table.rows[0][1].text == "two\nlines");
  CHECK(table.rows[1][0].line == 4);
  CHECK(table.rows[1][1].text == "d");
}

TEST_CASE("Spreadsheets separate cells by semicolons or tabs, and write decimal commas") {
  const CsvTable german =
      parse_csv("\xEF\xBB\xBFmodel;batch;bandwidth\r\nresnet-50;1;320,5\r\n\"a;b\";x, y;-0,25\r\n", "t.csv");
  REQUIRE(german.rows.size() == 2);
  CHECK(german.header[2].text == "bandwidth");
  CHECK(german.rows[0][2].text == "320.5");
  CHECK(german.rows[1][0].text == "a;b");
  CHECK(german.rows[1][1].text == "x, y");
  CHECK(german.rows[1][2].text == "-0.25");
  const CsvTable tabs = parse_csv("a\tb\n1\t2\n", "t.csv");
  CHECK(tabs.rows[0][1].text == "2");
  CHECK(tabs.rows[0][1].column == 3);
  const CsvTable commas = parse_csv("a,b;c\n1,2;3\n", "t.csv");
  CHECK(commas.header[1].text == "b;c");
}

TEST_CASE("Blanks around a cell without quotes do not count") {
  const CsvTable table = parse_csv(" a , b\n 1 ,\" 2 \"\n", "t.csv");
  CHECK(table.header[0].text == "a");
  CHECK(table.header[1].text == "b");
  CHECK(table.rows[0][0].text == "1");
  CHECK(table.rows[0][1].text == " 2 ");
}

TEST_CASE("Every ragged row is reported") {
  CHECK(message_of("a,b\n1\n1,2\n1,2,3\n") ==
        "t.csv:2:1: this row has 1 cells, the header has 2\nt.csv:4:1: this row has 3 cells, the header has 2");
}

TEST_CASE("Bad quotes are reported where they are") {
  CHECK(message_of("a,b\n1,\"2\n") == "t.csv:2:3: the quote that opens here is never closed");
  CHECK(message_of("a,b\n\"1\"x,2\n") ==
        "t.csv:2:4: text after a closing quote; a quote within a cell is written twice");
}

TEST_CASE("An empty file is not a table") {
  CHECK(message_of("") == "t.csv: the table is empty: a header line with column names is needed");
  CHECK(message_of("\n\n") == message_of(""));
}

TEST_CASE("What csv_line writes, parse_csv reads") {
  std::mt19937 random(7);
  const std::string alphabet = "ab,\"\n\r x";
  for (int round = 0; round < 500; ++round) {
    std::vector<std::string> cells(2 + random() % 4);
    for (std::string& cell : cells) {
      for (std::size_t i = random() % 6; i > 0; --i) cell += alphabet[random() % alphabet.size()];
    }
    const CsvTable table = parse_csv(csv_line(cells) + csv_line(cells), "t.csv");
    REQUIRE(table.rows.size() == 1);
    REQUIRE(table.header.size() == cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      CHECK(table.header[i].text == cells[i]);
      CHECK(table.rows[0][i].text == cells[i]);
    }
  }
}

TEST_CASE("A CSV file cut anywhere is a table or an error") {
  const std::string whole = "a,b\r\n\"x \"\"y\"\"\",2\n\"l\n\",\"\"\n";
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    try {
      const CsvTable table = parse_csv(std::string_view(whole).substr(0, length), "t.csv");
      for (const auto& row : table.rows) CHECK(row.size() == table.header.size());
    } catch (const InputError& error) {
      CHECK_FALSE(error.problems().empty());
    }
  }
}
