/** What a durable flow writes into its file: names of executions, steps and signals, and the fields of what it keeps. */
import { join } from "node:path"
import { DatabaseSync, type StatementSync } from "node:sqlite"
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import * as Cipher from "@pay/flows/durable/Cipher"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { Effect, Layer, Redacted } from "effect"
import { inWallTime } from "../../packages/schema/test/Clocks.ts"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import { inBusinessTime } from "../workflows/BusinessTime.ts"
import type { Case } from "../workflows/Cases.ts"
import * as CustomerBrowsers from "../workflows/CustomerBrowsers.ts"
import { type ProcessHandle, startAgain } from "../workflows/Kills.ts"
import { key } from "../workflows/PreparedRun.ts"
import { greet } from "../workflows/Requests.ts"
import * as Pattern from "./Pattern.ts"

const open = Effect.gen(function* () {
  const { answerWith } = yield* Sandbox.Inbox
  const inbox = yield* CallbackInbox.make({ keys: { controlKeys: [Redacted.make(Sandbox.merchant.controlKey)] } })
  yield* answerWith(({ headers, url }) =>
    Effect.map(inWallTime(inbox.receive({ method: "GET", url, headers })), ({ status }) => status)
  )
})

/** The names of all fields, at every depth, and the values of tags. */
const fieldsOf = (value: unknown, path = ""): ReadonlyArray<string> => {
  if (typeof value === "string" && path.endsWith("_tag")) return [`${path}=${value}`]
  if (typeof value !== "object" || value === null) return path === "" ? [] : [path]
  if (Array.isArray(value)) return value.flatMap((item) => fieldsOf(item, `${path}[]`))
  return Object.entries(value).flatMap(([name, inner]) => fieldsOf(inner, path === "" ? name : `${path}.${name}`))
}

type Value = ReturnType<StatementSync["all"]>[number][string]

const reading = (path: string, cipher: Cipher.Cipher): ReadonlyArray<string> => {
  const database = new DatabaseSync(path, { readOnly: true })
  const fields = (stored: Value | undefined, bound: string): string => {
    if (stored === null || stored === undefined) return "nothing"
    const text = stored instanceof Uint8Array ? cipher.open(stored, bound) : String(stored)
    return [...new Set(fieldsOf(JSON.parse(text)))].sort().join(" ")
  }
  const all = (sql: string) => database.prepare(sql).all()
  const named = (kind: string, name: Value | undefined, content: string) =>
    `${kind}: ${Pattern.of(String(name))}: ${content}`
  try {
    return [
      ...all("SELECT id, payload, outcome FROM execution").flatMap(({ id, outcome, payload }) => [
        named("payload", id, fields(payload, `${id}/payload`)),
        named("outcome", id, fields(outcome, `${id}/outcome`))
      ]),
      ...all("SELECT execution, entry, value FROM journal").map(({ entry, execution, value }) =>
        named("journal", entry, fields(value, `${execution}/${entry}`))
      ),
      ...all("SELECT deferred FROM clock").map(({ deferred }) => named("clock", deferred, "")),
      ...all("SELECT key FROM listener").map(({ key }) => named("listener", key, "")),
      ...all("SELECT key FROM signal").map(({ key }) => named("signal", key, ""))
    ]
  } finally {
    database.close()
  }
}

/** Everything that one run of the flow leaves in its file. */
export const ofCase = (flow: Case) =>
  Effect.gen(function* () {
    yield* greet
    const inbox = yield* Sandbox.Inbox
    const begun = yield* flow.begin(Sandbox.settled)
    const path = join(yield* temporaryFolder, "flows.db")
    const alive: ProcessHandle = {
      start: Effect.provideService(open, Sandbox.Inbox, inbox),
      close: inbox.answerWith(() => Effect.succeed(503)),
      rest: Effect.void
    }
    const cipher = yield* Cipher.make({ key })
    const written = new Set<string>()
    const look = () => {
      for (const row of reading(path, cipher)) written.add(`${flow.name}: ${row}`.trim())
    }
    const inTime = inBusinessTime(
      false,
      Effect.suspend(() => alive.rest)
    )
    yield* inTime(startAgain(begun, alive, path, look))
    look()
    return written
  }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(CustomerBrowsers.cooperative, Sandbox.layer())))
