# Debian packages by CPack: pimsweep, and libpimsweep-dev for find_package(pimsweep). scripts/package.sh makes them.
set(CPACK_GENERATOR DEB)
# Debian wants an address, and the project has none: .invalid is reserved for that (RFC 2606). Who hands packages on, gives theirs.
set(PIMSWEEP_PACKAGE_CONTACT "The pimsweep authors <authors@pimsweep.invalid>" CACHE STRING "Maintainer of the Debian packages")
set(CPACK_PACKAGE_CONTACT "${PIMSWEEP_PACKAGE_CONTACT}")
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)

# The libraries are those that the program was linked with.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME pimsweep)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "coinor-libcbc3, openmpi-bin, python3, python3-h5py, python3-numpy, python3-pandas, python3-xarray")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS
    "python3-h5netcdf, python3-netcdf4, python3-matplotlib, python3-plotly, python3-tomli-w")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "Batch experiments for processing-in-memory research
Models of published designs, swept by experiment files over any number of
MPI ranks, with one HDF5 file as the result.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libpimsweep-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
string(JOIN ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "pimsweep (= ${PROJECT_VERSION})" "g++ | c++-compiler"
       "make | ninja-build" cmake pkg-config
       libhdf5-dev libcli11-dev libtomlplusplus-dev nlohmann-json3-dev libfmt-dev libxxhash-dev libboost-dev
       libboost-graph-dev coinor-libcbc-dev libmuparser-dev libnlopt-dev libonnx-dev libprotobuf-dev zlib1g-dev)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Libraries and headers of pimsweep
For C++ programs with systems and policies of their own.")
include(CPack)
