// Laws of attention on PIM, on random devices and shapes.
#include <array>
#include <catch2/catch.hpp>
#include <random>

#include "attacc_stack.h"
#include "hardware/attention_pim/attention.h"

using namespace pimsweep::hardware::attention_pim;

namespace {

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(random_);
  }
  bool coin() { return between(0, 1) == 1; }

  Device device() {
    Device device = attacc::stack();
    device.channels = between(1, 32);
    device.pseudo_channels = between(1, 2);
    device.ranks = between(1, 3);
    device.bank_groups = between(1, 4);
    device.banks = between(1, 4);
    device.columns = std::int64_t{8} << between(0, 4);
    device.nMAC = between(2, 6);
    device.nMAC_power_limit = device.nMAC + between(0, 4);
    device.nRCD = between(8, 30);
    device.nRP = between(8, 30);
    device.nRAS = between(20, 80);
    return device;
  }
  AttentionShape shape() {
    return {.heads = between(1, 300),
            .context = between(1, 6000),
            .head_size = between(8, 260),
            .value_bytes = coin() ? 2.0 : 1.0};
  }
  ClockOptions options() {
    constexpr std::array placements{Placement::bank, Placement::bank_group, Placement::buffer};
    return {.placement = placements[static_cast<std::size_t>(between(0, 2))],
            .power_limit = coin(),
            .refresh = coin(),
            .row_commands = coin() ? RowCommands::pass_barriers : RowCommands::wait_for_barriers};
  }

 private:
  std::mt19937 random_;
};

constexpr int samples = 5000;

}  // namespace

TEST_CASE("attention on PIM: no fewer clocks than its MACs take") {
  Draw draw(11);
  for (int i = 0; i < samples; ++i) {
    const Device device = draw.device();
    const AttentionShape shape = draw.shape();
    const ClockOptions options = draw.options();
    const HeadCommands head(device, options.placement, shape);
    const std::int64_t macs = 2 * head.macs() * rounds(device, shape);
    CAPTURE(i, shape.heads, shape.context, shape.head_size);
    CHECK(clocks(device, shape, options).total >=
          static_cast<double>((macs - 1) * device.mac_interval(options.placement, options.power_limit)));
  }
}

TEST_CASE("attention on PIM: more heads and longer contexts are never faster or cheaper") {
  Draw draw(12);
  for (int i = 0; i < samples; ++i) {
    const Device device = draw.device();
    const AttentionShape shape = draw.shape();
    const ClockOptions options = draw.options();
    CAPTURE(i, shape.heads, shape.context, shape.head_size, static_cast<int>(options.placement));
    const Attention base = attention(device, shape, options);
    AttentionShape more = shape;
    more.heads += draw.between(1, 40);
    const Attention more_heads = attention(device, more, options);
    CHECK(more_heads.clocks.total >= base.clocks.total);
    CHECK(more_heads.energy.total() > base.energy.total());
    AttentionShape longer = shape;
    longer.context += draw.between(1, 600);
    const Attention longer_context = attention(device, longer, options);
    CHECK(longer_context.energy.total() > base.energy.total());
    // Where row commands wait, a change of bank that falls on a barrier costs what one between barriers does not.
    const bool aligned = options.placement != Placement::bank && options.row_commands == RowCommands::wait_for_barriers;
    if (!aligned) CHECK(longer_context.clocks.total >= base.clocks.total);
  }
}

TEST_CASE("attention on PIM: a faster device is never slower") {
  Draw draw(13);
  for (int i = 0; i < samples; ++i) {
    const Device device = draw.device();
    const AttentionShape shape = draw.shape();
    const ClockOptions options = draw.options();
    CAPTURE(i, shape.heads, shape.context, shape.head_size, static_cast<int>(options.placement));
    const Attention base = attention(device, shape, options);
    Device faster = device;
    faster.clock *= 1.5;
    CHECK(attention(faster, shape, options).time < base.time);
    for (std::int64_t Device::*timing : {&Device::nMAC, &Device::nMAC_power_limit, &Device::nRCD, &Device::nRP,
                                         &Device::nRAS, &Device::nRTP, &Device::nCCDL, &Device::nRFC}) {
      Device tighter = device;
      tighter.*timing -= 1;
      CHECK(clocks(tighter, shape, options).total <= base.clocks.total);
    }
    ClockOptions unlimited = options;
    unlimited.power_limit = false;
    CHECK(clocks(device, shape, unlimited).total <= base.clocks.total);
    ClockOptions unrefreshed = options;
    unrefreshed.refresh = false;
    CHECK(clocks(device, shape, unrefreshed).total <= base.clocks.total);
    ClockOptions passing = options;
    passing.row_commands = RowCommands::pass_barriers;
    CHECK(clocks(device, shape, passing).total <= base.clocks.total);
  }
}
