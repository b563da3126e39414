#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pimsweep::workload::training {

/// The numbers that a text such as "BiasAddGrad=20 Relu=3" gives to types of operations, by the value of OperationType;
/// `*` is every other type, and `otherwise` the number without it. Throws PointError, which names `axis`, for an
/// unknown type and a number that is not positive.
std::vector<double> numbers_by_type(const std::string& text, std::string_view axis, double otherwise);

}  // namespace pimsweep::workload::training
