#pragma once

#include "workload/training/training_library.h"

namespace pimsweep::workload {

inline const ModelLibrary& models() {
  static const ModelLibrary library("configs/models");
  return library;
}

inline const training::TrainingLibrary& steps() {
  static const training::TrainingLibrary library("configs/training", models());
  return library;
}

inline training::TrainingGraph graph_of(const std::string& step) {
  return training::training_graph(models(), steps().find(step));
}

}  // namespace pimsweep::workload
