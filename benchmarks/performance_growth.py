"""Growth of costs with the size of a simulation or run: tables of docs/performance.md."""

import statistics

import h5py

import machine
import performance_figures
import performance_limits
import pimsweep_run

RANKS = 2
SOME_POINT_FAILED = 1  # status of a run
MESHES = [4, 8, 16, 32, 64, 128]
CHANNELS = [4, 8, 16, 32]
PLANS = [10**4, 10**5, 10**6, 10**7]
LONGEST_PLAN = 10**8
LAYERS = [19, 64, 256, 1024, 4096, 4864]
LOAD = 0.1  # of the rate at which uniform traffic fills the links across the middle of a mesh


def header(first, columns, trees):
    """Columns of each tree, the one before first where there are two."""
    names = ["before", "now"] if "before" in trees else ["now"]
    return [first, *(f"{column}, {name}" if len(names) > 1 else column for column in columns for name in names)], names


def evaluated(tree, text, folder):
    """Columns of the study and the seconds of its points, evaluated by one process; None for both if the version of this tree
    has no such points: a point that fails, as one that is too large for it."""
    (folder / "growth.toml").write_text(text)
    _, done = machine.timed([tree / "pimsweep", "growth.toml", "--output", "growth.h5", "--force", "--progress", "none"], folder,
                            machine.mpi_environment(), (0, SOME_POINT_FAILED))
    if done.returncode == SOME_POINT_FAILED:
        return None, None
    with h5py.File(folder / "growth.h5") as file:
        study = next(name for name in file if name not in ("provenance",))
        return {name: file[study][name][:] for name in file[study] if isinstance(file[study][name], h5py.Dataset)}, \
            file[f"provenance/{study}/seconds"][:]


def mesh_text(radix):
    """A point that simulates uniform traffic; a sample period of a thousand cycles."""
    rate = LOAD * 8 / radix / 2 if radix > 4 else LOAD
    return ('name = "growth"\n[[study]]\nid = "mesh"\nsystem = "noc"\nfidelity = "cycle"\nsample_period = 1000\n'
            f"k = {radix}\ninjection_rate = {rate}\n")


def mesh(trees, folder, quick):
    head, names = header("mesh", ["a cycle", "a flit-hop"], trees)
    rows = []
    for radix in MESHES[:2] if quick else MESHES:
        measured = {}
        for name in names:
            columns, seconds = evaluated(trees[name], mesh_text(radix), folder)
            measured[name] = [""] * 2 if columns is None else [
                machine.duration(seconds.sum() / columns[count][0]) for count in ("sim_cycles", "flit_hops")]
        rows.append([f"{radix} x {radix}", *(measured[name][column] for column in range(2) for name in names)])
    return machine.markdown(head, rows)


def channels(trees, folder, quick):
    head, names = header("channels", ["a layer"], trees)
    rows = []
    for count in CHANNELS[:2] if quick else CHANNELS:
        row = [count]
        for name in names:
            _, seconds = evaluated(trees[name],
                                   'name = "growth"\n[[study]]\nid = "channels"\nsystem = "newton"\nhardware = "newton-GDDR6_3500"\n'
                                   f'controller = "paper"\nfidelity = "cycle"\nW = 1\nchannels = {count}\n[study.axes]\n'
                                   "H = [1, 2, 3, 4, 5, 6, 7, 8]\nCin = [1280, 1281, 1282]\nCout = [1000, 1001, 1002]\n", folder)
            row.append(machine.duration(statistics.median(seconds)))
        rows.append(row)
    return machine.markdown(head, rows)


def deflated_seconds(file, ranks):
    """Time of zlib alone for the columns of a results file, spread evenly over the ranks."""
    columns = []
    with h5py.File(file) as results:
        results.visititems(lambda _, item: columns.append(item[:]) if isinstance(item, h5py.Dataset) and item.compression and
                           item.dtype.kind in "iuf" else None)
    return performance_limits.deflate_seconds(columns) / ranks


def plan(trees, folder, quick, longest):
    head, names = header("points", ["run", "`pimsweep plan`"], trees)
    rows = []
    for points in PLANS[:1] if quick else [*PLANS, LONGEST_PLAN]:
        (folder / "plan.toml").write_text(pimsweep_run.Experiment(points).text)
        run, planned, bound = {}, {}, ""
        for name in names:
            program = trees[name] / "pimsweep"
            seconds, _ = machine.timed([program, "plan", "plan.toml"], folder, machine.mpi_environment())
            planned[name] = machine.duration(seconds)
            run[name] = ""
            if points == LONGEST_PLAN and not longest:
                continue
            seconds, _ = machine.timed(["mpirun", "-n", RANKS, program, "plan.toml", "--output", "plan.h5", "--force", "--progress", "none"],
                                       folder, machine.mpi_environment())
            run[name] = machine.duration(seconds)
            if points != LONGEST_PLAN:  # its columns would fill the memory
                bound = machine.duration(deflated_seconds(folder / "plan.h5", RANKS))
            (folder / "plan.h5").unlink()
        rows.append([f"{points:.0e}".replace("e+0", "e"), *(run[name] for name in names), *(planned[name] for name in names), bound])
    return machine.markdown([*head, "zlib on the columns, over both ranks"], rows)


def layers(trees, quick):
    head, names = header("layers", ["partition, a layer", "optimum, a layer"], trees)
    chosen = LAYERS[:2] if quick else LAYERS
    found = {name: performance_figures.benchmark_results(trees[name], "benchmark_hypar",
                                                         [f"{kind}_repeated/{count}" for kind in ("hypar", "optimum") for count in chosen],
                                                         0.01 if quick else 0.1) for name in names}
    return machine.markdown(head, [[count, *(machine.duration(performance_figures.whole(found[name][f"{kind}_repeated/{count}"]) / count)
                                             for kind in ("hypar", "optimum") for name in names)] for count in chosen])


def tables(trees, folder, quick, longest):
    return {"mesh": mesh(trees, folder, quick), "channels": channels(trees, folder, quick), "plan": plan(trees, folder, quick, longest),
            "layers": layers(trees, quick)}
