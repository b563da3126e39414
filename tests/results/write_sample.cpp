// Writes the sample studies to the file named: what test_layout.py opens with other people's readers.

#include "sample.h"

int main(int, char** argv) {
  pimsweep::results::write_results(argv[1], {"sample", "name = \"sample\"\n", {{"chip", "doc = \"a chip\"\n"}}},
                                   pimsweep::sample::studies(), {{"hosts", "here"}});
}
