// The same with Catch2, for tests.
#include <catch2/catch.hpp>
#include <random>

#include "standard.h"
