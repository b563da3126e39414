#include "commands/command_line.h"

int main(int argc, char** argv) {
  return pimsweep::commands::finish_output(pimsweep::commands::run_command_line(argc, argv));
}
