/** A database that was copied, and the gateways that start on it. */
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { AuditEntry, Restoration } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as PostgresStore from "@pay/storage/PostgresStore"
import { Effect, Redacted, type Scope } from "effect"
import * as Sale from "../../gateway/storage/test/Sale.ts"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Session from "./Session.ts"
import * as TestDatabase from "./TestDatabase.ts"

interface Place {
  readonly server: string
  readonly url: string
}

/** Returns the database on which the gateway starts after this happened. */
type Happening = (place: Place) => Effect.Effect<string, unknown, Scope.Scope>

const changed =
  (sql: string): Happening =>
  ({ url }) =>
    Effect.as(Session.query({ connectionString: url }, sql), url)

const template: Happening = ({ server, url }) => TestDatabase.make(server, url)

const otherServer = changed("UPDATE pay.binding SET system = '1'")
const unknownServer = changed("UPDATE pay.binding SET system = ''")
const same: Happening = ({ url }) => Effect.succeed(url)

const by = { by: "tester" }
type Words = Pick<PostgresStore.Options, "acceptLoss" | "moved" | "restored">

const refused = /not the database in which the store was written last.* --moved\. .* --restored: /

const rows: ReadonlyArray<readonly [what: string, happening: Happening, words: Words, expected: RegExp]> = [
  ["nothing happened", same, {}, /^starts$/],
  ["nothing happened, and the move was said before", same, { moved: by }, /^starts$/],
  ["nothing happened, and the operator restored a disk", same, { restored: by }, /^starts store.restored pending$/],
  ["CREATE DATABASE … TEMPLATE", template, {}, refused],
  ["CREATE DATABASE … TEMPLATE, --moved", template, { moved: by }, /^starts store.moved$/],
  ["CREATE DATABASE … TEMPLATE, --restored", template, { restored: by }, /^starts store.restored pending$/],
  ["CREATE DATABASE … TEMPLATE, --accept-loss", template, { acceptLoss: by }, refused],
  ["another server, as after pg_upgrade or a restored dump", otherServer, {}, refused],
  ["another server, --moved", otherServer, { moved: by }, /^starts store.moved$/],
  ["a role that could not read the system identifier", unknownServer, {}, /^starts$/]
]

/** Starts a gateway's store and stops it. Returns its refusal, or what it recorded. */
const started = (url: string, witness: string, words: Words = {}) =>
  Effect.gen(function* () {
    const store = yield* Store
    yield* store.commit(Sale.make(`${yield* Effect.sync(() => performance.now())}`))
    const audit = yield* store.find(AuditEntry, "subject", { equals: ["store", "gateway.db"], limit: 9 })
    const restoration = yield* store.load(Restoration, ["latest"])
    return ["starts", ...audit.map(({ action }) => action), ...(restoration === undefined ? [] : ["pending"])].join(" ")
  }).pipe(
    Effect.provide(PostgresStore.layer({ url: Redacted.make(url), witness, writers: 1, readers: 1, ...words }), {
      local: true
    }),
    Effect.catchTags({
      StoreRefused: ({ message }) => Effect.succeed(message),
      PostgresRefused: ({ message }) => Effect.succeed(message)
    })
  )

describe("a store in a database", () => {
  it.live.each(rows)("is started by a word about a copy: %s", ([_what, happening, words, expected]) =>
    Effect.gen(function* () {
      const server = yield* TestDatabase.server
      const url = yield* TestDatabase.forStore(server)
      const witness = join(yield* temporaryFolder, "postgres.witness")
      assert.strictEqual(yield* started(url, witness), "starts")
      const now = yield* happening({ server, url })
      const result = yield* started(now, witness, words)
      assert.match(result, expected)
      if (result.startsWith("starts")) assert.strictEqual(yield* started(now, witness), result)
    })
  )
})
