#pragma once

#include "workload/model_library.h"

namespace pimsweep::workload {

/// The models that the program installs.
inline const ModelLibrary& library() {
  static const ModelLibrary models("configs/models");
  return models;
}

}  // namespace pimsweep::workload
