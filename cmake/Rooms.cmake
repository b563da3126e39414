# One static library for each room of the house (docs/architecture.md). What a room may link is what it may include.
add_library(pimsweep_flags INTERFACE)
target_compile_options(pimsweep_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
                       -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast
                       $<$<BOOL:${PIMSWEEP_WARNINGS_AS_ERRORS}>:-Werror>)
# Contracted multiply-adds would let two builds of the same source differ in the last bit. scripts/same_bits.sh shows where.
set(PIMSWEEP_FP_CONTRACT off CACHE STRING "Contraction of floating-point expressions (-ffp-contract); leave it off")
mark_as_advanced(PIMSWEEP_FP_CONTRACT)
target_compile_options(pimsweep_flags INTERFACE -ffp-contract=${PIMSWEEP_FP_CONTRACT})
# Checks by the compiler and the loader cost about 1 % (docs/reliability.md); those of _GLIBCXX_ASSERTIONS cost
# up to 16 %, so that only the builds for development have them. Sanitizers look for more than these checks.
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(control_flow_protection -fcf-protection=full)
  endif()
  target_compile_options(pimsweep_flags INTERFACE $<$<CONFIG:Release>:-fstack-protector-strong -fstack-clash-protection
                         ${control_flow_protection} -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3>)
  target_link_options(pimsweep_flags INTERFACE $<$<CONFIG:Release>:-Wl,-z,relro,-z,now>)
endif()
# Tests are compiled without optimization: the tested libraries are optimized as usual, and each test runs only once.
add_library(pimsweep_test_flags INTERFACE)
target_compile_options(pimsweep_test_flags INTERFACE $<IF:$<CONFIG:Debug>,-O0,-O1>)
target_link_libraries(pimsweep_test_flags INTERFACE pimsweep_flags)

# Headers that nearly every file includes are compiled once, without and with Catch2, where something that is built needs them.
if(PIMSWEEP_PRECOMPILE)
  foreach(headers standard catch)
    add_library(pimsweep_precompiled_${headers} OBJECT EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/cmake/precompiled/empty.cpp)
    target_precompile_headers(pimsweep_precompiled_${headers} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled/${headers}.h)
    target_link_libraries(pimsweep_precompiled_${headers} PRIVATE fmt::fmt)
  endforeach()
  target_link_libraries(pimsweep_precompiled_standard PRIVATE pimsweep_flags)
  target_link_libraries(pimsweep_precompiled_catch PRIVATE pimsweep_test_flags)
endif()
function(pimsweep_precompile target headers)
  if(PIMSWEEP_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM pimsweep_precompiled_${headers})
  endif()
endfunction()

# pimsweep_library(NAME SOURCES ... LINKS ...): a static library of the house; LINKS are rooms below it and libraries.
function(pimsweep_library name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;LINKS" ${ARGN})
  add_library(pimsweep_${name} STATIC ${ROOM_SOURCES})
  target_include_directories(pimsweep_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/pimsweep>)
  target_compile_features(pimsweep_${name} PUBLIC cxx_std_20)
  target_link_libraries(pimsweep_${name} PUBLIC ${ROOM_LINKS} PRIVATE $<BUILD_INTERFACE:pimsweep_flags>)
  pimsweep_precompile(pimsweep_${name} standard)
endfunction()

# pimsweep_export(NAME): installs the library for find_package(pimsweep), as pimsweep::NAME.
function(pimsweep_export name)
  set_target_properties(pimsweep_${name} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS pimsweep_${name} EXPORT pimsweep ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
endfunction()

# pimsweep_room(NAME LINKS ... [EXCEPT ...]): the library of this folder: all sources in it and in folders below it that
# are not rooms themselves (lack a CMakeLists.txt), except those in EXCEPT.
function(pimsweep_room name)
  cmake_parse_arguments(ROOM "" "" "LINKS;EXCEPT" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cpp)
  file(GLOB_RECURSE inner_rooms RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} */CMakeLists.txt)
  foreach(inner ${inner_rooms})
    string(REPLACE "CMakeLists.txt" "" folder ${inner})
    list(FILTER sources EXCLUDE REGEX "^${folder}")
  endforeach()
  list(REMOVE_ITEM sources ${ROOM_EXCEPT} "")
  # A test links the program with another list of policies (docs/tutorials/policy.md).
  set_source_files_properties(policies.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  pimsweep_library(${name} SOURCES ${sources} LINKS ${ROOM_LINKS})
  pimsweep_export(${name})
endfunction()

# pimsweep_test(NAME SOURCES ... LINKS ... [TIMEOUT SECONDS] [SEPARATE] [OPTIMIZED]): one Catch2 executable, one CTest entry
# labeled `unit`. SEPARATE compiles each source alone: helpers in them have the same names. OPTIMIZED tests are built and
# run even without PIMSWEEP_UNIT_TESTS: their cases take too long without optimization.
function(pimsweep_test name)
  cmake_parse_arguments(TEST "SEPARATE;OPTIMIZED" "TIMEOUT" "SOURCES;LINKS" ${ARGN})
  add_executable(test_${name} ${TEST_SOURCES})
  if(TEST_SEPARATE)
    set_target_properties(test_${name} PROPERTIES UNITY_BUILD OFF)
  endif()
  target_link_libraries(test_${name} PRIVATE ${TEST_LINKS} pimsweep_catch_main pimsweep_test_flags)
  pimsweep_precompile(test_${name} catch)
  add_test(NAME ${name} COMMAND test_${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 300)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${TEST_TIMEOUT})
  if(NOT TEST_OPTIMIZED)
    set_tests_properties(${name} PROPERTIES LABELS unit)
    if(NOT PIMSWEEP_UNIT_TESTS)
      set_target_properties(test_${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
  endif()
endfunction()

# Open MPI on laptops, in containers and in CI: more ranks than cores, perhaps as root. The same as scripts/mpi-env.sh. It
# never frees the memory that MPI_Init allocates, so leaks are detected only in tests without MPI.
set(PIMSWEEP_MPI_ENVIRONMENT
    "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;OMPI_MCA_hwloc_base_binding_policy=none;OMPI_MCA_btl_vader_single_copy_mechanism=none;PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe;PRTE_MCA_hwloc_default_binding_policy=none;OMPI_MCA_smsc=^cma;ASAN_OPTIONS=detect_leaks=0")
