#include "driver/mpi_module.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "driver/launch.h"

namespace pimsweep::driver {

namespace {

/// Open MPI's own modules need its symbols.
constexpr int for_use = RTLD_GLOBAL;

constexpr std::array<std::string_view, 2> kinds{"openmpi", "mpich"};

/// Where the module may be; last by the loader's own search, for programs of others (docs/tutorials/library.md).
std::vector<std::string> places_of(std::string_view kind) {
  const std::string file = fmt::format("mpi-{}.so", kind);
  std::vector<std::string> places;
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) {
    for (const char* folder : {PIMSWEEP_INSTALLED_MODULES, "lib/pimsweep", "../lib/pimsweep"}) {
      const std::filesystem::path path = (program.parent_path() / folder / file).lexically_normal();
      if (std::filesystem::exists(path, error)) places.push_back(path.string());
    }
  }
  places.push_back(file);
  return places;
}

const mpi::Functions* open(const std::string& path, int scope) {
  void* const module = ::dlopen(path.c_str(), RTLD_NOW | scope);
  if (module == nullptr) return nullptr;
  using Get = const mpi::Functions* (*)();
  const auto get = reinterpret_cast<Get>(::dlsym(module, mpi::module_symbol));
  return get == nullptr ? nullptr : get();
}

/// The module of this kind, or nullptr; `reason` says then why there is none.
const mpi::Functions* open_kind(std::string_view kind, int scope, std::string& reason) {
  for (const std::string& place : places_of(kind)) {
    if (const mpi::Functions* functions = open(place, scope)) return functions;
    if (const char* error = ::dlerror(); reason.empty() && error != nullptr) reason = error;
  }
  return nullptr;
}

}  // namespace

const mpi::Functions& load_mpi_module() {
  const char* const asked = std::getenv("PIMSWEEP_MPI");
  if (asked != nullptr && std::string_view(asked).find('/') != std::string_view::npos) {
    if (const mpi::Functions* functions = open(asked, for_use)) return *functions;
    const char* const reason = ::dlerror();
    throw InputError(fmt::format("PIMSWEEP_MPI names '{}', which is not an MPI module of pimsweep: {}", asked,
                                 reason == nullptr ? "the file is another one" : reason));
  }
  const std::string_view kind = asked != nullptr && *asked != '\0' ? asked : mpi_of_launcher();
  std::string reason;
  if (const mpi::Functions* functions = open_kind(kind, for_use, reason)) return *functions;
  throw InputError(fmt::format(
      "started by a launcher of {}, for which this pimsweep has no module: {}; build pimsweep with this MPI, "
      "use the other's mpirun, or none (pimsweep --version --verbose lists what there is)",
      kind, reason));
}

std::vector<std::string> mpi_libraries() {
  std::vector<std::string> libraries;
  for (const std::string_view kind : kinds) {
    std::string reason;
    if (const mpi::Functions* functions = open_kind(kind, RTLD_LOCAL, reason))
      libraries.emplace_back(functions->library());
  }
  return libraries;
}

}  // namespace pimsweep::driver
