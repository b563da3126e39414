#include "results/bands.h"

#include <fmt/format.h>

#include "commands/commands.h"
#include "commands/output.h"
#include "commands/text_table.h"

namespace pimsweep::commands {

namespace {

std::string band_text(const results::Band& band) {
  const bool is_number = band.spread && results::number_in(band.usual.published.value);
  if (!is_number) return fmt::format("holds on {:.0f} %", 100 * band.near);
  return fmt::format("{:.4g} [{:.4g}, {:.4g}]", band.spread->median, band.spread->low, band.spread->high);
}

std::string judgment(const results::Band& band) {
  if (band.covered) return "covered";
  return band.reached ? "reached" : "not reached";
}

void print_summary(const std::vector<results::Band>& bands) {
  TextTable table({"paper", "values", "covered", "reached", "median width"});
  for (const results::BandTally& tally : results::tally_bands(bands)) {
    table.add({tally.paper, std::to_string(tally.values), std::to_string(tally.covered), std::to_string(tally.reached),
               fmt::format("{:.0f} %", 100 * tally.width)});
  }
  fmt::print("{}", table.aligned());
}

}  // namespace

int bands(const std::vector<std::string>& results, const OutputForm& form, const std::string& machines,
          const std::string& published_dir) {
  const std::vector<results::Band> bands = results::make_bands(results, results::read_published(published_dir));
  write_table(TextTable::from_csv(results::bands_csv(bands)), form,
              {"published", "published_hi", "reproduced", "draws", "least", "low", "median", "high", "most", "near"});
  if (!machines.empty()) write_output(machines, results::machines_csv(bands));
  if (!form.has_text()) return 0;
  if (bands.empty()) {
    fmt::print("no study has drawn machines: run the experiment with --draws, or write [study.uncertainty]\n");
    return 0;
  }
  TextTable table({"id", "published", "unit", "ours", "median [5 %, 95 %]", "published is", "verdict"});
  for (const results::Band& band : bands) {
    const results::PublishedValue& published = band.usual.published;
    table.add({published.id, published.text(), published.unit, band.usual.reproduced, band_text(band), judgment(band),
               std::string(results::name_of(band.usual.verdict))});
  }
  fmt::print("{}", table.aligned());
  print_summary(bands);
  return 0;
}

}  // namespace pimsweep::commands
