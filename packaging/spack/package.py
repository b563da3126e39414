# Spack's recipe, for a repository of your own (docs/packaging.md). It builds the source folder that `spack dev-build` is given.
from spack.package import *


class Pimsweep(CMakePackage):
    """Batch experiments for processing-in-memory research: models of published designs, swept over MPI ranks."""

    license("BSD-3-Clause")

    version("0.2.0")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi")
    depends_on("hdf5~mpi+hl")
    depends_on("boost@1.74: +graph")
    depends_on("cli11@2:")
    depends_on("tomlplusplus@3:")
    depends_on("nlohmann-json@3.11:")
    depends_on("fmt@9:")
    depends_on("xxhash@0.8:")
    depends_on("cbc@2.10:")
    depends_on("muparser@2.3:")
    depends_on("zlib-api")
    depends_on("nlopt@2.7:")
    depends_on("onnx@1.12:")
    depends_on("protobuf@3.12:")
    depends_on("python@3.11:", type="run")
    depends_on("py-numpy", type="run")
    depends_on("py-pandas", type="run")
    depends_on("py-xarray", type="run")
    depends_on("py-h5py", type="run")

    # GCC 12 is the oldest compiler that was tried.
    conflicts("%gcc@:11")

    def cmake_args(self):
        return ["-DPIMSWEEP_TESTS=OFF", "-DPIMSWEEP_BENCHMARKS=OFF"]
