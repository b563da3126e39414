#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/words.h"
#include "hardware/pim_memory/apply.h"
#include "systems/llm/step/pim/aim.h"
#include "systems/llm/step/pim/channels.h"
#include "systems/llm/step/pim/cxl.h"
#include "systems/llm/step/pim/hbm_pim.h"
#include "systems/llm/step/pim/newton.h"
#include "systems/llm/step/pim/rated.h"
#include "systems/llm/step/pim/stack.h"

namespace pimsweep::systems::llm::step::pim {

/// A machine without PIM.
class NoUnits final : public PimUnits {
 public:
  static constexpr std::string_view name = "none";
};

/// All kinds; the word of a kind stands for its place in the list.
using Kinds = std::tuple<NoUnits,       //
                         StackUnits,    // AttAcc
                         AimUnits,      // IANUS
                         NewtonUnits,   //
                         CxlUnits,      // CENT
                         RatedUnits,    // Duplex, PAPI
                         ChannelUnits,  // NeuPIMs
                         HbmPimUnits>;

inline std::vector<Word<std::size_t>> kind_words() {
  std::vector<Word<std::size_t>> words;
  std::apply([&](const auto&... kinds) { (words.push_back({kinds.name, words.size()}), ...); }, Kinds{});
  return words;
}

/// PIM beside each GPU: devices of one kind. The units of the other kinds have no effect.
struct Pim : PimDevices {
  std::size_t kind = 0;
  Kinds kinds;
  hardware::pim_memory::Conditions conditions;

  /// Puts the devices on the memory of the conditions, with their heat and power.
  void apply_conditions() {
    hardware::pim_memory::apply(conditions, aim);
    std::apply([](auto&... all) { return std::array<PimUnits*, sizeof...(all)>{&all...}; }, kinds)[kind]->apply(
        conditions);
  }

  const PimUnits& units() const {
    return *std::apply([](const auto&... all) { return std::array<const PimUnits*, sizeof...(all)>{&all...}; },
                       kinds)[kind];
  }
  template <typename Units>
  const Units& units_of() const {
    return std::get<Units>(kinds);
  }
  /// True if the machine has this kind of PIM.
  template <typename Units>
  bool is() const {
    return &units() == &units_of<Units>();
  }

  bool is_beside_gpus() const { return count > 0 && kind != 0 && units().is_beside_gpus(); }
  std::int64_t sequence_channels() const { return units().sequence_channels(*this); }
  /// True if weights of GEMMs on PIM are in PIM's own memory.
  bool holds_weights() const { return has_own_memory && !units().gemms_use_gpu_memory(); }
  /// True if a GPU waits while PIM runs attention, or GEMMs, in memory that both share.
  bool attention_stops_gpu() const { return !has_own_memory && !dual_row_buffer; }
  bool gemms_stop_gpu() const { return (!has_own_memory || units().gemms_use_gpu_memory()) && !dual_row_buffer; }
};

}  // namespace pimsweep::systems::llm::step::pim
