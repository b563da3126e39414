#include "hardware/memory_rules.h"
#include "systems/laws/subject.h"

namespace pimsweep::laws {

namespace {

template <typename Item>
std::vector<Item> with(std::vector<Item> items, std::vector<Item> more) {
  items.insert(items.end(), more.begin(), more.end());
  return items;
}

std::vector<Drawn> convolution() {
  return {{"kind", words({"conv"})}, {"N", {}, 1, 32},      {"W", {}, 7, 224},      {"H", {}, 7, 224},
          {"C", {}, 1, 512},         {"K", {}, 1, 512},     {"filter_h", {}, 1, 7}, {"filter_w", {}, 1, 7},
          {"stride_h", {}, 1, 2},    {"stride_w", {}, 1, 2}};
}

std::vector<Drawn> gemm_sizes() {
  return {{"kind", words({"gemm"})}, {"M", {}, 1, 4096}, {"N", {}, 1, 4096}, {"K", {}, 1, 4096}};
}

/// No latency of these may be longer.
void add_timings(std::vector<Resource>& resources, std::initializer_list<const char*> names, bool law) {
  for (const char* name : names) resources.push_back({std::string("hardware.timing.") + name, false, law});
}

std::vector<Resource> gpu_resources(const std::string& prefix) {
  std::vector<Resource> all;
  for (const char* name : {"memory.bandwidth", "memory.efficiency", "clock", "sm.count", "sm.registers",
                           "sm.shared_memory", "l2.capacity", "l2.bytes_per_cycle", "fitted.sustained"}) {
    all.push_back({prefix + name});
  }
  all.push_back({prefix + "memory.latency_cycles", false});
  all.push_back({prefix + "fitted.launch", false});
  return all;
}

Subject gpu(const char* launches) {
  return {.name = std::string("gpu, launches ") + launches,
          .system = "gpu",
          .hardware = "gpu-v100",
          .workload = {{"model", words({"resnet-18", "mobilenet-v2", "swin-t", "bert-base", "dcgan-generator"})},
                       {"batch", {}, 1, 32},
                       {"precision", words({"fp32", "fp16-in/tensor-mixed"})},
                       {"elementwise", words({"eager", "counted", "fused"})},
                       {"pointwise", words({"convolution", "gemm"})},
                       {"launches", words({launches})}},
          .resources = gpu_resources("hardware.")};
}

Subject kernel(const char* name, const char* hardware, std::vector<Drawn> workload) {
  return {.name = std::string("kernel, ") + name,
          .system = "kernel",
          .hardware = hardware,
          .workload = std::move(workload),
          .resources = gpu_resources("hardware.")};
}

Subject streams(const char* kind, const char* co_run) {
  return {.name = std::string("gpu-streams, ") + kind + ", " + co_run,
          .system = "gpu-streams",
          .hardware = "rtconc-p100",
          .workload = {{"kind", words({kind})},
                       {"co_run", words({co_run})},
                       {"N", {}, 1, 64},
                       {"W", {}, 3, 64},
                       {"H", {}, 3, 64},
                       {"C", {}, 1, 512}},
          .resources = gpu_resources("hardware.gpu."),
          .time = "pair_time"};
}

/// Refreshes fall elsewhere in a faster run of the artifact's controller, which serves each at once.
Subject newton(const char* controller, bool timings_are_law) {
  std::vector<Resource> resources{{"hardware.clock"}};
  add_timings(resources, {"nBL", "nCL", "nCCD", "nRAS", "nRTP"}, true);
  add_timings(resources, {"nRCD", "nRP", "nRC", "nFAW", "nRFC"}, timings_are_law);
  resources.push_back({"hardware.timing.nREFI", true, timings_are_law});
  resources.push_back({"hardware.newton.comp_to_readres", false, timings_are_law});
  for (const char* name : {"banks", "columns", "lanes"}) {
    resources.push_back({std::string("hardware.newton.") + name, true, false});
  }
  return {.name = std::string("newton, ") + controller,
          .system = "newton",
          .hardware = "newton-GDDR6_3500",
          .workload = {{"controller", words({controller})},
                       {"H", {}, 1, 56},
                       {"W", {}, 1, 56},
                       {"Cin", {}, 1, 1024},
                       {"Cout", {}, 1, 1024},
                       {"KH", {}, 1, 3},
                       {"KW", {}, 1, 3},
                       {"stride", {}, 1, 2},
                       {"channels", {}, 1, 32}},
          .resources = std::move(resources)};
}

/// Bounds of the constants of a memory: random ones, by no standard.
std::vector<Drawn> memory() {
  std::vector<Drawn> all{{"hardware.memory.clock_period", {Value{2e-10}, Value{6e-10}, Value{1e-9}}},
                         {"hardware.memory.commands.grid", {}, 1, 2},
                         {"hardware.memory.rules", words({hardware::memory_rules})},
                         {"hardware.memory.organization.pseudochannels", {}, 1, 2},
                         {"hardware.memory.organization.bankgroups", {}, 1, 4},
                         {"hardware.memory.organization.banks", {}, 2, 8},
                         {"hardware.memory.organization.accesses_per_row", {}, 16, 128},
                         {"hardware.memory.organization.access", {}, 16, 64}};
  const auto timing = [&](const char* name, std::int64_t low, std::int64_t high) {
    all.push_back({std::string("hardware.memory.timing.") + name, {}, low, high});
  };
  timing("nBL", 1, 8);
  timing("nCL", 10, 60);
  timing("nCWL", 2, 10);
  timing("nRCDRD", 10, 90);
  timing("nRCDWR", 10, 60);
  timing("nRP", 10, 80);
  timing("nRAS", 20, 130);
  timing("nRC", 30, 210);
  timing("nWR", 10, 100);
  timing("nRTP", 2, 30);
  timing("nCCDS", 1, 4);
  timing("nCCDL", 2, 16);
  timing("nWTRL", 2, 30);
  timing("nRRDS", 2, 16);
  timing("nFAW", 8, 70);
  timing("nRFC", 100, 1200);
  timing("nREFI", 8000, 20000);
  return all;
}

/// PIM on a random memory: a faster one, a cooler one and more power are never slower. What keeps its time in any
/// memory, and columns under a power limit, take whole clocks, so that a faster clock may lose most of one each time.
Subject pim(const char* system, const char* hardware, const char* power_limit, std::vector<Drawn> workload) {
  const bool is_limited = !std::string_view(power_limit).empty();
  const std::string_view name_of_system = system;
  const bool rounds = is_limited || name_of_system == "aim" || name_of_system == "llm";
  std::vector<Resource> resources{
      {"hardware.memory.clock_period", false, !rounds}, {"refresh_rate", false}, {"hardware.memory.timing.nREFI"}};
  for (const char* name :
       {"nBL", "nCL", "nRCDRD", "nRCDWR", "nRP", "nRAS", "nWR", "nCCDL", "nWTRL", "nRRDS", "nFAW", "nRFC"}) {
    resources.push_back({std::string("hardware.memory.timing.") + name, false});
  }
  // Refreshes of Newton fall elsewhere with another tRTP, which may cost one refresh.
  resources.push_back({"hardware.memory.timing.nRTP", false, name_of_system != "newton"});
  workload = with<Drawn>(with(std::move(workload), memory()), {{"refresh_rate", {}, 1, 4}});
  if (is_limited) {
    resources.push_back({power_limit});
    workload.push_back({power_limit, {}, 1, 200});
  }
  return {.name = std::string(system) + " on " + hardware + " " + power_limit,
          .system = system,
          .hardware = hardware,
          .workload = std::move(workload),
          .resources = std::move(resources)};
}

std::vector<Subject> pim_on_memories() {
  const std::vector<Drawn> layer{
      {"controller", words({"paper"})}, {"H", {}, 1, 56}, {"W", {}, 1, 1}, {"Cin", {}, 1, 1024}, {"Cout", {}, 1, 1024}};
  const std::vector<Drawn> gemv{{"inputs", {}, 1, 8192}, {"outputs", {}, 1, 8192}};
  const std::vector<Drawn> step{
      {"model", words({"llama-2-7b", "llama-2-70b"})}, {"batch", {}, 1, 64}, {"context", {}, 1, 4096}};
  std::vector<Subject> all;
  for (const char* limit : {"", "hardware.power_limit"}) {
    all.push_back(pim("newton", "newton-GDDR6_3500", limit, layer));
    all.push_back(pim("aim", "aim-gddr6", limit, gemv));
    all.push_back(pim("hbm-pim", "hbm-pim-samsung", limit, gemv));
  }
  for (const char* limit : {"", "hardware.pim.power_limit"}) {
    all.push_back(
        pim("llm", "llm-8-a100-attacc", limit, with<Drawn>(step, {{"policy", words({"attacc", "attacc-ff"})}})));
    all.push_back(pim("llm", "llm-a100-hbm-pim", limit, with<Drawn>(step, {{"policy", words({"pim-all"})}})));
  }
  return all;
}

/// The cycle model's scheduler takes the oldest command that is ready, so that any timing may lose.
Subject dram(const char* fidelity, bool timings_are_law) {
  std::vector<Resource> resources{{"hardware.clock_period", false}};
  add_timings(resources,
              {"nBL", "nCL", "nCWL", "nRCDRD", "nRCDWR", "nRP", "nRC", "nWR", "nCCDL", "nWTRS", "nWTRL", "nRRDS",
               "nRRDL", "nFAW", "nRFC"},
              timings_are_law);
  add_timings(resources, {"nRAS", "nRTP", "nCCDS"}, false);
  resources.push_back({"hardware.timing.nREFI", true, timings_are_law});
  resources.push_back({"hardware.organization.banks", true, false, true});
  resources.push_back({"hardware.organization.bankgroups", true, false, true});
  resources.push_back({"read_queue", true, false});
  return {.name = std::string("dram, ") + fidelity,
          .system = "dram",
          .hardware = "dram-DDR4_3200AA",
          .workload = {{"fidelity", words({fidelity})},
                       {"requests", {}, 100, 5000},
                       {"pattern", words({"seq", "stride_row_1bank", "stride_row_allbanks", "hit_1bank", "hit_allbanks",
                                          "tile16x4rows_allbanks", "pingpong_2rows_1bank", "random"})},
                       {"read_fraction", words({"1", "0", "0.5"})}},
          .resources = std::move(resources),
          // Commands of a preset that is changed more do not fit together.
          .spread = 1.5};
}

Subject noc() {
  return {.name = "noc, analytic",
          .system = "noc",
          .hardware = "",
          .workload = {{"fidelity", words({"analytic"})},
                       {"topology", words({"mesh", "torus", "h-tree"})},
                       {"k", {}, 2, 6},
                       {"n", {}, 1, 2},
                       {"traffic", words({"uniform", "transpose", "tornado", "neighbor"})}},
          .resources = {{"injection_rate", false},
                        {"routing_delay", false},
                        {"st_final_delay", false},
                        {"credit_delay", false},
                        {"num_vcs", true, true, true},
                        {"vc_buf_size"}},
          .time = "avg_packet_latency"};
}

Subject gemm(const char* dataflow, bool law) {
  return {.name = std::string("gemm, ") + dataflow,
          .system = "gemm",
          .hardware = "gemm-nvdla",
          .workload = {{"dataflow", words({dataflow})},
                       {"M", {}, 1, 1000},
                       {"N", {}, 1, 1000},
                       {"K", {}, 1, 1000},
                       {"array_rows", {}, 1, 64},
                       {"array_cols", {}, 1, 64},
                       {"dram_words_per_cycle", {}, 1, 64}},
          .resources = {{"array_rows", true, law},
                        {"array_cols", true, law},
                        {"dram_words_per_cycle"},
                        {"hardware.sram.buffer"}},
          .time = "cycles"};
}

/// More lanes leave more of a vector empty, and more units want longer blocks than a layer may have.
Subject cpu_kernel(const char* name, std::vector<Drawn> workload) {
  std::vector<Resource> resources{
      {"hardware.fitted.spawn", false}, {"hardware.line_transfer", false}, {"hardware.core.gather_cycles", false}};
  for (const char* axis :
       {"clock", "core.bandwidth", "core.cache_bandwidth", "memory.bandwidth", "tile.cache", "core.issue_width"}) {
    resources.push_back({std::string("hardware.") + axis});
  }
  resources.push_back({"hardware.core.lanes", true, false});
  resources.push_back({"hardware.core.fma_units", true, false});
  resources.push_back({"hardware.core.fma_latency", false, false});
  return {.name = std::string("cpu-kernel, ") + name,
          .system = "cpu-kernel",
          .hardware = "xeon-phi-7250",
          .workload = std::move(workload),
          .resources = std::move(resources)};
}

}  // namespace

std::vector<Value> words(std::initializer_list<const char*> all) {
  std::vector<Value> values;
  values.reserve(all.size());
  for (const char* word : all) values.emplace_back(std::string(word));
  return values;
}

std::vector<Subject> gpu_subjects() {
  const std::vector<Drawn> mixed = with<Drawn>(gemm_sizes(), {{"precision", words({"fp32", "fp16-in/tensor-mixed"})}});
  return {gpu("queued"),
          gpu("exposed"),
          kernel("gemm on V100", "gpu-v100", mixed),
          kernel("conv on V100", "gpu-v100", convolution()),
          kernel("conv on P100", "gpu-p100", convolution()),
          kernel("rnn on P100", "gpu-p100",
                 {{"kind", words({"rnn"})}, {"hidden", {}, 16, 2048}, {"batch", {}, 1, 64}, {"timesteps", {}, 1, 100}}),
          streams("bias", "streams"),
          streams("pool", "mps"),
          streams("conv", "processes")};
}

std::vector<Subject> memory_and_network_subjects() {
  return with<Subject>(
      {newton("artifact", false), newton("paper", true), dram("analytic", true), dram("cycle", false), noc()},
      pim_on_memories());
}

std::vector<Subject> processor_subjects() {
  return {gemm("mapped", true),
          gemm("os", false),
          gemm("ws", false),
          gemm("is", false),
          cpu_kernel("gemm", gemm_sizes()),
          cpu_kernel("conv", convolution())};
}

}  // namespace pimsweep::laws
