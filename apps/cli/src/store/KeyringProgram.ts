/** `pay keyring`: makes, rotates or shows the file of a gateway's master and hashing keys, on this machine. */
import { KeyRing, type KeyRingError, RingSummary } from "@pay/gateway/KeyVault"
import { Effect, Redacted } from "effect"
import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Output from "../terminal/Output.ts"
import * as Program from "../terminal/Program.ts"
import { UsageError } from "../terminal/UsageError.ts"

type Ring = KeyRing.KeyRing
type Verb = (file: string, given: Flags.Given) => Effect.Effect<Ring, KeyRingError>

const usage = (message: string): UsageError => new UsageError(message, "keyring")

const rotate: Verb = (file, { flags }) => {
  if (flags.has("add") && flags.has("use"))
    throw usage("Give --add or --use: without both, rotate does one after the other")
  const kind = flags.has("hashing") ? "hashing" : "master"
  return KeyRing.changeFile(file, (ring) =>
    Effect.map(flags.has("use") ? Effect.succeed(ring) : KeyRing.add(ring, kind), (added) =>
      flags.has("add") ? added : KeyRing.useNewest(added, kind)
    )
  )
}

const verbs: Readonly<Record<string, Verb>> = {
  new: (file) => KeyRing.toNewFile(file),
  rotate,
  show: (file) => KeyRing.fromFile(file, { create: false })
}

const next: Readonly<Record<string, string>> = {
  new: "\nKeep a copy in a safe place: without it, no card can be read.",
  rotate: "\nKeep a copy in a safe place, and restart the gateway. Then run pay keys rotation."
}

const rowsOf = (ring: Ring, kind: KeyRing.Kind) =>
  Object.entries(ring[kind].keys).map(([version, key]) => ({
    version: Number(version),
    isCurrent: Number(version) === ring[kind].current,
    fingerprint: RingSummary.checkValue(Redacted.value(key))
  }))

const lines = (ring: Ring): string =>
  Output.columns(
    KeyRing.kinds.flatMap((kind) =>
      rowsOf(ring, kind).map(
        ({ fingerprint, isCurrent, version }) =>
          [`${kind} ${version}`, `${fingerprint}${isCurrent ? "  current" : ""}`] as const
      )
    )
  )

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.ofCommand(args, commands.keyring, "keyring")
  const [name = "", file, ...others] = given.operands
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (verb === undefined) throw usage("Say new, rotate or show")
  if (file === undefined || others.length > 0) throw usage(`Name one file: pay keyring ${name} FILE`)
  const foreign = name === "rotate" ? undefined : ["hashing", "add", "use"].find((flag) => given.flags.has(flag))
  if (foreign !== undefined) throw usage(`--${foreign} is not for ${name}`)
  const asJson = given.flags.has("json")
  const ended = await Program.run(verb(file, given))
  if (ended._tag !== "Done") {
    const message = ended._tag === "Failed" ? ended.error.message : "Stopped."
    Output.printFailure({ text: message, json: { outcome: "refused", message } }, asJson)
    return codes.refused
  }
  const ring = ended.value
  const json = { outcome: "answered", file, master: rowsOf(ring, "master"), hashing: rowsOf(ring, "hashing") }
  Output.print({ text: `${file}\n${lines(ring)}${next[name] ?? ""}`, json }, asJson)
  return codes.ok
}
