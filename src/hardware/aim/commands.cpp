#include "hardware/aim/commands.h"

#include <array>

namespace pimsweep::hardware::aim {

namespace {

constexpr std::array command_members{
    &Commands::act,    &Commands::act16,   &Commands::prea,  &Commands::rd,      &Commands::wr,      &Commands::mac16,
    &Commands::wrgb,   &Commands::rdcp,    &Commands::wrcp,  &Commands::rdmac16, &Commands::wrmac16, &Commands::af16,
    &Commands::rdaf16, &Commands::ewmul16, &Commands::wra16, &Commands::tmod,    &Commands::refab};

}  // namespace

Commands& Commands::operator+=(const Commands& other) {
  for (const auto member : command_members) this->*member += other.*member;
  return *this;
}

Commands operator*(const Commands& commands, std::int64_t channels) {
  Commands product = commands;
  for (const auto member : command_members) product.*member *= channels;
  return product;
}

Energy energy(const Commands& commands, const Device& device) {
  const Power& power = device.power;
  const auto number = [](Count count) { return static_cast<double>(count); };
  const auto banks = static_cast<double>(device.banks);
  return {.activate = power.activate * (number(commands.act) + banks * number(commands.act16)),
          .multiply = power.multiply * (number(commands.mac16) + number(commands.ewmul16) / 4),
          .read = power.read * (number(commands.rd) + number(commands.rdcp) + banks * number(commands.af16) +
                                number(commands.rdmac16) + number(commands.rdaf16)),
          .write = power.write * (number(commands.wr) + number(commands.wrcp) + number(commands.wrmac16) +
                                  banks * number(commands.wra16)),
          .pins = power.pin_bit * power.column_bits * number(commands.pin_columns())};
}

}  // namespace pimsweep::hardware::aim
