#pragma once

#include <array>
#include <cstdint>

#include "hardware/noc/router/arbitration.h"
#include "hardware/noc/router/router_settings.h"

namespace pimsweep::hardware::noc::router {

/// Requests of inputs for outputs in one cycle. In the separable allocators deferred requests have lower priority;
/// iSLIP has no priorities.
struct SwitchRequests {
  unsigned ports = 0;
  /// Inputs with a request.
  std::uint64_t inputs = 0;
  std::uint64_t outputs = 0;
  /// An input or an output has more than one request.
  bool contested = false;
  /// Outputs requested by an input, and inputs that request an output: valid for members of the sets above.
  std::array<std::uint64_t, max_ports> outputs_of{};
  std::array<std::uint64_t, max_ports> inputs_of{};
  bool any_deferred = false;
  std::array<std::uint64_t, max_ports> deferred_outputs_of{};
  std::array<std::uint64_t, max_ports> deferred_inputs_of{};

  void clear() {
    inputs = outputs = 0;
    contested = false;
    if (!any_deferred) return;
    any_deferred = false;
    deferred_outputs_of.fill(0);
    deferred_inputs_of.fill(0);
  }
  bool has(unsigned input, unsigned output) const {
    return ((inputs >> input) & (outputs_of[input] >> output) & 1) != 0;
  }
  void add(unsigned input, unsigned output, bool deferred) {
    const std::uint64_t known_input = (inputs >> input) & 1;
    const std::uint64_t known_output = (outputs >> output) & 1;
    contested |= (known_input | known_output) != 0;
    inputs |= bit<std::uint64_t>(input);
    outputs |= bit<std::uint64_t>(output);
    // Discards leftovers of earlier requests, without a branch.
    outputs_of[input] = (outputs_of[input] & all_or_none(known_input)) | bit<std::uint64_t>(output);
    inputs_of[output] = (inputs_of[output] & all_or_none(known_output)) | bit<std::uint64_t>(input);
    if (!deferred) return;
    any_deferred = true;
    deferred_outputs_of[input] |= bit<std::uint64_t>(output);
    deferred_inputs_of[output] |= bit<std::uint64_t>(input);
  }
};

/// allocate_switch() where an input or an output has more than one request.
template <typename Input, typename Output, typename Match>
[[gnu::noinline]] void allocate_contested_switch(const SwitchRequests& requests, Allocator allocator,
                                                 unsigned iterations, Input* inputs, Output* outputs, Match match) {
  const unsigned ports = requests.ports;
  const auto settle = [&](unsigned input, unsigned output, bool move) {
    if (move) {
      inputs[input].pointer = behind(output, ports);
      outputs[output].pointer = behind(input, ports);
    }
    match(input, output);
  };
  std::array<std::uint64_t, max_ports> offers;
  if (allocator == Allocator::separable_input_first) {
    for (std::uint64_t left = requests.outputs; left != 0; left &= left - 1) offers[lowest(left)] = 0;
    for (std::uint64_t left = requests.inputs; left != 0; left &= left - 1) {
      const unsigned input = lowest(left);
      const unsigned output =
          arbitrate(requests.outputs_of[input], requests.deferred_outputs_of[input], inputs[input].pointer);
      offers[output] |= bit<std::uint64_t>(input);
    }
    for (std::uint64_t left = requests.outputs; left != 0; left &= left - 1) {
      const unsigned output = lowest(left);
      if (offers[output] == 0) continue;
      settle(arbitrate(offers[output], requests.deferred_inputs_of[output], outputs[output].pointer), output, true);
    }
    return;
  }
  const std::uint64_t priorities = allocator == Allocator::separable_output_first ? ~std::uint64_t{0} : 0;
  std::uint64_t free_inputs = requests.inputs;
  std::uint64_t free_outputs = requests.outputs;
  for (unsigned iteration = 0; iteration < iterations; ++iteration) {
    std::uint64_t offered = 0;
    for (std::uint64_t left = free_outputs; left != 0; left &= left - 1) {
      const unsigned output = lowest(left);
      const std::uint64_t contenders = requests.inputs_of[output] & free_inputs;
      if (contenders == 0) continue;
      const unsigned input =
          arbitrate(contenders, priorities & requests.deferred_inputs_of[output], outputs[output].pointer);
      if ((offered & bit<std::uint64_t>(input)) == 0) offers[input] = 0;
      offered |= bit<std::uint64_t>(input);
      offers[input] |= bit<std::uint64_t>(output);
    }
    if (offered == 0) return;
    for (std::uint64_t left = offered; left != 0; left &= left - 1) {
      const unsigned input = lowest(left);
      const unsigned output =
          arbitrate(offers[input], priorities & requests.deferred_outputs_of[input], inputs[input].pointer);
      settle(input, output, iteration == 0);
      free_inputs &= ~bit<std::uint64_t>(input);
      free_outputs &= ~bit<std::uint64_t>(output);
    }
  }
}

/// Matches inputs to outputs, each at most once, and calls match(input, output). Each input and each output has a
/// member `pointer`, which only final matches move.
template <typename Input, typename Output, typename Match>
void allocate_switch(const SwitchRequests& requests, Allocator allocator, unsigned iterations, Input* inputs,
                     Output* outputs, Match match) {
  if (requests.contested) {
    allocate_contested_switch(requests, allocator, iterations, inputs, outputs, match);
    return;
  }
  for (std::uint64_t left = requests.inputs; left != 0; left &= left - 1) {
    const unsigned input = lowest(left);
    const unsigned output = lowest(requests.outputs_of[input]);
    inputs[input].pointer = behind(output, requests.ports);
    outputs[output].pointer = behind(input, requests.ports);
    match(input, output);
  }
}

}  // namespace pimsweep::hardware::noc::router
