#include "systems/upmem/upmem.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>

#include "base/error.h"
#include "systems/axis_table.h"
#include "systems/column_table.h"
#include "systems/roofline.h"
#include "systems/upmem/kernel.h"
#include "systems/upmem/run.h"

namespace pimsweep::systems::upmem {

namespace {

/// The host whose transfers are not known.
constexpr std::string_view unknown_host = "unknown";

/// A point of the system `upmem`.
struct KernelPoint {
  std::string_view benchmark;
  std::string_view problem;
  std::string_view host;
  Choices choices;
  Machine machine;
};

struct KernelResult {
  double time = 0;
  Run run;
  double issue_rate = 0;
  double dma_rate = 0;
  double to_low = 0;
  double to_high = 0;
  double from_low = 0;
  double from_high = 0;
  double dpu_energy = 0;
  double host_energy = 0;
  double energy = 0;
  double to_ms = 0;
  double kernel_ms = 0;
  double between_ms = 0;
  double from_ms = 0;
  std::string_view basis;
};

void add_axes(AxisList& axes, KernelPoint& p, const KernelLibrary& library) {
  std::vector<std::string> hosts = library.host_names();
  hosts.insert(hosts.begin(), std::string(unknown_host));
  axes.text(p.benchmark, "benchmark", "kernel that the DPUs run", {}, library.kernel_names())
      .text(p.problem, "problem", "sizes of the problem, as in \"m=8192 n=1024\"; empty: those of the benchmark", "")
      .count(p.choices.dpus, "dpus", 1, 1 << 20, "DPUs that share the work", 64)
      .count(p.choices.tasklets, "tasklets", 1, 1024, "tasklets of a DPU", 16)
      .count(p.choices.block_bytes, "block_bytes", 0, 1 << 20, "bytes of a DMA; 0: those of the benchmark", 0)
      .choice(p.choices.type, "data_type", data_type_words, "type of the elements; own: that of the benchmark",
              DataType::own)
      .choice(p.choices.transfer, "transfer", transfer_words,
              "transfers by the host to and from the DPUs; own: those of the benchmark", TransferMode::own)
      .text(p.host, "host", "host whose measured bandwidths the transfers have", unknown_host, std::move(hosts))
      .quantity(p.choices.launches, "launches", "1", 0, 1e9, "launches of the kernel in all; 0: those of the benchmark",
                0.0);
  add_machine_axes(axes, p.machine);
}

void add_metrics(ColumnList& metrics, const KernelResult& r) {
  metrics.quantity(r.time, "time", "s", "time of transfers and kernel")
      .quantity(r.energy, "energy", "J", "energy of DPUs and host")
      .quantity(r.run.to, "to_dpus", "s", "time of transfers to the DPUs")
      .quantity(r.run.kernel, "kernel", "s", "time of the kernel with its launches")
      .quantity(r.run.between, "between", "s", "time of transfers between launches")
      .quantity(r.run.from, "back", "s", "time of transfers from the DPUs")
      .choice(r.run.bound, "bound", bound_words,
              "resource that limits the kernel: issue, dma, mutex, or latency of a tasklet")
      .quantity(r.run.kernel_low, "kernel_low", "s", "time of the kernel at the lower end of its range")
      .quantity(r.run.kernel_high, "kernel_high", "s", "time of the kernel at the upper end of its range")
      .quantity(r.to_low, "to_dpus_low", "s", "shortest time of transfers to the DPUs on such a host")
      .quantity(r.to_high, "to_dpus_high", "s", "longest time of transfers to the DPUs on such a host")
      .quantity(r.from_low, "back_low", "s", "shortest time of transfers from the DPUs on such a host")
      .quantity(r.from_high, "back_high", "s", "longest time of transfers from the DPUs on such a host")
      .quantity(r.run.elements, "elements_per_dpu", "1", "elements of the fullest DPU, padding included")
      .quantity(r.run.launches, "kernel_launches", "1", "launches of the kernel")
      .quantity(r.run.to_bytes, "to_dpu_bytes", "B", "bytes to a DPU, padding included")
      .quantity(r.run.from_bytes, "from_dpu_bytes", "B", "bytes from a DPU, padding included")
      .quantity(r.run.from_calls, "from_dpu_calls", "1", "transfers from the DPUs")
      .quantity(r.run.mram_bytes, "mram_bytes", "B", "bytes that a DPU's bank holds")
      .quantity(r.issue_rate, "issue_rate", "1", "instructions that a DPU issues in a cycle of the kernel")
      .quantity(r.dma_rate, "dma_use", "1", "share of the kernel's cycles in which the DMA engine works")
      .quantity(r.run.bounds[0], "issue_cycles", "cycle", "issue slots of the fullest DPU")
      .quantity(r.run.bounds[1], "dma_cycles", "cycle", "cycles of the DMA engine of the fullest DPU")
      .quantity(r.run.bounds[2], "mutex_cycles", "cycle", "cycles under a mutex in the fullest DPU")
      .quantity(r.run.bounds[3], "latency_cycles", "cycle", "cycles of the fullest tasklet on its own")
      .quantity(r.dpu_energy, "dpu_energy", "J", "energy of all chips of DPUs over the time")
      .quantity(r.host_energy, "host_energy", "J", "energy of the host over the time")
      .quantity(r.to_ms, "cpu_dpu_ms", "1", "transfers to the DPUs in milliseconds, the display unit of PrIM")
      .quantity(r.kernel_ms, "dpu_ms", "1", "kernel in milliseconds, the display unit of PrIM")
      .quantity(r.between_ms, "inter_dpu_ms", "1",
                "transfers between launches in milliseconds, the display unit of PrIM")
      .quantity(r.from_ms, "dpu_cpu_ms", "1", "transfers from the DPUs in milliseconds, the display unit of PrIM")
      .text(r.basis, "basis", "basis of the kernel's cycles: counted, calibrated or assumed");
}

/// The reason why a machine cannot run this; empty if it can.
std::string impossible(const KernelPoint& p, const Kernel& kernel) {
  const Machine& m = p.machine;
  const Choices& c = p.choices;
  if (std::string reason = m.lacking(c.dpus, c.tasklets); !reason.empty()) return reason;
  const auto block = static_cast<double>(c.block_bytes == 0 ? kernel.block_bytes : c.block_bytes);
  if (block > m.dma_max || std::fmod(block, m.dma_step) != 0) {
    return fmt::format("block_bytes is {}, but a DMA moves multiples of {} bytes up to {}", block, m.dma_step,
                       m.dma_max);
  }
  return {};
}

std::string too_large(const KernelPoint& p, const Kernel& kernel, const Run& run) {
  const Machine& m = p.machine;
  if (kernel.value("valid") == 0) return fmt::format("{}: {}", p.benchmark, kernel.invalid);
  if (run.mram_bytes > m.mram) {
    return fmt::format("the data of a DPU take {:.0f} bytes, but its bank (MRAM) has {:.0f}: use more DPUs",
                       run.mram_bytes, m.mram);
  }
  const double wram = run.wram_bytes + static_cast<double>(p.choices.tasklets) * m.stack;
  if (wram > m.wram) {
    return fmt::format(
        "buffers and stacks take {:.0f} bytes, but the scratchpad (WRAM) has {:.0f}: use smaller blocks "
        "or fewer tasklets",
        wram, m.wram);
  }
  return {};
}

KernelResult result_of(const KernelPoint& p, const Kernel& kernel, const Host* host, const Run& run) {
  const Machine& m = p.machine;
  KernelResult r;
  r.run = run;
  r.time = run.total();
  r.issue_rate = run.instructions / run.kernel_cycles();
  r.dma_rate = run.bounds[static_cast<std::size_t>(Bound::dma)] / run.kernel_cycles();
  const double factor = host == nullptr ? m.unknown_host_factor : m.known_host_factor;
  r.to_low = run.to / factor;
  r.to_high = run.to * factor;
  r.from_low = run.from / factor;
  r.from_high = run.from * factor;
  r.dpu_energy = m.power() * r.time;
  r.host_energy = m.host_power * r.time;
  r.energy = r.dpu_energy + r.host_energy;
  constexpr double ms = 1e3;
  r.to_ms = run.to * ms;
  r.kernel_ms = run.kernel * ms;
  r.between_ms = run.between * ms;
  r.from_ms = run.from * ms;
  r.basis = kernel.basis;
  return r;
}

class Upmem final : public System, public HasRoofline {
 public:
  explicit Upmem(const ConfigFolders& configs) : library_(configs) {
    add_axes(axes_, axes_.layout(), library_);
    add_metrics(metrics_, metrics_.layout());
    schema_.name = "upmem";
    // 2: the last bits of bandwidths.
    schema_.version = 2;
    schema_.doc = "A kernel on UPMEM's DPUs, with its transfers by the host";
    schema_.main_metrics = {"time", "energy"};
    schema_.axes = axes_.axes();
    schema_.metrics = metrics_.columns();
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    axes_.read(point, point_);
    const Kernel& kernel = library_.kernel(point_.benchmark);
    set_problem(kernel, point_.problem);
    record.status = Status::infeasible;
    record.message = impossible(point_, kernel);
    if (!record.message.empty()) return;
    const Host* host = host_of(point_);
    const Run done = run(point_.machine, host, kernel, point_.choices);
    record.message = too_large(point_, kernel, done);
    if (!record.message.empty()) return;
    metrics_.write(result_of(point_, kernel, host, done), record);
    record.status = Status::ok;
  }

  Hash128 workload_hash(const Point& point) override {
    axes_.read(point, point_);
    const Host* host = host_of(point_);
    return hash128(library_.kernel(point_.benchmark).content.text() + (host == nullptr ? "" : host->content.text()));
  }

  std::vector<std::string> fit_axes() const override { return {"benchmark", "problem"}; }

  Roofline roofline(const Point& /*point*/, const Record& /*record*/) override {
    return {.reason =
                "a DPU has instructions and DMA transfers in place of operations and bytes: metric 'bound' states "
                "which limits it"};
  }

 protected:
  void require_fit(const Point& point) override {
    axes_.read(point, point_);
    set_problem(library_.kernel(point_.benchmark), point_.problem);
  }

 private:
  const Host* host_of(const KernelPoint& p) const { return p.host == unknown_host ? nullptr : &library_.host(p.host); }

  KernelLibrary library_;
  AxisTable<KernelPoint> axes_;
  MetricTable<KernelResult> metrics_;
  Schema schema_;
  KernelPoint point_;
};

}  // namespace

std::unique_ptr<System> make_upmem(const ConfigFolders& configs) { return std::make_unique<Upmem>(configs); }

}  // namespace pimsweep::systems::upmem
