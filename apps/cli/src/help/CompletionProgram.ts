/** `pay completion`: prints a script for a shell, which calls this program at each press of Tab. */

import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import { variables } from "../terminal/Environment.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Output from "../terminal/Output.ts"
import { UsageError } from "../terminal/UsageError.ts"
import { suggestions } from "./Completion.ts"

const scripts: Readonly<Record<string, string>> = {
  bash: `_pay() {
  local IFS=$'\\n' word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    COMPREPLY+=("$word")
  done < <(pay completion suggest -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _pay pay`,
  zsh: `#compdef pay
_pay() {
  local -a found
  local word about
  while IFS=$'\\t' read -r word about; do
    found+=("\${word//:/\\\\:}:$about")
  done < <(pay completion suggest -- "\${(@)words[2,$CURRENT]}" 2>/dev/null)
  (( $#found )) && _describe pay found || _files
}
compdef _pay pay`,
  fish: `function __pay_suggest
    set -l line (commandline -opc) (commandline -ct)
    pay completion suggest -- $line[2..-1] 2>/dev/null
end
complete -c pay -a '(__pay_suggest)'`
}

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const [shell = "", ...rest] = args
  if (shell === "suggest") {
    const candidates = await suggestions(rest[0] === "--" ? rest.slice(1) : rest, variables())
    Output.printLines(candidates.map(([word, about]) => `${word}\t${about}`))
    return codes.ok
  }
  const [name = "", ...others] = Flags.ofCommand(args, commands.completion, "completion").operands
  const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined
  if (script === undefined || others.length > 0) throw new UsageError("Name the shell: bash, zsh or fish", "completion")
  Output.print({ text: script, json: {} }, false)
  return codes.ok
}
