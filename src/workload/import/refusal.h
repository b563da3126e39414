#pragma once

#include <stdexcept>

namespace pimsweep::workload::import {

/// Reason why a node of a network is not supported. The importer collects them, each with the name of its node.
class Refusal : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace pimsweep::workload::import
