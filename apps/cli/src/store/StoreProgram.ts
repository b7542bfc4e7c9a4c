/** `pay store`: checks, migrates, moves or reopens a store, on the machine of its file or as the owner of its database. */
import { join } from "node:path"
import * as Move from "@pay/storage/Move"
import * as Reopen from "@pay/storage/Reopen"
import * as Schema from "@pay/storage/Schema"
import * as StoreCheck from "@pay/storage/StoreCheck"
import { Effect, Redacted, type Scope } from "effect"
import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import { account, nowMs, variable } from "../terminal/Environment.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Io from "../terminal/Io.ts"
import * as Output from "../terminal/Output.ts"
import * as Program from "../terminal/Program.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as StoreProgress from "./StoreProgress.ts"

const isUrl = (text: string): boolean => /^postgres(?:ql)?:\/\//.test(text)

const usage = (message: string): UsageError => new UsageError(message, "store")

/** Refuses a password in an address on the command line, which other users can read. */
const refusePassword = (name: string, url: string): void => {
  if (/^postgres(?:ql)?:\/\/[^/?#@:]*:[^/?#]*@/.test(url))
    throw usage(
      `--${name} has a password, and others can read command lines: set PAY_DATABASE_URL, or give --password-file FILE`
    )
}

const database = ({ flags }: Flags.Given, flag: string): Move.Options["to"] | undefined => {
  const named = flags.get(flag)
  if (named !== undefined) refusePassword(flag, named)
  const url = named ?? variable("PAY_DATABASE_URL")
  if (url === undefined) return undefined
  return {
    url: Redacted.make(url, { label: "database URL" }),
    passwordFile: flags.get("password-file") ?? variable("PAY_DATABASE_PASSWORD_FILE")
  }
}

/** Returns the named file. */
const fileOf = (given: Flags.Given, [file, ...others]: ReadonlyArray<string>): string | undefined => {
  if (others.length > 0 || (file !== undefined && given.flags.has("database-url")))
    throw usage("Name one store: a FILE, or --database-url URL")
  if (file !== undefined && isUrl(file)) throw usage("An address is given as --database-url URL")
  return file
}

const fileInFolder = (): string => join(variable("PAY_DATA") ?? ".data/gateway", "gateway.db")

/** Returns the store of the command: the named file, a database, or the file in the data folder. */
const storeOf = (given: Flags.Given, operands: ReadonlyArray<string>): StoreCheck.Place => {
  const file = fileOf(given, operands)
  return file === undefined ? (database(given, "database-url") ?? { file: fileInFolder() }) : { file }
}

interface Answer extends Output.Report {
  readonly code?: ExitCode
}

type Work = Effect.Effect<Answer, Move.MoveError, Scope.Scope>
type Verb = (given: Flags.Given, operands: ReadonlyArray<string>) => Work

const witnessOf = ({ flags }: Flags.Given) => flags.get("witness") ?? variable("PAY_WITNESS")

const digits = new Intl.NumberFormat("en-US")

const listed = (title: string, lines: ReadonlyArray<string>): string =>
  lines.length === 0 ? "" : `\n${title}\n${lines.map((line) => `  ${line}`).join("\n")}`

const move: Verb = (given) => {
  const from = given.flags.get("from")
  const target = given.flags.get("to")
  if (from === undefined) throw usage("Give --from FILE")
  if (isUrl(from) || (target !== undefined && !isUrl(target)))
    throw usage(
      "A store is moved only from a file to a PostgreSQL database: until a gateway ran there, pay store reopen FILE --unused goes back to the untouched file"
    )
  const to = database(given, "to")
  if (to === undefined) throw usage("Give --to URL, or set PAY_DATABASE_URL")
  const screen = given.flags.has("json") ? undefined : Output.screen()
  const shown =
    screen === undefined
      ? StoreProgress.plain((line) => Io.stderr().write(`${Output.safe(line)}\n`))
      : StoreProgress.live(screen)
  const moving = Move.run({
    from,
    to,
    witness: witnessOf(given),
    by: account(),
    report: (progress) => shown.report(progress, nowMs())
  })
  return Effect.map(Effect.ensuring(moving, Effect.sync(shown.end)), (moved): Answer => {
    const rate = moved.copyMs === 0 ? 0 : Math.round((moved.copied * 1000) / moved.copyMs)
    const wrong = moved.findings.map(({ actual, expected, where }) => `${where}: expected ${expected}, found ${actual}`)
    return {
      code: wrong.length === 0 ? codes.ok : codes.refused,
      text: `${moved.to} has all ${digits.format(moved.rows)} rows of ${moved.from}, and each was compared (${digits.format(moved.copied)} copied now, ${digits.format(rate)} a second).
Start the gateway there. ${moved.from} stays as it was, marked as moved: no gateway starts on it.${listed(
        "It does not add up, as it did not before:",
        wrong
      )}`,
      json: { outcome: "answered", ...moved }
    }
  })
}

const check: Verb = (given, operands) =>
  Effect.map(StoreCheck.run({ place: storeOf(given, operands), witness: witnessOf(given) }), (checked): Answer => {
    const { engine, pending, problems, roles, rows, step, store, users, witness } = checked
    const counts = Object.entries(rows).filter(([, count]) => count > 0)
    const text = [
      `${store} (${engine}), step ${step} of its schema${pending === 0 ? "" : `, ${pending} missing`}`,
      ...users,
      ...Object.entries(roles).map(([role, part]) => `role ${role}: ${part}`),
      Output.columns(counts.map(([table, count]) => [table, `${digits.format(count)} rows`] as const)),
      problems.includes(witness) ? "" : witness
    ].filter((line) => line !== "")
    return {
      code: problems.length === 0 ? codes.ok : codes.refused,
      text: `${text.join("\n")}${problems.length === 0 ? "\nNothing is wrong." : listed("This is wrong:", problems)}`,
      json: { outcome: "answered", ...checked }
    }
  })

const migrate: Verb = (given, operands) => {
  const place = database(given, "database-url")
  if (place === undefined || operands.length > 0)
    throw usage("Name the database: pay store migrate --database-url URL (or PAY_DATABASE_URL)")
  const runsAs = given.flags.get("run-as")
  return Effect.map(Schema.migrate({ place, runsAs }), (migrated): Answer => {
    const { applied, database, step } = migrated
    const head = `${database}: the schema is at step ${step}, ${applied} applied now.`
    return {
      text: runsAs === undefined ? head : `${head} The role ${runsAs} may run a gateway, and change no table.`,
      json: { outcome: "answered", ...migrated, runsAs: runsAs ?? null }
    }
  })
}

const reopen: Verb = (given, operands) => {
  if (given.flags.has("database-url")) throw usage("Name the file that was moved: pay store reopen FILE")
  return Effect.map(
    Reopen.run({
      path: fileOf(given, operands) ?? fileInFolder(),
      witness: witnessOf(given),
      unused: given.flags.has("unused")
    }),
    ({ other }): Answer => ({
      text: `A gateway may start on this store again. Remove what was moved to ${other}, so that none starts there.`,
      json: { outcome: "answered", movedTo: other }
    })
  )
}

const verbs: Readonly<Record<string, Verb>> = { check, migrate, move, reopen }

const codeOf = ({ why }: Move.MoveError): ExitCode =>
  why === "unreachable" ? codes.notSent : why === "settings" ? codes.usage : codes.refused

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.ofCommand(args, commands.store, "store")
  const [verb = "", ...operands] = given.operands
  const work = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (work === undefined) throw usage("Say check, migrate, move or reopen")
  const asJson = given.flags.has("json")
  const ended = await Program.run(Effect.scoped(work(given, operands)))
  if (ended._tag === "Done") {
    Output.print(ended.value, asJson)
    return ended.value.code ?? codes.ok
  }
  if (ended._tag === "Stopped") {
    const text = verb === "move" ? "Stopped. The same command goes on where it was." : "Stopped."
    Output.printFailure({ text, json: { outcome: "interrupted" } }, asJson)
    return codes.refused
  }
  const { message, why } = ended.error
  Output.printFailure({ text: message, json: { outcome: "refused", why, message } }, asJson)
  return codeOf(ended.error)
}
