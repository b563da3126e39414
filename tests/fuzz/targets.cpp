#include "targets.h"

#include <array>

#include "readers.h"

namespace pimsweep::fuzz {

std::span<const Target> targets() {
  static constexpr std::array readers{
      Target{"command_line", read_command_line},
      Target{"network", read_network},
      Target{"journal_set", read_journal_set},
      Target{"quantity", read_quantity},
      Target{"csv", read_csv},
      Target{"condition", read_condition},
      Target{"experiment", read_experiment},
      Target{"hardware", read_hardware},
      Target{"model", read_model},
      Target{"configuration", read_configuration},
      Target{"layer_table", read_layer_table},
      Target{"training", read_training},
      Target{"journal", read_journal},
      Target{"results_file", read_results_file},
  };
  return readers;
}

}  // namespace pimsweep::fuzz
