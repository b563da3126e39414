#include <array>
#include <catch2/catch.hpp>

#include "hardware/noc/router/channel_allocator.h"
#include "hardware/noc/router/random.h"
#include "hardware/noc/router/switch_allocator.h"

using namespace pimsweep::hardware::noc::router;
using namespace pimsweep;

namespace {

struct Pointer {
  std::uint16_t pointer = 0;
};

struct Switch {
  explicit Switch(unsigned count) { requests.ports = count; }

  /// The output of each input, -1 for none.
  std::array<int, 8> allocate(Allocator allocator, unsigned iterations) {
    std::array<int, 8> outputs;
    outputs.fill(-1);
    allocate_switch(requests, allocator, iterations, inputs.data(), output_pointers.data(),
                    [&](unsigned input, unsigned output) {
                      REQUIRE(outputs[input] == -1);
                      outputs[input] = static_cast<int>(output);
                    });
    return outputs;
  }

  SwitchRequests requests;
  std::array<Pointer, 8> inputs{};
  std::array<Pointer, 8> output_pointers{};
};

}  // namespace

TEST_CASE("one iteration of iSLIP lets outputs choose the same input", "[allocation]") {
  Switch a(3);
  // Input 0 asks for 0 and 1, input 1 for 0 and 1.
  for (const unsigned input : {0U, 1U}) {
    for (const unsigned output : {0U, 1U}) a.requests.add(input, output, false);
  }
  // Both outputs offer to input 0, which takes output 0; output 1 goes unused.
  CHECK(a.allocate(Allocator::islip, 1) == std::array{0, -1, -1, -1, -1, -1, -1, -1});
  CHECK(a.inputs[0].pointer == 1);
  CHECK(a.output_pointers[0].pointer == 1);
  CHECK(a.output_pointers[1].pointer == 0);
  // Now output 0 prefers input 1 and output 1 input 0.
  CHECK(a.allocate(Allocator::islip, 1) == std::array{1, 0, -1, -1, -1, -1, -1, -1});
}

TEST_CASE("a second iteration fills what the first left", "[allocation]") {
  Switch a(3);
  for (const unsigned input : {0U, 1U}) {
    for (const unsigned output : {0U, 1U}) a.requests.add(input, output, false);
  }
  CHECK(a.allocate(Allocator::islip, 2) == std::array{0, 1, -1, -1, -1, -1, -1, -1});
  // Only the first iteration moves pointers.
  CHECK(a.inputs[1].pointer == 0);
}

TEST_CASE("separable allocation puts deferred requests last, iSLIP does not", "[allocation]") {
  for (const Allocator allocator : {Allocator::separable_input_first, Allocator::separable_output_first}) {
    Switch a(3);
    a.requests.add(0, 2, true);
    a.requests.add(1, 2, false);
    CHECK(a.allocate(allocator, 1)[1] == 2);
  }
  Switch a(3);
  a.requests.add(0, 2, true);
  a.requests.add(1, 2, false);
  CHECK(a.allocate(Allocator::islip, 1)[0] == 2);
}

TEST_CASE("allocations are matchings; enough iterations leave no pair that could be", "[allocation]") {
  Random random(2, 0);
  for (int i = 0; i < 2000; ++i) {
    const unsigned ports = 2 + random.below(7);
    Switch a(ports);
    for (unsigned p = 0; p < ports; ++p) {
      a.inputs[p].pointer = static_cast<std::uint16_t>(random.below(ports));
      a.output_pointers[p].pointer = static_cast<std::uint16_t>(random.below(ports));
    }
    for (unsigned n = 1 + random.below(12); n > 0; --n) {
      a.requests.add(random.below(ports), random.below(ports), random.below(4) == 0);
    }
    const Allocator allocators[] = {Allocator::islip, Allocator::separable_input_first,
                                    Allocator::separable_output_first};
    const std::uint32_t kind = random.below(4);
    const auto outputs = kind == 3 ? a.allocate(Allocator::islip, ports) : a.allocate(allocators[kind], 1);
    std::uint64_t taken = 0;
    unsigned matched = 0;
    for (unsigned input = 0; input < ports; ++input) {
      if (outputs[input] < 0) continue;
      ++matched;
      const auto output = static_cast<unsigned>(outputs[input]);
      CHECK(a.requests.has(input, output));
      CHECK((taken & bit<std::uint64_t>(output)) == 0);
      taken |= bit<std::uint64_t>(output);
    }
    CHECK(matched > 0);
    if (kind != 3) continue;
    for (unsigned input = 0; input < ports; ++input) {
      if (outputs[input] < 0) CHECK((a.requests.outputs_of[input] & ~taken) == 0);
    }
  }
}

TEST_CASE("channels go to different heads, as many as the first choice allows", "[allocation]") {
  Random random(3, 0);
  for (int i = 0; i < 2000; ++i) {
    const unsigned count = 1 + random.below(6);
    const unsigned members = 5 * count;
    const unsigned base = count * random.below(5);
    std::array<Pointer, 30> inputs{};
    std::array<Pointer, 30> outputs{};
    for (auto* pointers : {&inputs, &outputs}) {
      for (Pointer& pointer : *pointers) pointer.pointer = static_cast<std::uint16_t>(random.below(members));
    }
    const std::uint64_t asking = (random.bits() & first_members<std::uint64_t>(members)) | 1U;
    const std::uint32_t available = (random.below(1U << count)) | 1U;
    std::uint64_t served = 0;
    std::uint32_t given = 0;
    const Allocator allocator = random.below(2) == 0 ? Allocator::islip : Allocator::separable_input_first;
    allocate_channels(asking, {base, count, available}, members, allocator, 1, inputs.data(), outputs.data(),
                      [&](unsigned input, unsigned v) {
                        CHECK((asking & ~served & bit<std::uint64_t>(input)) != 0);
                        CHECK((available & ~given & bit<std::uint32_t>(v)) != 0);
                        served |= bit<std::uint64_t>(input);
                        given |= bit<std::uint32_t>(v);
                        CHECK(inputs[input].pointer == (base + v + 1) % members);
                        CHECK(outputs[base + v].pointer == (input + 1) % members);
                      });
    CHECK(served != 0);
  }
}
