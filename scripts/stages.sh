# shellcheck shell=bash
# Sourced by scripts that run for minutes. Each sets STAGES, the number of its stages, and announces them in order.

# stage TEXT: "[2/4] TEXT"
stage() {
  current_stage=$((${current_stage:-0} + 1))
  printf '[%d/%d] %s\n' "$current_stage" "$STAGES" "$1"
}
