include(${CMAKE_CURRENT_LIST_DIR}/Libraries.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/StaticHdf5.cmake)

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
