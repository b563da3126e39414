#pragma once

#include <string>
#include <vector>

#include "results/study_view.h"

namespace pimsweep::sample {

/// A study whose only column of its own is a text.
class TextStudy final : public results::StudyView {
 public:
  TextStudy(std::string id, std::vector<std::string> texts) : id_(std::move(id)), texts_(std::move(texts)) {
    schema_.name = "texts";
    schema_.metrics = {{.name = "text", .unit = "1", .doc = "", .type = ValueType::text}};
  }
  const std::string& id() const override { return id_; }
  const std::string& doc() const override { return id_; }
  const systems::Schema& schema() const override { return schema_; }
  std::uint64_t size() const override { return texts_.size(); }
  const std::vector<results::ColumnInfo>& inputs() const override { return none_; }
  void row(std::uint64_t index, results::StudyView::Row& row) override {
    row.inputs.clear();
    row.record.reset(schema_);
    row.record.status = systems::Status::ok;
    row.record.metrics[0] = texts_[index];
  }

 private:
  std::string id_;
  systems::Schema schema_;
  std::vector<results::ColumnInfo> none_;
  std::vector<std::string> texts_;
};

}  // namespace pimsweep::sample
