# Installation: two components, which are two packages (cmake/Package.cmake). The program finds its files relative to
# itself, so that the prefix may be moved.
set(share ${CMAKE_INSTALL_DATADIR}/pimsweep)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
install(TARGETS pimsweep RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_BINARY_DIR}/share/ DESTINATION ${CMAKE_INSTALL_DATADIR})
install(FILES LICENSE README.md CHANGELOG.md packaging/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY scripts/slurm DESTINATION ${share}/scripts USE_SOURCE_PERMISSIONS)
install(FILES scripts/mpi-env.sh DESTINATION ${share}/scripts)
install(DIRECTORY configs experiments DESTINATION ${share})
# results/reference: point tables of experiments.
install(DIRECTORY results/published results/reference DESTINATION ${share}/results)
install(FILES scripts/accuracy_tables.py scripts/contestants.py scripts/draw_figures.py scripts/measured_times.py
        DESTINATION ${share}/scripts)
install(DIRECTORY scripts/figures DESTINATION ${share}/scripts PATTERN __pycache__ EXCLUDE)
# docs/python.md says how an interpreter finds it.
install(DIRECTORY python/pimsweep DESTINATION lib/python3/dist-packages PATTERN __pycache__ EXCLUDE)

# For find_package(pimsweep): the rooms' libraries (cmake/Rooms.cmake), their headers, and where they are.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/pimsweep)
install(FILES packaging/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libpimsweep-dev)
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pimsweep FILES_MATCHING PATTERN *.h)
install(EXPORT pimsweep NAMESPACE pimsweep:: FILE pimsweepTargets.cmake DESTINATION ${package_folder})
set(CONFIGS ${CMAKE_INSTALL_FULL_DATADIR}/pimsweep/configs)
set(MPI_MODULES ${CMAKE_INSTALL_FULL_LIBDIR}/pimsweep)
configure_package_config_file(cmake/pimsweepConfig.cmake.in ${PROJECT_BINARY_DIR}/pimsweepConfig.cmake
                              INSTALL_DESTINATION ${package_folder} PATH_VARS CONFIGS MPI_MODULES)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pimsweepConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pimsweepConfig.cmake ${PROJECT_BINARY_DIR}/pimsweepConfigVersion.cmake cmake/Libraries.cmake
        DESTINATION ${package_folder})
