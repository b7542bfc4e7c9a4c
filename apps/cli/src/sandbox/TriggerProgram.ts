/** `pay trigger`: lists the events. Effect is loaded only to trigger one. */
import { randomBytes } from "node:crypto"
import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Output from "../terminal/Output.ts"
import { UsageError } from "../terminal/UsageError.ts"
import { named, rows } from "./TriggerEvents.ts"

const callbackOf = (given: Flags.Given): string | undefined => {
  const url = given.flags.get("callback")
  if (url === undefined || /^https?:$/.test(URL.parse(url)?.protocol ?? "")) return url
  throw new UsageError("--callback is an address: http://127.0.0.1:4242/, where pay listen listens", "trigger")
}

const clientOrderIdOf = (given: Flags.Given, event: string): string => {
  const name = given.flags.get("client-orderid") ?? `${event}-${randomBytes(4).toString("hex")}`
  if (/^[\w.-]{1,60}$/.test(name)) return name
  throw new UsageError("--client-orderid has up to 60 letters, digits, dots, - and _", "trigger")
}

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.ofCommand(args, commands.trigger, "trigger")
  const [word, ...others] = given.operands
  if (word === undefined) {
    Output.print({ text: Output.columns(rows), json: { events: Object.fromEntries(rows) } }, given.flags.has("json"))
    return codes.ok
  }
  const name = named(word)
  if (name === undefined || others.length > 0)
    throw new UsageError("Name one event: pay trigger without one lists them", "trigger")
  const wanted = { name, given, callback: callbackOf(given), clientOrderId: clientOrderIdOf(given, name) }
  const { trigger } = await import("./Trigger.ts")
  return trigger(wanted)
}
