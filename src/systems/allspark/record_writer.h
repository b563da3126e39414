#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hardware/gpu/network/inference.h"
#include "systems/allspark/evaluation.h"
#include "systems/allspark/model_costs.h"
#include "systems/allspark/placement/interactions.h"
#include "systems/allspark/policy.h"
#include "systems/record_builder.h"
#include "systems/system.h"

namespace pimsweep::systems::allspark {

/// Joules of a multiply-accumulate, of a word of a weight register and of an accumulator, of a byte of the buffer, of a
/// byte read from or written to DRAM, and of a byte over one link and its router.
struct EnergyCosts {
  double mac = 0;
  double register_word = 0;
  double accumulator_word = 0;
  double buffer_byte = 0;
  double dram_byte = 0;
  double link_byte = 0;
};

/// A batch that has run on the array; `macs` of one image.
struct Run {
  const Machine& machine;
  std::int64_t batch = 1;
  double macs = 0;
  TimeShares time;
};

/// Fills the metrics of times, and of the PEs' use.
void write_times(const Run& run, RecordBuilder& out);
/// Fills the metrics of energy, and of the bytes that it is spent on.
void write_energy(const Run& run, const WordVolume& volume, const EnergyCosts& energy, RecordBuilder& out);

/// "1x1*2 4x2": a stage's layers, in the text form that the axis `schedule` reads.
std::string schedule_text(const std::vector<Layers>& stage);

/// Fills the record of a point: the schedule's times and tables if it is feasible; the model's own figures always;
/// memory wherever there is a schedule, so that it shows by how much one does not fit.
void write_record(ModelCosts& costs, const Decision& decision, bool weight_reuse, const EnergyCosts& energy,
                  const Schema& schema, Record& record);

/// Adds how far the latency by formula is from the simulated one in the record.
void write_deviation(ModelCosts& by_formula, const Decision& decision, const Schema& schema, Record& record);

/// Fills the record of a point that runs on the graphics card.
void write_gpu_record(const hardware::gpu::network::Inference& inference, std::int64_t batch, const Schema& schema,
                      Record& record);

/// Adds the interactions to the record of a schedule that can run.
void write_interactions(const ModelCosts& costs, const std::vector<placement::StageInteraction>& interactions,
                        const Schema& schema, Record& record);

}  // namespace pimsweep::systems::allspark
