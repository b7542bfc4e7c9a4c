/** `pay backup`: makes a verified copy of a gateway's database while the gateway runs. */
import { rmSync } from "node:fs"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Store } from "@pay/gateway/Store"
import * as Database from "@pay/sqlite/Database"
import * as Backup from "@pay/storage/Backup"
import * as SqliteStore from "@pay/storage/SqliteStore"
import { Effect } from "effect"
import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import { account, variable } from "../terminal/Environment.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Io from "../terminal/Io.ts"
import * as Output from "../terminal/Output.ts"
import * as Program from "../terminal/Program.ts"
import { UsageError } from "../terminal/UsageError.ts"

/** Describes in words what a verified copy contains. */
export const describe = ({ entries, lastOrderAtMs, orders }: Backup.Verified): string =>
  `${orders} orders and ${entries} entries of the books${
    lastOrderAtMs === null ? "" : `, the last order of ${new Date(lastOrderAtMs).toISOString()}`
  }`

/** A reader of the copy leaves them beside it, empty: only the copy is to be kept. */
const removeLogs = (path: string) =>
  Effect.sync(() => {
    for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true })
  })

const inBalance = (path: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const database = yield* Database.open({ path, readOnly: true })
      const { findings } = yield* Effect.provideService(Reconciliation.check, Store, SqliteStore.readOnly(database))
      return findings
    })
  ).pipe(Effect.ensuring(removeLogs(path)))

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.ofCommand(args, commands.backup, "backup")
  const [file, ...others] = given.operands
  if (file === undefined || others.length > 0)
    throw new UsageError("Name the file that is to be written: pay backup FILE", "backup")
  const asJson = given.flags.has("json")
  const dataDirectory = given.flags.get("data") ?? variable("PAY_DATA") ?? ".data/gateway"
  let shownTenths = 0
  const report = ({ of, pages }: Backup.Progress) => {
    const tenths = of === 0 ? 0 : Math.floor((10 * pages) / of)
    if (asJson || tenths === shownTenths) return
    shownTenths = tenths
    Io.stderr().write(`${tenths * 10} %\n`)
  }
  const program = Effect.gen(function* () {
    const verified = yield* Backup.make({ dataDirectory, file, by: account(), report })
    const findings = given.flags.has("reconcile") ? yield* inBalance(file) : []
    return { verified, findings }
  })
  const ended = await Program.run(program)
  if (ended._tag === "Stopped") {
    Output.printFailure({ text: "Stopped: no copy was made.", json: { outcome: "interrupted" } }, asJson)
    return codes.refused
  }
  if (ended._tag === "Failed") {
    const { message } = ended.error
    Output.printFailure({ text: `No copy was made. ${message}`, json: { outcome: "refused", message } }, asJson)
    return codes.refused
  }
  const { findings, verified } = ended.value
  const head = `${file} is whole: ${describe(verified)}. Keep a copy of the key ring elsewhere: without it no card can be read.`
  const wrong = findings.map(({ expected, actual, where }) => `  ${where}: expected ${expected}, found ${actual}`)
  const text = wrong.length === 0 ? head : `${head}\nIt does not add up:\n${wrong.join("\n")}`
  Output.print({ text, json: { outcome: "answered", file, ...verified, findings } }, asJson)
  return findings.length === 0 ? codes.ok : codes.refused
}
