#include <cstdlib>

#include "commands/command_line.h"
#include "halves.h"
#include "memory_stream.h"
#include "systems/hypar/policy.h"
#include "systems/register_system.h"

int main(int argc, char** argv) {
  using namespace pimsweep;
  // The program lies outside of the installation. A user's own variable comes first.
  ::setenv("PIMSWEEP_CONFIGS", MYSWEEP_CONFIGS, 0);
  systems::register_system({"memory-stream", mysweep::make_memory_stream});
  systems::hypar::register_policy(
      {"halves", "model parallelism between the halves of the array, data parallelism below", mysweep::choose_halves});
  return commands::finish_output(commands::run_command_line(argc, argv));
}
