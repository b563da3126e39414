#pragma once

#include <stdexcept>

namespace pimsweep::workload::import {

/// Why a node of a network cannot be taken. The importer collects them, each with the name of its node.
class Refusal : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace pimsweep::workload::import
