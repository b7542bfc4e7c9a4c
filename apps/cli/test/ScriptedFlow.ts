/** `pay flow` at a scripted terminal: the keys, then the words that follow `pay flow`. */
import * as Flow from "../src/commands/flow.ts"
import * as ScriptedTerminal from "./ScriptedTerminal.ts"

const [, , , keys = "", ...words] = process.argv
const terminal = ScriptedTerminal.layer(keys, (text) => process.stderr.write(text))
process.exitCode = await Flow.at(() => terminal, words)
