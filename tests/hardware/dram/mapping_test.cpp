#include <catch2/catch.hpp>
#include <set>
#include <tuple>

#include "channels.h"
#include "hardware/dram/address_mapping.h"
#include "hardware/dram/pattern.h"

using namespace pimsweep::hardware::dram;
using namespace pimsweep;

TEST_CASE("each mapping is one to one") {
  for (const Organization& o : {Organization{2, 4, 4, 8, 16, 32}, Organization{1, 1, 4, 16, 2, 16},
                                Organization{1, 1, 1, 4, 8, 16}, Organization{1, 2, 1, 1, 1, 16}}) {
    for (const char* text : {"RoBaRaCoCh", "ChRaBaRoCo", "MOP4CLXOR", "RoBaBgRaCoCh BaBg^Ro", "ChBgRoCoRaBaCo3 RoBg^Co",
                             "RaRoBaBgChCoCo2 Ro^Bg RaBgBa^Ro"}) {
      const AddressMapping map(o, parse_mapping(text));
      std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t>> places;
      for (std::int64_t i = 0; i < o.accesses(); ++i) {
        const Request r = map(i);
        REQUIRE(r.bank < o.all_banks());
        REQUIRE(r.row < o.rows);
        REQUIRE(r.column < o.columns);
        places.insert({r.bank, r.row, r.column});
      }
      CHECK(static_cast<std::int64_t>(places.size()) == o.accesses());
    }
  }
}

TEST_CASE("names of mappings stand for parts") {
  CHECK(parse_mapping("RoBaBgRaCoCh") == Mapping::ro_ba_ra_co_ch);
  CHECK(parse_mapping("ChRaBgBaRoCo") == Mapping::ch_ra_ba_ro_co);
  CHECK(parse_mapping("RoCoBaBgRaChCo2 RoBaBgRa^Co") == Mapping::mop4clxor);
  // Neighboring rows of a bank go to different banks: row 5 of group 2, bank 1 is in group 3, bank 0.
  const Organization o = test::ddr4_2400().organization;
  const AddressMapping map(o, parse_mapping("RoBaBgRaCoCh BaBg^Ro"));
  CHECK(map(((5 * 4 + 1) * 4 + 2) * 128 + 7) == Request{3 * 4 + 0, 5, 7, false});
}

TEST_CASE("texts that do not describe a mapping are refused with the part and what is allowed") {
  const auto refused = [](const char* text, const char* message) {
    CAPTURE(text);
    CHECK_THROWS_WITH(parse_mapping(text), Catch::Contains(message));
    CHECK_THROWS_WITH(parse_mapping(text), Catch::Contains("expected RoBaRaCoCh"));
  };
  refused("", "'Ro' is missing");
  refused("RoBaBgRaCo", "'Ch' is missing");
  refused("RoBaBgRaCoChRo", "'Ro' is twice in it");
  refused("RoBaBgRaCoXy", "unknown part 'Xy'");
  refused("RoBaBgRaChCo2", "'Co' is missing");
  refused("RoBa2BgRaCoCh", "'Ba2'");
  refused("RoCo2BaBgRaChCo", "above the others");
  refused("RoBaBgRaCoCh Ba", "not an XOR term");
  refused("RoBaBgRaCoCh Ba^", "with one");
  refused("RoBaBgRaCoCh Co^Ro", "can be XORed");
  refused("RoBaBgRaCoCh Ba^Ba", "can be XORed");
  refused("RoBaBgRaCoCh Ba^Ch", "can be XORed");
  refused("RoBaBgRaCoCh Ba^Ro Bg^Ro Ra^Ro", "more than two");
}

TEST_CASE("a stream walks as its mapping says") {
  const Organization o = test::ddr4_2400().organization;
  const AddressMapping rows(o, Mapping::ro_ba_ra_co_ch);
  CHECK(rows(127) == Request{0, 0, 127, false});
  CHECK(rows(128) == Request{4, 0, 0, false});  // the next bank group
  CHECK(rows(512) == Request{1, 0, 0, false});  // the next bank of the first group
  CHECK(rows(2048) == Request{0, 1, 0, false});
  const AddressMapping bank(o, Mapping::ch_ra_ba_ro_co);
  CHECK(bank(128) == Request{0, 1, 0, false});
  const AddressMapping mop(o, Mapping::mop4clxor);
  CHECK(mop(3) == Request{12, 0, 3, false});  // column 3 turns group 0 to 3
  CHECK(mop(4) == Request{4, 0, 0, false});
  CHECK(mop(64) == Request{1, 0, 4, false});  // column 4 turns bank 0 to 1
}

TEST_CASE("patterns are what they are called, the same each time") {
  const Organization o = test::ddr4_2400().organization;
  Traffic traffic;
  traffic.requests = 100;
  traffic.pattern = Pattern::tile16x4rows_allbanks;
  TrafficSource tiles(o, traffic);
  for (int i = 0; i < 16; ++i) CHECK(tiles.next() == Request{0, 0, i, false});
  CHECK(tiles.next() == Request{4, 0, 0, false});

  traffic.pattern = Pattern::random;
  traffic.mix = {ReadMix::Kind::random, 67};
  traffic.seed = 7;
  TrafficSource first(o, traffic);
  TrafficSource second(o, traffic);
  int reads = 0;
  for (int i = 0; i < 2000; ++i) {
    const Request request = first.next();
    REQUIRE(request == second.next());
    reads += request.write ? 0 : 1;
  }
  CHECK(reads > 1260);
  CHECK(reads < 1420);
}
