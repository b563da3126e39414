#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "base/error.h"
#include "base/words.h"
#include "commands/complete.h"

namespace pimsweep::commands {

namespace {

constexpr std::string_view bash_script = R"script(# Completion of pimsweep for bash.
_pimsweep() {
  local cur="${COMP_WORDS[COMP_CWORD]}" line IFS=$'\n'
  COMPREPLY=()
  while read -r line; do
    if [[ $line == :file* ]]; then
      compopt -o filenames 2>/dev/null
      COMPREPLY+=($(compgen -f -X "!${line#:file }" -- "$cur") $(compgen -d -- "$cur"))
    else
      COMPREPLY+=("${line%%$'\t'*}")
    fi
  done < <("${COMP_WORDS[0]/#\~/$HOME}" __complete "${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)
}
complete -F _pimsweep pimsweep
)script";

constexpr std::string_view zsh_script = R"script(#compdef pimsweep
# Completion of pimsweep for zsh.
_pimsweep() {
  local line
  local -a described
  for line in ${(f)"$("${(Q)words[1]}" __complete "${(@Q)words[1,CURRENT]}" 2>/dev/null)"}; do
    if [[ $line == :file* ]]; then
      _files -g "${line#:file }"
    elif [[ $line == *$'\t'* ]]; then
      described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    else
      described+=("${line//:/\\:}")
    fi
  done
  if [[ -n $described ]]; then
    _describe pimsweep described
  fi
}
if [[ $funcstack[1] == _pimsweep ]]; then
  _pimsweep "$@"
else
  compdef _pimsweep pimsweep
fi
)script";

constexpr std::string_view fish_script = R"script(# Completion of pimsweep for fish.
function __pimsweep_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    for line in ($words[1] __complete $words "$word" 2>/dev/null)
        if string match -q ':file*' -- $line
            __fish_complete_path "$word"
        else
            echo $line
        end
    end
end
complete -c pimsweep -f -a '(__pimsweep_complete)'
)script";

constexpr std::array shell_scripts{Word{"bash", bash_script}, Word{"zsh", zsh_script}, Word{"fish", fish_script}};

}  // namespace

std::string completion_script(const std::string& shell) {
  const auto script = value_of(shell_scripts, shell);
  if (script) return std::string(*script);
  const std::vector<std::string> shells = names_of(shell_scripts);
  throw InputError(fmt::format("there is no completion for '{}'{}; choose from {}", shell, suggestion(shell, shells),
                               fmt::join(shells, ", ")));
}

}  // namespace pimsweep::commands
