import { copyFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { Balance, Cvv, Evidence, Nonce } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { Effect, Layer } from "effect"
import {
  ageCommits,
  database,
  databaseForStore,
  file,
  move,
  moveRefusal,
  moveUntil,
  onDatabase,
  refusal,
  reopen,
  Server,
  sql,
  withStore
} from "./Stores.ts"

const nonce = (name: string) => Decision.put(Nonce, { consumerKey: "merchant", nonce: name, usedAtMs: 1 })

const commit = (...writes: ReadonlyArray<Decision.Write>) =>
  Effect.flatMap(Store, (store) => store.commit({ guards: [], writes }))

const count = Effect.map(
  Effect.flatMap(Store, (store) => store.find(Nonce, "key", { limit: 100 })),
  (rows) => rows.length
)

/** A file with one nonce, which no gateway has open. */
const filled = Effect.tap(file, (path) => withStore(path)(commit(nonce("1"))))

const filledDatabase = Effect.tap(databaseForStore, (url) =>
  Effect.andThen(withStore(url)(commit(nonce("1"))), ageCommits(url))
)

layer(Server.layer, { excludeTestServices: true })("a move", (it) => {
  it.effect("refuses a source and a target that a gateway uses", () =>
    Effect.gen(function* () {
      const url = yield* database
      const path = yield* filled
      assert.include(yield* withStore(path)(moveRefusal(path, url)), "running: ")
      const used = yield* withStore(url)(moveRefusal(path, url))
      assert.match(used, /^running: A gateway uses postgres:.*a session of process/)
      yield* withStore(url)(commit(nonce("2")))
      assert.include(yield* moveRefusal(path, url), "which committed at")
    })
  )

  it.effect("refuses a target with a store, and accepts one with an empty schema", () =>
    Effect.gen(function* () {
      const path = yield* filled
      const url = yield* filledDatabase
      const other = yield* filled
      assert.include(yield* moveRefusal(path, url), "present: There is a store in postgres://")
      const empty = yield* databaseForStore
      yield* withStore(empty)(count)
      assert.strictEqual((yield* move(path, empty)).rows, 1)
      assert.include(yield* moveRefusal(other, empty), "present: ")
      assert.include(yield* moveRefusal(path, yield* database), "other: ")
    })
  )

  it.effect("refuses the address of a pooler, and a missing source", () =>
    Effect.gen(function* () {
      const path = yield* filled
      const url = yield* database
      assert.include(yield* moveRefusal(path, `${url}?pgbouncer=true`), "settings: ")
      assert.include(yield* moveRefusal(yield* file, url), "absent: There is no store at")
    })
  )

  it.effect("that was interrupted does not continue with another source or target", () =>
    Effect.gen(function* () {
      const path = yield* filled
      const url = yield* database
      yield* moveUntil(path, url, "comparing")
      assert.include(
        yield* moveRefusal(path, yield* database),
        `other: ${path}: This store is being moved to postgres://`
      )
      assert.include(yield* moveRefusal(yield* filled, url), `other: `)
      yield* reopen(path)
      yield* withStore(path)(commit(nonce("2")))
      assert.include(yield* moveRefusal(path, url), "no longer marked as that move's source")
      yield* sql(url, "DROP SCHEMA pay CASCADE")
      assert.strictEqual((yield* move(path, url)).rows, 2)
    })
  )

  it.effect("fails if a row of the copy is missing, added or changed", () =>
    Effect.gen(function* () {
      const tampered = [
        "DELETE FROM pay.nonces",
        'INSERT INTO pay.nonces SELECT "consumerKey", \'zzz\', "usedAtMs" FROM pay.nonces',
        'UPDATE pay.nonces SET "usedAtMs" = 2'
      ]
      for (const [at, text] of tampered.entries()) {
        const path = yield* filled
        const url = yield* database
        yield* moveUntil(path, url, "comparing")
        yield* sql(url, text)
        const expected = ["is missing in", "is one more", "is another"][at] ?? ""
        const reason = yield* moveRefusal(path, url)
        assert.include(reason, "differs: The table nonces is not the same on both sides: row")
        assert.include(reason, expected)
        assert.include(yield* refusal(url), "is being filled from")
      }
    })
  )

  it.effect("reports books that did not balance before it", () =>
    Effect.gen(function* () {
      const path = yield* file
      yield* withStore(path)(commit(Decision.post("merchant", 5)))
      const { findings } = yield* move(path, yield* database)
      assert.deepStrictEqual(
        findings.map(({ where }) => where),
        ["balance merchant"]
      )
    })
  )

  it.effect("copies bytes and texts that the engines store in different ways", () =>
    Effect.gen(function* () {
      const evidence: Evidence = { evidenceId: "1", orderId: "1", reference: "", answer: "a\0b\u0001😀'\\", atMs: 0 }
      const encryptedCvv = { cardId: "1", encryptedCvv: new Uint8Array([0, 255, 10]), createdAtMs: 1 }
      const path = yield* file
      const url = yield* database
      yield* withStore(path)(commit(Decision.append(Evidence, evidence), Decision.put(Cvv, encryptedCvv)))
      const check = Effect.gen(function* () {
        const store = yield* Store
        assert.deepStrictEqual(yield* store.load(Evidence, ["1"]), evidence)
        assert.deepStrictEqual([...((yield* store.load(Cvv, ["1"]))?.encryptedCvv ?? [])], [0, 255, 10])
        assert.isUndefined(yield* store.load(Balance, ["merchant"]))
      })
      yield* move(path, url)
      yield* withStore(url)(check)
    })
  )
})

layer(Server.layer, { excludeTestServices: true })("a store that was moved", (it) => {
  it.effect("is reopened only if the operator states that its copy was not used", () =>
    Effect.gen(function* () {
      const path = yield* filled
      assert.include((yield* Effect.flip(reopen(path))).message, "was not moved")
      yield* move(path, yield* database)
      assert.include((yield* Effect.flip(reopen(path))).message, "add --unused")
      yield* reopen(path, true)
      yield* withStore(path)(commit(nonce("2")))
      assert.strictEqual(yield* withStore(path)(count), 2)
    })
  )

  it.effect("keeps its witness, which refuses any other store", () =>
    Effect.gen(function* () {
      const path = yield* filled
      const url = yield* database
      yield* move(path, url)
      const witness = join(dirname(path), "store.witness")
      const otherWitness = join(dirname(yield* filled), "store.witness")
      const refused = yield* Effect.flip(Effect.scoped(Layer.build(onDatabase(url, { witness: otherWitness }))))
      assert.include(refused.message, "witness")
      const kept = `${witness}.kept`
      copyFileSync(witness, kept)
      yield* Effect.scoped(Layer.build(onDatabase(url, { witness })))
      yield* sql(url, `UPDATE pay.moved_from SET sequence = 0`)
      const behind = yield* Effect.flip(Effect.scoped(Layer.build(onDatabase(url, { witness: kept }))))
      assert.include(behind.message, "witness")
    })
  )
})
