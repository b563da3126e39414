#include "systems/laws/subject.h"

namespace pimsweep::laws {

namespace {

std::vector<Resource> all_of(std::initializer_list<const char*> axes, bool more, bool law) {
  std::vector<Resource> resources;
  resources.reserve(axes.size());
  for (const char* axis : axes) resources.push_back({axis, more, law});
  return resources;
}

void append(std::vector<Resource>& resources, const std::vector<Resource>& more) {
  resources.insert(resources.end(), more.begin(), more.end());
}

Drawn fixed(const char* axis, const std::string& word) { return {axis, {Value{word}}}; }

}  // namespace

/// Sustained rates round the DRAM's timings to clock cycles, and mappings are chosen at peak rates. Policies with one
/// split for all spread weights over an array in which they do not fit otherwise.
Subject allspark(const std::string& policy, const char* rates) {
  const bool law = std::string(rates) == "peak";
  std::vector<Resource> resources =
      all_of({"hardware.clock", "hardware.sram.buffer", "hardware.dram.bank_capacity", "hardware.dram.bank_bandwidth",
              "hardware.dram.banks_per_node", "hardware.noc.link_bandwidth", "hardware.acu.lanes",
              "hardware.pe_array.rows", "hardware.pe_array.cols"},
             true, law);
  append(resources,
         all_of({"hardware.node_array.rows", "hardware.node_array.cols"}, true, law && policy == "allspark"));
  append(resources, all_of({"hardware.dram.tRCD", "hardware.dram.tRP", "hardware.dram.tRFC"}, false, law));
  return {.name = "allspark, " + policy + ", " + rates,
          .system = "allspark",
          .hardware = "allspark-3d-dram",
          .workload = {fixed("policy", policy),
                       fixed("rates", rates),
                       {"model", words({"swin-t", "pvt-t", "cswin-t", "vit-b", "twins-svt-s"})},
                       {"batch", {}, 1, 4}},
          .resources = std::move(resources)};
}

/// Units share images and channels by their factors: 193 units may serve worse than 72.
Subject hypar(const std::string& policy, const char* objective) {
  std::vector<Resource> resources = all_of({"hardware.clock", "hardware.dram.bandwidth", "hardware.network.bandwidth",
                                            "hardware.pe_array.rows", "hardware.pe_array.cols", "hardware.sram.buffer"},
                                           true, true);
  resources.push_back({"hardware.accelerator.units", true, false});
  return {.name = "hypar, " + policy + ", " + objective,
          .system = "hypar",
          .hardware = "hypar-hmc-array",
          .workload = {fixed("policy", policy),
                       fixed("objective", objective),
                       {"model", words({"alexnet", "vgg-a", "lenet-c", "sfc", "sconv", "cifar-c"})},
                       {"compute_model", words({"throughput", "row-stationary"})},
                       {"batch", {}, 32, 512},
                       {"levels", {}, 1, 6},
                       {"topology", words({"h-tree", "torus"})}},
          .resources = std::move(resources),
          .pairs = 15};
}

/// Newton opens all banks of a channel together, so that more of them may be slower.
Subject pimflow(const std::string& policy, const char* controller) {
  std::vector<Resource> resources = all_of(
      {"hardware.gpu.memory.bandwidth", "hardware.gpu.clock", "hardware.gpu.sm.count", "hardware.gpu.l2.capacity",
       "hardware.gpu.l2.bytes_per_cycle", "hardware.gpu.fitted.sustained", "hardware.pim.clock"},
      true, true);
  append(resources, all_of({"hardware.gpu.memory.latency_cycles", "hardware.gpu.fitted.launch",
                            "hardware.synchronization", "hardware.pim.timing.nCCD"},
                           false, true));
  append(resources,
         all_of({"hardware.pim.timing.nRCD", "hardware.pim.timing.nFAW"}, false, std::string(controller) == "paper"));
  append(resources, all_of({"hardware.pim.newton.banks", "hardware.pim.newton.lanes"}, true, false));
  return {.name = "pimflow, " + policy + ", " + controller,
          .system = "pimflow",
          .hardware = "pimflow-rtx-2060",
          .workload = {fixed("policy", policy),
                       fixed("controller", controller),
                       {"model", words({"mobilenet-v2", "resnet-18", "lenet-c"})},
                       {"pointwise", words({"convolution", "gemm"})},
                       {"memory_channels", {}, 1, 31}},
          .resources = std::move(resources),
          .pairs = 3};
}

/// The machine of PIMFlow's artifact, whose GPU has a fixed library and loses cache with its channels.
Subject pimflow_artifact(const std::string& policy) {
  Subject subject = pimflow(policy, "artifact");
  subject.name = "pimflow's artifact, " + policy;
  subject.hardware = "pimflow-artifact";
  subject.workload = {fixed("policy", policy),
                      fixed("precision", "fp16-in/tensor-mixed"),
                      {"model", words({"mobilenet-v2", "efficientnet-b0", "resnet-18"})},
                      {"memory_channels", {}, 1, 31}};
  append(subject.resources, all_of({"hardware.gpu.fitted.floor", "hardware.gpu.fitted.stall",
                                    "hardware.gpu.fitted.depthwise_operations", "hardware.gpu.convolution.min_tile"},
                                   false, true));
  return subject;
}

Subject heteropim(const std::string& policy) {
  // Scheduling several operations at a time by rules may lose by any improvement (Graham 1969).
  const bool law = policy != "hetero-pim" && policy != "lookahead";
  std::vector<Resource> resources = all_of(
      {"frequency", "hardware.host.cores", "hardware.host.clock", "hardware.host.last_cache_bandwidth",
       "hardware.host.memory_bandwidth", "hardware.pim.stack.bandwidth", "hardware.pim.stack.link_bandwidth",
       "hardware.pim.pair.clock", "hardware.pim.programmable.clock", "hardware.pim.programmable.cores",
       "hardware.pim.programmable.bandwidth", "hardware.pim.area.available", "hardware.copy.bandwidth",
       "hardware.gpu.memory.bandwidth", "hardware.gpu.clock", "hardware.gpu.sm.count", "hardware.neurocube.clock"},
      true, law);
  append(resources, all_of({"hardware.host.dispatch", "hardware.pim.synchronization.launch"}, false, law));
  append(resources, all_of({"hardware.host.near_cache", "hardware.host.last_cache"}, true, false));
  return {.name = "heteropim, " + policy,
          .system = "heteropim",
          .hardware = "heteropim",
          .workload = {fixed("policy", policy),
                       {"model", words({"heteropim-alexnet", "heteropim-dcgan"})},
                       {"operands", words({"stack", "bank"})}},
          .resources = std::move(resources),
          .pairs = 4};
}

Subject rtconc(const std::string& policy) {
  std::vector<Resource> resources =
      all_of({"hardware.cpu.clock", "hardware.cpu.cores", "hardware.cpu.memory.bandwidth",
              "hardware.cpu.core.bandwidth", "hardware.cpu.core.cache_bandwidth", "hardware.cpu.tile.cache"},
             true, false);
  append(resources, all_of({"hardware.executor.dispatch", "hardware.cpu.line_transfer"}, false, false));
  return {.name = "rtconc, " + policy,
          .system = "rtconc",
          .hardware = "rtconc-xeon-phi-7250",
          .workload = {fixed("policy", policy), {"model", words({"rtconc-dcgan", "rtconc-lstm"})}},
          .resources = std::move(resources),
          .pairs = 1};
}

std::vector<Subject> machine_subjects() {
  std::vector<Subject> all;
  for (const char* rates : {"peak", "sustained"}) {
    for (const char* policy : {"branch", "patch", "head", "allspark"}) all.push_back(allspark(policy, rates));
  }
  for (const char* policy : {"data", "model", "trick", "hypar"}) all.push_back(hypar(policy, "bytes"));
  for (const char* objective : {"bytes", "time"}) all.push_back(hypar("hypar-optimal", objective));
  for (const char* controller : {"artifact", "paper"}) {
    for (const char* policy :
         {"gpu", "newton+", "newton++", "pimflow-md", "pimflow-pl", "pimflow", "pimflow-optimal"}) {
      all.push_back(pimflow(policy, controller));
    }
  }
  for (const char* policy : {"gpu", "newton++", "pimflow-md", "pimflow", "pimflow-optimal"}) {
    all.push_back(pimflow_artifact(policy));
  }
  for (const char* policy : {"cpu", "gpu", "prog-pim", "fixed-pim", "neurocube", "hetero-pim", "lookahead"}) {
    all.push_back(heteropim(policy));
  }
  for (const char* policy : {"tensorflow-default", "recommended", "manual", "strategy-1", "strategy-12", "strategy-123",
                             "strategy-1234", "moldable"}) {
    all.push_back(rtconc(policy));
  }
  return all;
}

}  // namespace pimsweep::laws
