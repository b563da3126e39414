#include <fmt/format.h>

#include "base/error.h"
#include "systems/serving/records.h"

namespace pimsweep::systems::serving {

namespace {

std::string gigabytes(double bytes) { return fmt::format("{:.4g} GB", 1e-9 * bytes); }

}  // namespace

void explain_point(const Settings& settings, const Evaluation& evaluation, Explanation& explanation) {
  const CacheRoom& cache = evaluation.cache;
  auto& memory = explanation.section("KV cache of each GPU").lines;
  memory.push_back({"usable memory", gigabytes(cache.memory),
                    fmt::format("{:.3g} of the memory of a GPU", settings.engine.memory_utilization > 0
                                                                     ? settings.engine.memory_utilization
                                                                     : settings.machine.gpus.usable_share)});
  memory.push_back({"weights", gigabytes(cache.weights), ""});
  memory.push_back({"reserved", gigabytes(cache.reserved), "activations, CUDA graphs and the driver's context"});
  if (cache.pim_weights > 0) memory.push_back({"weights in PIM", gigabytes(cache.pim_weights), "in its own memory"});
  memory.push_back({"room", gigabytes(cache.room), "where the policy keeps the KV cache"});
  memory.push_back({"block", fmt::format("{:.4g} MB", 1e-6 * cache.block_bytes),
                    fmt::format("keys and values of {} tokens", settings.engine.limits.block_tokens)});
  memory.push_back({"blocks", fmt::format("{}", cache.blocks),
                    settings.engine.num_gpu_blocks > 0 ? "as the point says" : "room / block, rounded down"});
  if (cache.window > 0) {
    memory.push_back({"window", fmt::format("{} tokens", cache.window), "blocks behind it stay until a request ends"});
  }
  if (!evaluation.misfit.empty()) throw PointError(evaluation.misfit);
  auto& run = explanation.section("Run").lines;
  run.push_back({"time", fmt::format("{:.4g} s", evaluation.time), "from the first arrival to the last token"});
  run.push_back({"steps", fmt::format("{}", evaluation.steps),
                 fmt::format("{:.4g} ms each", 1e3 * evaluation.time / static_cast<double>(evaluation.steps))});
  run.push_back({"running requests", fmt::format("{:.4g}", evaluation.running_mean), "on average over time"});
  if (evaluation.load) {
    run.push_back({"load", fmt::format("{:.4g}", *evaluation.load),
                   "offered rate / throughput of the same lengths when the queue is never empty"});
  }
  run.push_back({"preemptions", fmt::format("{}", evaluation.counters.preemptions),
                 fmt::format("{} tokens discarded, {} of them restored from the prefix cache",
                             evaluation.counters.discarded, evaluation.counters.restored)});
  run.push_back({"energy", fmt::format("{:.4g} J", evaluation.energy),
                 fmt::format("{:.4g} J a generated token", evaluation.energy_per_token)});
}

}  // namespace pimsweep::systems::serving
