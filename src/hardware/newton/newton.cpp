#include "hardware/newton/newton.h"

#include <fmt/format.h>

#include "hardware/newton/artifact_timing.h"
#include "hardware/newton/paper_timing.h"

namespace pimsweep::hardware::newton {

void Newton::run_artifact(const Layer& layer, const Dram& dram, const Options& options) {
  if (!artifact_groups_fit(options.channels, options.n_gwrite)) {
    result_.failure =
        fmt::format("the artifact divides by zero: with n_gwrite {} it tries more groups than {} channels",
                    options.n_gwrite, options.channels);
    return;
  }
  const ArtifactSchedule schedule = artifact_schedule(layer, dram, options.channels, options.n_gwrite);
  const ArtifactRules rules(dram, options.gwrite_hiding);
  result_.busiest = options.fidelity == Fidelity::cycle ? artifact_cycle_by_cycle(schedule, rules)
                                                        : artifact_closed_form(schedule, rules, dram);
  if (!dram.refresh_served && result_.busiest.counts.ref > 0) {
    result_.failure = "the artifact's simulator never serves a refresh of this DRAM: the run outlasts one interval";
    return;
  }
  std::int64_t working = 0;
  for (const Segment& segment : schedule) {
    result_.all_channels += segment.all_channels;
    working = std::max(working, options.channels / segment.groups * segment.groups);
  }
  result_.all_channels.prea = working * result_.busiest.counts.prea;
  result_.all_channels.ref = working * result_.busiest.counts.ref;
  result_.first_grouping = schedule.front().groups;
  if (schedule.size() > 1) result_.second_grouping = schedule.back().groups;
  result_.granularity = schedule.front().granularity;
}

void Newton::run_paper(const Layer& layer, const Dram& dram, const Options& options) {
  paper_work(layer, dram, options.channels, options.n_gwrite, works_);
  last_bursts_.clear();
  Run run;
  for (std::int64_t channel = 0; channel < options.channels; ++channel) {
    bursts_.clear();
    for (const PaperWork& work : works_) append_bursts(work, channel, options.channels, bursts_);
    // Neighboring channels often have the same commands.
    if (channel == 0 || bursts_ != last_bursts_) {
      run = options.fidelity == Fidelity::cycle ? paper_cycle_by_cycle(bursts_, dram, options.gwrite_hiding)
                                                : paper_closed_form(bursts_, dram, options.gwrite_hiding);
      std::swap(bursts_, last_bursts_);
    }
    result_.all_channels += run.counts;
    if (run.cycles > result_.busiest.cycles) result_.busiest = run;
  }
  result_.first_grouping = 1;
  if (works_.size() > 1) result_.second_grouping = 1;
  result_.granularity = works_.front().granularity;
}

const Result& Newton::operator()(const Layer& layer, const Dram& dram, const Options& options) {
  result_ = Result{};
  if (dram.nREFI <= dram.nRFC + dram.nRP) {
    result_.failure = fmt::format("refreshes come every {} clocks and take {}: the artifact's simulator aborts",
                                  dram.nREFI, dram.nRFC + dram.nRP);
  } else if (options.controller == Controller::artifact) {
    run_artifact(layer, dram, options);
  } else {
    run_paper(layer, dram, options);
  }
  return result_;
}

}  // namespace pimsweep::hardware::newton
