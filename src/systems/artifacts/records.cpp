#include "systems/artifacts/records.h"

namespace pimsweep::systems::artifacts {

namespace {

RowTable<OperatorRow> operator_table() {
  RowTable<OperatorRow> table("by_operator", "parts of the last step, in all blocks");
  const OperatorRow& row = table.layout();
  table.text(row.name, "operator", "part of the step")
      .choice(row.kind, "kind", workload::decoder::kind_words, "kind of work of the part")
      .quantity(row.pim_share, "pim_share", "1", "share of the part that PIM does")
      .quantity(row.time, "time", "s", "time of the part; may be negative, since a pipeline subtracts hidden time")
      .may_be_negative()
      .quantity(row.gpu_time, "gpu_time", "s", "time that GPUs are busy with the part; may be negative")
      .may_be_negative()
      .quantity(row.pim_time, "pim_time", "s", "time that PIM is busy with the part")
      .quantity(row.link_time, "link_time", "s", "time of transfers for the part; may be negative")
      .may_be_negative();
  return table;
}

}  // namespace

Records::Records(Schema& schema) : by_operator_(operator_table()) {
  const llm::step::ModelRun& r = metrics_.layout();
  metrics_.quantity(r.time, "time", "s", "time of the tokens of the point")
      .quantity(r.time_per_token, "time_per_token", "s",
                "time per output token (TPOT), averaged over the sequence's tokens", "phase prefill")
      .quantity(r.time_to_first_token, "time_to_first_token", "s", "time of the prompts until the first token",
                "phase decode")
      .quantity(r.tokens_per_second, "tokens_per_second", "1/s",
                "generated tokens of all sequences in a second; tokens of prompts in phase prefill")
      .quantity(r.energy, "energy", "J", "energy of the tokens that the artifact counts")
      .quantity(r.energy_per_token, "energy_per_token", "J", "energy of a token")
      .quantity(r.idle_energy, "idle_energy", "J", "energy of the machine's idle power, a part of the energy")
      .quantity(r.power, "power", "W", "mean power of the machine")
      .quantity(r.pim_busy, "pim_busy", "1", "share of the time in which PIM computes");
  schema.metrics = metrics_.columns();
  by_operator_.attach(schema);
}

void Records::write(const llm::step::ModelRun& run, Record& record) const {
  metrics_.write(run, record);
  record.status = run.misfit.empty() ? Status::ok : Status::infeasible;
  record.message = run.misfit;
  for (const llm::step::OperatorRun& part : run.operators) {
    by_operator_.add({.name = part.op->name,
                      .kind = part.op->kind,
                      .pim_share = part.pim_share,
                      .time = part.seconds,
                      .gpu_time = part.gpu.seconds,
                      .pim_time = part.pim.seconds,
                      .link_time = part.link.seconds},
                     record);
  }
}

}  // namespace pimsweep::systems::artifacts
