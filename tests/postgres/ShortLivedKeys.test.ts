/** The table of short-lived keys is shared by processes, emptied on time, and empty after a crash of the server. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { ShortLivedKeyTable } from "@pay/gateway/KeyVault"
import * as PostgresStore from "@pay/storage/PostgresStore"
import { Context, Effect, Layer, Redacted } from "effect"
import * as PostgresServer from "./PostgresServer.ts"
import * as Session from "./Session.ts"

const open = (server: PostgresServer.PostgresServer) =>
  Effect.map(
    Layer.build(Layer.fresh(PostgresStore.layer({ url: Redacted.make(Session.url([server.port])) }))),
    Context.get(ShortLivedKeyTable)
  )

const key = (id: number, text: string) => ({ id, createdAtMs: 1_790_000_000_000 + id, encryptedKey: Buffer.from(text) })

const idsOf = ({ list }: ShortLivedKeyTable["Service"]) =>
  Effect.map(list, (keys) => keys.map(({ id }) => id).sort((one, other) => one - other))

/** Whether any file of the server holds these bytes. */
const isOnDisk = ({ data }: PostgresServer.PostgresServer, text: string): boolean =>
  readdirSync(data, { recursive: true, withFileTypes: true }).some(
    (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text)
  )

it.live("a short-lived key is shared by all processes, and destroyed in every file of the server", () =>
  Effect.gen(function* () {
    const server = yield* PostgresServer.make({ hasStore: true })
    const [one, other] = [yield* open(server), yield* open(server)]
    yield* one.add(key(1, "the first key's bytes"))
    yield* other.add(key(2, "the second key's bytes"))
    yield* other.add(key(1, "another key of the same number"))
    assert.deepStrictEqual((yield* other.list).map(({ encryptedKey }) => Buffer.from(encryptedKey).toString()).sort(), [
      "the first key's bytes",
      "the second key's bytes"
    ])
    // A server that ends in good order writes to its files what it had in memory.
    yield* server.restart("fast")
    assert.isTrue(isOnDisk(server, "the first key's bytes"))
    const [again, another] = [yield* open(server), yield* open(server)]
    yield* another.destroy([1, 99])
    yield* again.destroy([])
    assert.deepStrictEqual(yield* idsOf(again), [2])
    yield* server.restart("fast")
    assert.isFalse(isOnDisk(server, "the first key's bytes"))
    assert.isTrue(isOnDisk(server, "the second key's bytes"))
  })
)

it.live("the table of short-lived keys is empty after a crash of the server, and accepts new keys", () =>
  Effect.gen(function* () {
    const server = yield* PostgresServer.make({ hasStore: true })
    const table = yield* open(server)
    yield* table.add(key(1, "a key"))
    yield* server.restart("immediate")
    const after = yield* open(server)
    assert.deepStrictEqual(yield* idsOf(after), [])
    yield* after.add(key(2, "a key"))
    assert.deepStrictEqual(yield* idsOf(after), [2])
  })
)
