# Links HDF5 statically if its static library depends only on compression. Debian's shared library pulls in thirty
# libraries for reading files over a network, whose loading would dominate the startup time of every command.
# The room `results` links PIMSWEEP_HDF5: the static library for targets that have the property PIMSWEEP_STATIC_HDF5,
# the shared one for tests and for programs that use an installation.
option(PIMSWEEP_STATIC_HDF5 "Link the program with HDF5's static library, if there is one that stands alone" ON)
set(PIMSWEEP_HDF5 $<LINK_ONLY:hdf5::hdf5_hl> $<LINK_ONLY:hdf5::hdf5>)
if(PIMSWEEP_STATIC_HDF5)
  include(CheckCSourceCompiles)
  # Static libraries of the same installation.
  get_target_property(location hdf5::hdf5 IMPORTED_LOCATION)
  get_filename_component(folder "${location}" DIRECTORY)
  find_library(PIMSWEEP_HDF5_ARCHIVE NAMES libhdf5.a HINTS ${folder} NO_DEFAULT_PATH)
  find_library(PIMSWEEP_HDF5_HL_ARCHIVE NAMES libhdf5_hl.a HINTS ${folder} NO_DEFAULT_PATH)
  find_library(PIMSWEEP_SZIP sz)
  find_package(ZLIB)
  mark_as_advanced(PIMSWEEP_HDF5_ARCHIVE PIMSWEEP_HDF5_HL_ARCHIVE PIMSWEEP_SZIP)
  set(libraries ${PIMSWEEP_HDF5_HL_ARCHIVE} ${PIMSWEEP_HDF5_ARCHIVE})
  if(PIMSWEEP_SZIP)
    list(APPEND libraries ${PIMSWEEP_SZIP})
  endif()
  list(APPEND libraries ${ZLIB_LIBRARIES} Threads::Threads ${CMAKE_DL_LIBS} m)
  if(PIMSWEEP_HDF5_ARCHIVE AND PIMSWEEP_HDF5_HL_ARCHIVE)
    set(CMAKE_REQUIRED_LIBRARIES ${libraries})
    set(CMAKE_REQUIRED_INCLUDES ${HDF5_C_INCLUDE_DIRS})
    check_c_source_compiles("#include <hdf5.h>
#include <hdf5_hl.h>
int main(void) { return H5Fcreate(\"f\", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT) < 0 || H5DSset_scale(0, \"d\") < 0; }"
                            PIMSWEEP_HDF5_STANDS_ALONE)
    unset(CMAKE_REQUIRED_LIBRARIES)
    unset(CMAKE_REQUIRED_INCLUDES)
  endif()
  if(PIMSWEEP_HDF5_STANDS_ALONE)
    add_library(pimsweep_static_hdf5 INTERFACE)
    target_link_libraries(pimsweep_static_hdf5 INTERFACE ${libraries})
    set(is_static $<BOOL:$<TARGET_PROPERTY:PIMSWEEP_STATIC_HDF5>>)
    set(PIMSWEEP_HDF5 $<LINK_ONLY:$<IF:${is_static},pimsweep_static_hdf5,hdf5::hdf5_hl>>
                      $<LINK_ONLY:$<$<NOT:${is_static}>:hdf5::hdf5>>)
  endif()
endif()
