#include "systems/heteropim/heteropim.h"

#include "systems/heteropim/axes.h"
#include "systems/heteropim/explain.h"
#include "systems/heteropim/records.h"
#include "systems/heteropim/trainer.h"
#include "systems/policy_list.h"
#include "systems/roofline.h"

namespace pimsweep::systems::heteropim {

namespace {

class HeteroPim final : public System, public HasRoofline {
 public:
  explicit HeteroPim(const ConfigFolders& configs)
      : graphs_(configs), axes_(make_axes(graphs_.names())), records_(schema_), trainer_(graphs_) {
    schema_.name = "heteropim";
    schema_.version = 2;
    schema_.main_metrics = {"time_per_sample", "energy_per_sample"};
    schema_.doc = "Hetero-PIM: training on host, programmable and fixed-function PIM, operation by operation";
    schema_.axes = axes_.axes();
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    const Settings settings = settings_of(point);
    records_.write(settings, graphs_.graph(settings.model), trainer_.run(settings), record);
  }

  Hash128 workload_hash(const Point& point) override {
    const Settings settings = settings_of(point);
    std::string content = graphs_.content(settings.model).text();
    if (!settings.partner.empty()) content += graphs_.content(settings.partner_choice()).text();
    return hash128(content);
  }

  std::vector<std::string> fit_axes() const override {
    return {"model", "image_px", "tokens", "batch", "task", "policy", "partner"};
  }

  void explain(const Point& point, Explanation& explanation) override {
    const Settings settings = settings_of(point);
    explain_point(settings, graphs_.graph(settings.model), trainer_.run(settings), explanation);
  }

  Roofline roofline(const Point& point, const Record& /*record*/) override {
    const Settings settings = settings_of(point);
    return roofline_of(settings, trainer_.run(settings));
  }

 protected:
  void require_fit(const Point& point) override {
    const Settings settings = settings_of(point);
    graphs_.graph(settings.model);
    require_scheduler_for_partner(settings);
    if (!settings.partner.empty()) graphs_.graph(settings.partner_choice());
  }

 private:
  Settings settings_of(const Point& point) const {
    Settings settings = axes_.read(point);
    settings.model = graphs_.resolved(std::move(settings.model));
    return settings;
  }

  workload::training::GraphCache graphs_;
  Schema schema_;
  AxisTable<Settings> axes_;
  Records records_;
  Trainer trainer_;
};

}  // namespace

std::unique_ptr<System> make_heteropim(const ConfigFolders& configs) { return std::make_unique<HeteroPim>(configs); }

std::vector<PolicyInfo> heteropim_policies() { return policy_infos(policies); }

}  // namespace pimsweep::systems::heteropim
