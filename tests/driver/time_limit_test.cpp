#include "driver/time_limit.h"

#include <catch2/catch.hpp>

#include "base/error.h"

using namespace pimsweep::driver;
using namespace pimsweep;

TEST_CASE("times are read as people write them") {
  CHECK(parse_duration("90", "--time-limit") == 90);
  CHECK(parse_duration("1.5", "--time-limit") == 1.5);
  CHECK(parse_duration("90 s", "--time-limit") == 90);
  CHECK(parse_duration("45 min", "--time-limit") == 2700);
  CHECK(parse_duration("2h", "--time-limit") == 7200);
  CHECK(parse_duration("1:30:00", "--time-limit") == 5400);
  CHECK(parse_duration("2:05", "--time-limit") == 125);
  CHECK(parse_duration("1-00:00:01", "--time-limit") == 86401);
  for (const char* wrong : {"", "soon", "3 MB", "-5", "-5 s", "1:2:3:4:5", "1e400 s"}) {
    CAPTURE(wrong);
    CHECK_THROWS_WITH(parse_duration(wrong, "--time-limit"), Catch::Contains("--time-limit") && Catch::Contains(wrong));
  }
}

TEST_CASE("a text of any length is a time or none") {
  CHECK_THROWS_AS(parse_duration(std::string(200'000, ' ') + "x", "--time-limit"), InputError);
  CHECK_FALSE(parse_slurm_time(std::string(200'000, '1')));
}

TEST_CASE("Slurm's remaining time is read, and invalid text gives none") {
  CHECK(parse_slurm_time("1-02:03:04\n") == 93784);
  CHECK(parse_slurm_time("59:59\n") == 3599);
  CHECK(parse_slurm_time("0:07") == 7);
  for (const char* none : {"UNLIMITED\n", "INVALID", "NOT_SET", ""}) CHECK_FALSE(parse_slurm_time(none));
}
