#pragma once

namespace pimsweep::hardware {

/// Constraints of a memory as its hardware file has them, those of DDR4.
inline constexpr const char* memory_rules = R"(
domain | RD        | RD        | nCCDS
domain | WR        | WR        | nCCDS
domain | RD        | WR        | nCL + nBL + 2 - nCWL
domain | WR        | RD        | nCWL + nBL + nWTRS
domain | RD        | PREab     | nRTP
domain | WR        | PREab     | nCWL + nBL + nWR
domain | ACT       | ACT       | nRRDS
domain | ACT       | ACT       | nFAW | 4
domain | ACT       | PREab     | nRAS
domain | ACT       | REFab     | nRC
domain | PREab     | ACT       | nRP
domain | PRE PREab | REFab     | nRP
domain | REFab     | ACT PREab | nRFC
bank   | ACT       | ACT       | nRC
bank   | ACT       | RD        | nRCDRD
bank   | ACT       | WR        | nRCDWR
bank   | ACT       | PRE       | nRAS
bank   | PRE       | ACT       | nRP
bank   | RD        | PRE       | nRTP
bank   | WR        | PRE       | nCWL + nBL + nWR
)";

}  // namespace pimsweep::hardware
