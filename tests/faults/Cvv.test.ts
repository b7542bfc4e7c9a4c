/** A CVV is stored until its authorization is answered, and no longer. Without it, nothing is sent. */
import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as World from "../harness/World.ts"

/** How many CVVs are in the file of a gateway, which may have it open. */
const cvvs = (folder: string) =>
  Effect.sync(() => {
    const database = new DatabaseSync(join(folder, "gateway.db"), { readOnly: true })
    try {
      return database.prepare("SELECT * FROM cvvs").all().length
    } finally {
      database.close()
    }
  })

/** Destroys each short-lived key at once, as the gateway does within the hour. */
const destroyKeys = (folder: string) =>
  Effect.promise(async () => {
    const keys = await readdir(join(folder, "short-lived-keys"))
    for (const key of keys) await rm(join(folder, "short-lived-keys", key))
  })

describe("the row with a CVV", () => {
  it.live.each([
    { card: "ordinary", cvv2: "123", until: "0 seconds", status: "approved" },
    { card: "ordinary", cvv2: "116", until: "0 seconds", status: "declined" },
    { card: "answer-lost", cvv2: "123", until: "6 seconds", status: "approved" },
    { card: "not-sent", cvv2: "123", until: "17 minutes", status: "error" }
  ] as const)("$card $cvv2: is there until the order is $status", ({ card, cvv2, status, until }) =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const order = yield* ClientMerchant.create("PREAUTH", { card, cvv2 }).pipe(
        TestGateway.quietly(folder, { settings: { jobsPaused: true } })
      )
      assert.strictEqual(yield* cvvs(folder), 1)
      yield* Effect.gen(function* () {
        yield* World.settled
        assert.strictEqual(yield* cvvs(folder), (yield* ClientMerchant.status(order)).status === status ? 0 : 1)
        yield* World.pass(until)
        assert.strictEqual((yield* ClientMerchant.status(order)).status, status)
        assert.strictEqual(yield* cvvs(folder), 0)
      }).pipe(TestGateway.quietly(folder))
    })
  )
})

describe("a CVV whose key is destroyed", () => {
  const moments = [
    { when: "before the first sending", card: "ordinary", settings: { jobsPaused: true }, meanwhile: "processing" },
    { when: "before it is sent again", card: "lost-once", settings: {}, meanwhile: "unknown" }
  ]
  it.live.each(moments)("$when: the order ends error, and the bank gets no request", ({ card, meanwhile, settings }) =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const order = yield* Effect.gen(function* () {
        const order = yield* ClientMerchant.create("SALE", { card })
        yield* World.settled
        assert.strictEqual((yield* ClientMerchant.status(order)).status, meanwhile)
        return order
      }).pipe(TestGateway.quietly(folder, { settings }))
      yield* destroyKeys(folder)
      yield* Effect.gen(function* () {
        yield* World.pass("2 minutes")
        const status = yield* ClientMerchant.status(order)
        assert.deepInclude(status, { status: "error", "captured-amount": "0.00" })
        assert.deepStrictEqual(yield* ClientMerchant.atBank(order), [])
        assert.strictEqual(yield* cvvs(folder), 0)
        yield* ClientMerchant.allIsWell
      }).pipe(TestGateway.quietly(folder))
    })
  )

  it.live("is removed after half an hour, and a request that was never sent ends with it", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const order = yield* Effect.gen(function* () {
        const order = yield* ClientMerchant.create("SALE")
        yield* World.pass("32 minutes")
        assert.strictEqual(yield* cvvs(folder), 0)
        assert.strictEqual((yield* ClientMerchant.status(order)).status, "processing")
        return order
      }).pipe(TestGateway.quietly(folder, { settings: { jobsPaused: true } }))
      yield* Effect.gen(function* () {
        yield* World.settled
        assert.strictEqual((yield* ClientMerchant.status(order)).status, "error")
        assert.deepStrictEqual(yield* ClientMerchant.atBank(order), [])
      }).pipe(TestGateway.quietly(folder))
    })
  )

  it.live("after the bank got the request: the bank's answer counts", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const order = yield* Effect.tap(ClientMerchant.create("SALE", { card: "answer-lost" }), () => World.settled).pipe(
        TestGateway.quietly(folder)
      )
      yield* destroyKeys(folder)
      yield* Effect.gen(function* () {
        yield* World.pass("6 seconds")
        assert.strictEqual((yield* ClientMerchant.status(order)).status, "approved")
        assert.deepStrictEqual(yield* ClientMerchant.atBank(order), ["authorize 1042 Approved"])
        assert.strictEqual(yield* cvvs(folder), 0)
        yield* ClientMerchant.allIsWell
      }).pipe(TestGateway.quietly(folder))
    })
  )
})
