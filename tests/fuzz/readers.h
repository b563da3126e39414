#pragma once

#include <string_view>

/// Readers of foreign input, for fuzzing. Each takes any bytes and returns; an error that says what is wrong with them
/// (InputError, PointError) is caught, and whatever else goes wrong ends the process.
namespace pimsweep::fuzz {

void read_command_line(std::string_view input);
void read_quantity(std::string_view input);
void read_csv(std::string_view input);
void read_condition(std::string_view input);
void read_experiment(std::string_view input);
void read_hardware(std::string_view input);
void read_model(std::string_view input);
void read_configuration(std::string_view input);
void read_layer_table(std::string_view input);
void read_training(std::string_view input);
void read_journal(std::string_view input);
void read_journal_set(std::string_view input);
void read_network(std::string_view input);
void read_results_file(std::string_view input);

}  // namespace pimsweep::fuzz
