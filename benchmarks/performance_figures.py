"""The speed figures of docs/performance.md: measurement, program, and bound of each."""

import dataclasses
import json

import machine
from performance_limits import cache_bytes, instructions

SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
CHECKED = "experiments/hypar.toml"
ONE_POINT = ('name = "one"\n[[study]]\nid = "point"\nsystem = "gemm"\nhardware = "gemm-nvdla"\ndataflow = "ws"\n'
             "array_rows = 8\narray_cols = 8\nM = 49\nN = 49\nK = 32\n")


def by_counter(name):
    """Seconds of one of what a benchmark counts in a second."""
    return lambda result: 1 / result[name]


def whole(result):
    """Processor seconds, which other programs touch least."""
    return result["cpu_time"] * SECONDS[result["time_unit"]]


def shared(count):
    """Seconds of one of so many in an iteration."""
    return lambda result: whole(result) / count


@dataclasses.dataclass(frozen=True, eq=False)
class Figure:
    """Seconds of something. `bound` says in words what `limit` computes from the machine's bounds, or why there is none."""

    what: str
    program: str
    name: str  # of the benchmark
    seconds: object
    bound: str = ""
    limit: object = None

    @property
    def command(self):
        return f"{self.program} --benchmark_filter='{self.name}'"


@dataclasses.dataclass(frozen=True, eq=False)
class CommandFigure:
    """Wall seconds of a whole command."""

    what: str
    command: str
    arguments: list
    bound: str
    limit: object


# Each benchmark of results/reference rows takes all of them in an iteration.
BENCHMARKS = [
    Figure("NoC: a flit-hop, 16 x 16, 8 flits, rate 0.2", "benchmark_noc_router", "cycle/flits:8/percent:20", by_counter("flit_hops"),
           "175 instructions (buffer in and out, two allocations, a credit)", instructions(175)),
    Figure("NoC: a flit-hop, 16 x 16, 1 flit, rate 0.05", "benchmark_noc_router", "cycle/flits:1/percent:5", by_counter("flit_hops"),
           "the same", instructions(175)),
    Figure("NoC in closed form: a point", "benchmark_noc_router", "analytic", whole),
    Figure("DRAM: a request, DDR4, row hits on all banks", "benchmark_dram", "hit_allbanks/dram-DDR4_2400R", by_counter("requests"),
           "60 instructions a command, one command", instructions(60)),
    Figure("DRAM: a read, DDR4, random", "benchmark_dram", "draws/random/dram-DDR4_2400R/reads:100", by_counter("requests"),
           "60 instructions a command, three commands", instructions(180)),
    Figure("DRAM: a request, DDR4, random, 2 of 3 reads", "benchmark_dram", "draws/random/dram-DDR4_2400R/reads:67", by_counter("requests"),
           "the same", instructions(180)),
    Figure("DRAM: a read, HBM2, random", "benchmark_dram", "draws/random/dram-HBM2_2000/reads:100", by_counter("requests"),
           "60 instructions a command, three commands", instructions(180)),
    Figure("DRAM: a request, HBM2, random, 2 of 3 reads", "benchmark_dram", "draws/random/dram-HBM2_2000/reads:67", by_counter("requests"),
           "the same", instructions(180)),
    Figure("Newton: a layer, command by command", "benchmark_newton", "all_rows/artifact/cycle", shared(713),
           "the closed form, below"),
    Figure("Newton: a layer, closed form", "benchmark_newton", "all_rows/artifact/closed-form", shared(713)),
    Figure("HyPar: partition of ResNet-50, 16 accelerators", "benchmark_hypar", "hypar_of/resnet_50_16", whole,
           "100 instructions for each of 71 nodes and 4 levels", instructions(100 * 71 * 4)),
    Figure("HyPar: optimum of VGG-E, 256 accelerators", "benchmark_hypar", "optimum_of/vgg_e_256", whole,
           "reading 18 x 256 x 256 costs from the second-level cache", cache_bytes(18 * 256 * 256 * 8)),
    Figure("Allspark: Figure 11", "benchmark_allspark", "figure_11", whole),
    Figure("Hetero-PIM: a step of Inception-v3, greedy", "benchmark_heteropim", "one_step/inception_greedy", whole,
           "100 instructions for each of 3162 operations", instructions(100 * 3162)),
    Figure("rtconc: Inception-v3, all strategies", "benchmark_rtconc", "schedule/inception_v3_strategy_1234", whole,
           "100 instructions for each of 3162 operations and 4 strategies", instructions(4 * 100 * 3162)),
    Figure("PE array: mappings of Timeloop's rows, 8 x 8", "benchmark_gemm_mapper", "timeloop_rows/8x8/delay then energy", whole),
    Figure("Exchange network: a step, torus, 256 accelerators", "benchmark_network", "step/torus/256", whole),
    Figure("Language model: a step of Llama 70B on GPUs", "benchmark_llm", "step/llama_70b_gpu", whole),
    Figure("Language model: a step of Mixtral, AttAcc", "benchmark_llm", "step/mixtral_attacc", whole),
    Figure("Library of models: read", "benchmark_workload", "read_library", whole),
]
COMMANDS = [
    CommandFigure(f"`check {CHECKED}`", f"pimsweep check {CHECKED}", ["check", CHECKED], "start of a process", lambda limits: limits["process"]),
    CommandFigure("a run of one point, no launcher", "pimsweep one.toml", ["one.toml", "--force"], "start of a process",
                  lambda limits: limits["process"]),
    CommandFigure("a run of one point, two ranks", "mpirun -n 2 pimsweep one.toml", ["mpirun", "one.toml", "--force"],
                  "mpirun, MPI_Init and MPI_Finalize", lambda limits: limits["mpirun"] + limits["mpi_init"]),
]
ALL = [*BENCHMARKS, *COMMANDS]


def benchmark_results(tree, program, names, seconds):
    """Results of the benchmarks of these names, by name."""
    filters = "|".join(f"^{name}$" for name in names)
    _, done = machine.timed([tree / "benchmarks" / program, f"--benchmark_filter={filters}", "--benchmark_format=json",
                             f"--benchmark_min_time={seconds}"], machine.SOURCE)
    # Nothing is printed where no name matches, as in the tree of an earlier version.
    return {one["name"]: one for one in json.loads(done.stdout)["benchmarks"]} if done.stdout else {}


def command_seconds(figure, tree, folder):
    words = figure.arguments
    program = [str(tree / "pimsweep")]
    if words[0] == "mpirun":
        program, words = ["mpirun", "-n", "2", *program], words[1:]
    paths = [str(machine.SOURCE / word) if word.startswith("experiments/") else word for word in words]
    return machine.timed([*program, *paths], folder, machine.mpi_environment())[0]


def measure(trees, runs, folder, quick):
    """Seconds of each run, by (figure, tree). Figures that a tree's program does not have are left out for it."""
    times = {}
    (folder / "one.toml").write_text(ONE_POINT)
    programs = list(dict.fromkeys(figure.program for figure in BENCHMARKS))
    for number in range(runs):
        order = list(trees.items())[::-1 if number % 2 else 1]
        for program in programs:
            figures = [figure for figure in BENCHMARKS if figure.program == program]
            for name, tree in order:
                results = benchmark_results(tree, program, [figure.name for figure in figures], 0.01 if quick else 0.2)
                for figure in figures:
                    if figure.name in results:
                        times.setdefault((figure, name), []).append(figure.seconds(results[figure.name]))
        for figure in COMMANDS:
            for name, tree in order:
                if number == 0:
                    command_seconds(figure, tree, folder)
                times.setdefault((figure, name), []).append(command_seconds(figure, tree, folder))
    if missing := [figure.name for figure in BENCHMARKS if (figure, "now") not in times]:
        raise RuntimeError(f"no such benchmarks: {', '.join(missing)}")
    return times
