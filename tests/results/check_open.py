"""Opens the file that test_results_file.cpp wrote with xarray (both engines), h5py and h5dump."""

import subprocess
import sys

import h5py
import xarray

path = sys.argv[1]
for engine in ("netcdf4", "h5netcdf"):
    data = xarray.open_dataset(path, group="one", engine=engine)
    assert data.sizes == {"point": 6}, data.sizes
    assert data["latency"].attrs["units"] == "s" and data["latency"].attrs["source"] == "fake version 3", data["latency"].attrs
    assert data["x"].values.tolist() == [0, 0.5, 1, 1.5, 2, 2.5]
    assert data["policy"].values.tolist() == ["a", "b"] * 3
    frame = data.to_dataframe()
    assert frame["status"].tolist() == [0, 1, 0, 0, 0, 0], frame["status"]
    assert frame["latency"].isna().tolist() == [False, True, False, False, False, False]
    stages = xarray.open_dataset(path, group="one/stages", engine=engine)
    assert list(stages.sizes) == ["row"] and stages["point"].values.tolist() == [2, 2, 4, 5, 5], stages
with h5py.File(path) as file:
    assert file.attrs["format"] == "pimsweep results" and len(file.attrs["digest"]) == 32
    assert file.attrs["hardware_machine"] == "key = 1\n"
    assert file["one/latency"].dims[0][0].name == "/one/point"
    assert file["one/status"].attrs["flag_meanings"] == "ok infeasible failed crashed not_run"
    assert file["provenance"].attrs["ranks"] == "1"
dump = subprocess.run(["h5dump", "-H", path], capture_output=True, text=True, check=True).stdout
assert 'DATASET "latency"' in dump
