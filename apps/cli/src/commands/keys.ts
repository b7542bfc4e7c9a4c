/** `pay keys`: what merchants prove themselves with, made, rotated and revoked while the gateway runs. */
import { commands } from "../Commands.ts"
import { codes, type ExitCode } from "../ExitCode.ts"
import * as Files from "../Files.ts"
import * as Flags from "../Flags.ts"
import * as OperatorGateway from "../OperatorGateway.ts"
import * as Output from "../Output.ts"
import * as Rows from "../Rows.ts"
import { UsageError } from "../UsageError.ts"

type Gateway = OperatorGateway.OperatorGateway

const columns = ["key", "state", "signs", "from", "until", "revoked", "source", "fingerprint"]
const unitsMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const durationMs = (text: string): number => {
  const [, count = "", unit = ""] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  const unitMs = unitsMs[unit]
  if (unitMs === undefined) throw new UsageError("--overlap is a number with s, m, h or d: 24h", "keys")
  return Number(count) * unitMs
}

const list = async (gateway: Gateway, merchant: string): Promise<Output.Report> => {
  const { keys } = await gateway.json({ path: "/operator/keys", query: { merchant } })
  return { text: Rows.table(Rows.rowsOf(keys), columns), json: { outcome: "answered", merchant, keys } }
}

const made = async (gateway: Gateway, given: Flags.Given, merchant: string, rotate: boolean) => {
  const kind = given.flags.get("kind") ?? "control"
  const file = given.flags.get("public-key-file")
  if (kind !== "control" && kind !== "rsa") throw new UsageError("--kind is control or rsa", "keys")
  if ((kind === "rsa") !== (file !== undefined))
    throw new UsageError(
      "--public-key-file is for --kind rsa, and needed there: the gateway makes control keys",
      "keys"
    )
  const overlap = given.flags.get("overlap")
  if (overlap !== undefined && !rotate)
    throw new UsageError("--overlap is for rotate: add keeps the other keys", "keys")
  const { secret, ...key } = await gateway.json({
    method: "POST",
    path: rotate ? "/operator/keys/rotate" : "/operator/keys/add",
    body: {
      merchant,
      kind,
      ...(file === undefined ? {} : { publicKey: await Files.read("public-key-file", file) }),
      ...(given.flags.has("from") && { from: given.flags.get("from") }),
      ...(overlap !== undefined && { overlapMs: durationMs(overlap) })
    }
  })
  const told = typeof secret === "string" ? `\n\nThe key, shown only now:\n${secret}` : ""
  return {
    text: `${Rows.card(key)}${told}`,
    json: { outcome: "done", ...key, ...(secret !== undefined && { secret }) }
  }
}

const revoke = async (gateway: Gateway, merchant: string, key: string, last: boolean): Promise<Output.Report> => {
  const done = await gateway.json({ method: "POST", path: "/operator/keys/revoke", body: { merchant, key, last } })
  return { text: Rows.card(done), json: { outcome: "done", ...done } }
}

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.parse(args, { flags: new Map(Object.entries(commands.keys.flags)) }, "keys")
  const [what, merchant, key, ...more] = given.operands
  const asJson = given.flags.has("json")
  const report = (gateway: Gateway): Promise<Output.Report> => {
    if (merchant !== undefined && more.length === 0) {
      if (what === "revoke" && key !== undefined) return revoke(gateway, merchant, key, given.flags.has("last"))
      if (what === "list" && key === undefined) return list(gateway, merchant)
      if ((what === "add" || what === "rotate") && key === undefined)
        return made(gateway, given, merchant, what === "rotate")
    }
    throw new UsageError("Say list, add, rotate or revoke, and whose: pay keys rotate LOGIN", "keys")
  }
  return OperatorGateway.ending(asJson, async () => {
    Output.print(await report(await OperatorGateway.make(given)), asJson)
    return codes.ok
  })
}
