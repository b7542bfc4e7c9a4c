/** `pay adapter check`: runs the contracts of the ports against an operator's adapter module. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import * as Currency from "@pay/schema/Currency"
import * as Money from "@pay/schema/Money"
import * as Adapters from "@pay/server/Adapters"
import { Effect, Logger, Result } from "effect"
import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import { nowMs } from "../terminal/Environment.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Output from "../terminal/Output.ts"
import * as Program from "../terminal/Program.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as AdapterCards from "./AdapterCards.ts"
import * as AdapterCheck from "./AdapterCheck.ts"
import * as AdapterExample from "./AdapterExample.ts"

const topic = "adapter"
const usage = (message: string): UsageError => new UsageError(message, topic)

/** Parts of an amount are captured and refunded. */
const leastMinor = 10

const termsOf = ({ flags }: Flags.Given): AdapterCheck.Options["terms"] => {
  const merchantId = flags.get("merchant")
  const currency = flags.get("currency")?.toUpperCase()
  if (merchantId === undefined || merchantId === "") throw usage("Give --merchant LOGIN")
  const decimals = currency === undefined ? undefined : Currency.digits(currency)
  if (currency === undefined || decimals === undefined)
    throw usage("--currency is the code of a currency, ISO 4217: EUR")
  const amount = Money.toMinor(flags.get("amount") ?? (decimals === 0 ? "10" : `10.${"0".repeat(decimals)}`), currency)
  if (Result.isFailure(amount) || amount.success < leastMinor)
    throw usage(`--amount is an amount in ${currency} of at least ${Money.fromMinor(leastMinor, currency)}`)
  return { merchantId, currency, amountMinor: amount.success }
}

const limitMsOf = ({ flags }: Flags.Given): number => {
  const text = flags.get("time-limit") ?? "60"
  if (!/^[1-9]\d{0,3}$/.test(text)) throw usage("--time-limit is a whole number of seconds from 1 to 9999")
  return 1000 * Number(text)
}

/** Returns the path of a file in this folder, or the name of a package. */
const specifierOf = (module: string): string => (existsSync(resolve(module)) ? resolve(module) : module)

const line = ({ outcome, port, promise }: AdapterCheck.Result): string => {
  switch (outcome._tag) {
    case "Kept":
      return `kept     ${port}: ${promise}`
    case "Broken":
      return `BROKEN   ${port}: ${promise}\n           What happened: ${outcome.what}\n           What to do: ${outcome.advice}`
    case "NotChecked":
      return `not checked  ${port}: ${promise}: ${outcome.why}`
  }
}

const counted = (results: ReadonlyArray<AdapterCheck.Result>) => {
  const count = (tag: AdapterCheck.Outcome["_tag"]) => results.filter(({ outcome }) => outcome._tag === tag).length
  return { kept: count("Kept"), broken: count("Broken"), notChecked: count("NotChecked") }
}

const rowOf = ({ outcome, port, promise }: AdapterCheck.Result) => ({
  port,
  promise,
  outcome: { Kept: "kept", Broken: "broken", NotChecked: "not-checked" }[outcome._tag],
  ...(outcome._tag === "Broken" && { what: outcome.what, advice: outcome.advice }),
  ...(outcome._tag === "NotChecked" && { why: outcome.why })
})

const unloadable = (problems: ReadonlyArray<string>, asJson: boolean): ExitCode => {
  const text = `The module is no adapter that a gateway loads:\n  ${problems.join("\n  ")}`
  Output.printFailure({ text, json: { outcome: "refused", problems } }, asJson)
  return codes.refused
}

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.ofCommand(args, commands.adapter, topic)
  const [verb, module, ...others] = given.operands
  if (verb !== "check" || others.length > 0) throw usage("Say what to check: pay adapter check MODULE")
  if (given.flags.has("example")) {
    Output.print({ text: JSON.stringify(AdapterExample.content, undefined, 2), json: {} }, false)
    return codes.ok
  }
  if (module === undefined) throw usage("Name the module of the adapter: pay adapter check ./my-bank.ts")
  const asJson = given.flags.has("json")
  const terms = termsOf(given)
  const limitMs = limitMsOf(given)
  const acquirer = given.flags.get("acquirer") ?? Adapters.defaultName
  const { terminal, ...cards } = await AdapterCards.read(given, nowMs())
  const options = { ...cards, acquirer, terms: { ...terms, terminal }, limitMs }
  const tell = (result: AdapterCheck.Result) => {
    if (!asJson) Output.print({ text: line(result), json: {} }, false)
  }
  const ended = await Program.run(
    Adapters.load(specifierOf(module), process.cwd(), limitMs).pipe(
      Effect.flatMap((adapters) => AdapterCheck.run(adapters, options, tell)),
      // The log of a wrong answer says what the broken promise says.
      Effect.provide(Logger.layer([]))
    )
  )
  if (ended._tag === "Stopped") return codes.unknown
  if (ended._tag === "Failed") return unloadable(ended.error, asJson)
  const counts = counted(ended.value)
  const { broken, kept, notChecked } = counts
  const isSound = broken === 0
  Output.print(
    {
      text: `\n${kept} promises kept, ${broken} broken, ${notChecked} not checked`,
      json: { outcome: isSound ? "kept" : "broken", ...counts, promises: ended.value.map(rowOf) }
    },
    asJson
  )
  return isSound ? codes.ok : codes.refused
}
