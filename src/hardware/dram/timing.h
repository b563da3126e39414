#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pimsweep::hardware::dram {

/// Timing parameters of a channel in cycles of its command clock, named as by JEDEC (tXX in seconds is nXX in cycles).
/// The constraints of a standard are sums of them (constraints.h).
struct Timing {
  std::int64_t nBL = 0;
  std::int64_t nCL = 0;
  std::int64_t nCWL = 0;
  std::int64_t nRCDRD = 0;
  std::int64_t nRCDWR = 0;
  std::int64_t nRP = 0;
  std::int64_t nRPab = 0;
  std::int64_t nRAS = 0;
  std::int64_t nRC = 0;
  std::int64_t nWR = 0;
  std::int64_t nRTP = 0;
  std::int64_t nCCDS = 0;
  std::int64_t nCCDL = 0;
  std::int64_t nCCDS_WR = 0;
  std::int64_t nCCDL_WR = 0;
  std::int64_t nRTW = 0;
  std::int64_t nWTRS = 0;
  std::int64_t nWTRL = 0;
  std::int64_t nRRDS = 0;
  std::int64_t nRRDL = 0;
  std::int64_t nFAW = 0;
  std::int64_t nRFC = 0;
  std::int64_t nREFI = 0;
  std::int64_t nPPD = 0;
  std::int64_t nRFCpb = 0;
  std::int64_t nREFIpb = 0;
  std::int64_t nRREFD = 0;
  std::int64_t nPBR2PBR = 0;
  std::int64_t nRTRS = 0;
  std::int64_t nCCDR = 0;
  std::int64_t nAAD = 0;

  friend bool operator==(const Timing&, const Timing&) = default;
};

struct TimingParameter {
  std::string_view name;
  std::int64_t Timing::*value;
  std::int64_t min;
  const char* doc;
  /// Value of a parameter that only some standards have.
  std::optional<std::int64_t> default_value = {};
};

inline constexpr std::array timing_parameters{
    TimingParameter{"nBL", &Timing::nBL, 1, "cycles of one access on the data bus (tBL)"},
    TimingParameter{"nCL", &Timing::nCL, 0, "cycles from RD to its data (tCL)"},
    TimingParameter{"nCWL", &Timing::nCWL, 0, "cycles from WR to its data (tCWL)"},
    TimingParameter{"nRCDRD", &Timing::nRCDRD, 0, "cycles from ACT to RD (tRCD)"},
    TimingParameter{"nRCDWR", &Timing::nRCDWR, 0, "cycles from ACT to WR (tRCD)"},
    TimingParameter{"nRP", &Timing::nRP, 0, "cycles from PRE to ACT (tRP)"},
    TimingParameter{"nRPab", &Timing::nRPab, 0, "cycles from PREab to ACT (tRPab), where it is not nRP", 0},
    TimingParameter{"nRAS", &Timing::nRAS, 0, "cycles from ACT to PRE (tRAS)"},
    TimingParameter{"nRC", &Timing::nRC, 0, "cycles between two ACTs of a bank (tRC)"},
    TimingParameter{"nWR", &Timing::nWR, 0, "cycles from the end of written data to PRE (tWR)"},
    TimingParameter{"nRTP", &Timing::nRTP, 0, "cycles from RD to PRE (tRTP)"},
    TimingParameter{"nCCDS", &Timing::nCCDS, 0, "cycles between two RDs or two WRs (tCCD_S)"},
    TimingParameter{"nCCDL", &Timing::nCCDL, 0, "cycles between two RDs or two WRs within a bank group (tCCD_L)"},
    TimingParameter{"nCCDS_WR", &Timing::nCCDS_WR, 0, "cycles between two WRs (tCCD_S_WR), where it is not nCCDS", 0},
    TimingParameter{"nCCDL_WR", &Timing::nCCDL_WR, 0,
                    "cycles between two WRs within a bank group (tCCD_L_WR), where it is not nCCDL", 0},
    TimingParameter{"nRTW", &Timing::nRTW, 0, "cycles from RD to WR (tRTW), where it is not a sum", 0},
    TimingParameter{"nWTRS", &Timing::nWTRS, 0, "cycles from the end of written data to RD (tWTR_S)"},
    TimingParameter{"nWTRL", &Timing::nWTRL, 0,
                    "cycles from the end of written data to RD within a bank group (tWTR_L)"},
    TimingParameter{"nRRDS", &Timing::nRRDS, 0, "cycles between two ACTs (tRRD_S)"},
    TimingParameter{"nRRDL", &Timing::nRRDL, 0, "cycles between two ACTs within a bank group (tRRD_L)"},
    TimingParameter{"nFAW", &Timing::nFAW, 0, "cycles from an ACT to the fourth ACT after it (tFAW)"},
    TimingParameter{"nRFC", &Timing::nRFC, 0, "cycles from a REF of all banks to ACT (tRFC)"},
    TimingParameter{"nREFI", &Timing::nREFI, 1, "cycles between two REFs (tREFI)"},
    TimingParameter{"nPPD", &Timing::nPPD, 0, "cycles between two PREs (tPPD), where there is such a rule", 0},
    TimingParameter{"nRFCpb", &Timing::nRFCpb, 0, "cycles from a REFpb to an ACT of its bank (tRFCpb, tRFCsb)", 0},
    TimingParameter{"nREFIpb", &Timing::nREFIpb, 0, "cycles between two REFpb that fall due (tREFIpb)", 0},
    TimingParameter{"nRREFD", &Timing::nRREFD, 0, "cycles from a REFpb to an ACT of another bank (tRREFD, tpbR2act)",
                    0},
    TimingParameter{"nPBR2PBR", &Timing::nPBR2PBR, 0, "cycles between two REFpb (tpbR2pbR), where it is not nRREFD", 0},
    TimingParameter{"nRTRS", &Timing::nRTRS, 0, "cycles between the data of different ranks (tRTRS, tCS)", 0},
    TimingParameter{"nCCDR", &Timing::nCCDR, 0, "cycles between two RDs of different stacks (tCCD_R)", 0},
    TimingParameter{"nAAD", &Timing::nAAD, 0,
                    "cycles within which ACT-2 follows ACT-1, after commands that are ready (tAAD); 0: at once", 0}};

}  // namespace pimsweep::hardware::dram
