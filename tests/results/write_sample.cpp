// Writes the sample studies to the file named: what test_layout.py opens with other people's readers.

#include <fmt/format.h>

#include "sample.h"
#include "text_study.h"

namespace {

/// Short and empty texts, and two that no column of 20001 rows holds, one of them longer than any column holds.
std::unique_ptr<pimsweep::results::StudyView> text_study(const char* id, std::size_t size) {
  std::vector<std::string> texts;
  for (std::size_t row = 0; row < size; ++row) texts.push_back(row % 2 == 0 ? fmt::format("{} \u00e9", row) : "");
  texts[77] = "lang: ";
  for (int i = 0; i < 2000; ++i) texts[77] += "\u00e4\u20ac\U0001f600";
  if (size > 20000) texts[20000] = std::string(257, 'x');
  return std::make_unique<pimsweep::sample::TextStudy>(id, std::move(texts));
}

}  // namespace

int main(int, char** argv) {
  auto studies = pimsweep::sample::studies();
  studies.push_back(text_study("texts", 20001));
  studies.push_back(text_study("few", 100));
  pimsweep::results::write_results(argv[1], {"sample", "name = \"sample\"\n", {{"chip", "doc = \"a chip\"\n"}}},
                                   studies, {{"hosts", "here"}});
}
