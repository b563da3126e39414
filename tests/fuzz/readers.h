#pragma once

#include <string_view>

namespace pimsweep::fuzz {

void read_quantity(std::string_view input);
void read_csv(std::string_view input);
void read_condition(std::string_view input);
void read_experiment(std::string_view input);
void read_hardware(std::string_view input);
void read_model(std::string_view input);
void read_configuration(std::string_view input);
void read_layer_table(std::string_view input);
void read_training(std::string_view input);
void read_published(std::string_view input);
void read_journal(std::string_view input);
void read_results_file(std::string_view input);

}  // namespace pimsweep::fuzz
