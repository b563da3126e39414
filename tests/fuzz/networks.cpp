#include "expect.h"
#include "readers.h"
#include "workload/import/formats.h"

namespace pimsweep::fuzz {

namespace {

template <typename Read>
void read_network(std::string_view input, const Read& read) {
  expect_input_error([&] {
    const workload::Model model = read(std::string(input), workload::import::NetworkSource{"network", {}, {}});
    require(model.architecture->graph(model.default_size).defects().empty(), "a network that is read is sound");
  });
}

}  // namespace

void read_configuration(std::string_view input) { read_network(input, workload::import::read_json_network); }
void read_layer_table(std::string_view input) { read_network(input, workload::import::read_csv_network); }

}  // namespace pimsweep::fuzz
