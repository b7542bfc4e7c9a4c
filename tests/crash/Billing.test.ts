import { assert, describe, it } from "@effect/vitest"
import { Occurrence, Order, Subscription } from "@pay/gateway/Entities"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Store } from "@pay/gateway/Store"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Schedule } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import { clientSettings } from "../harness/Credentials.ts"
import * as GatewayProcess from "../harness/GatewayProcess.ts"
import * as TestGateway from "../harness/TestGateway.ts"

const { CREATE_RP_V4 } = PayApi.operations
const soon = Schedule.spaced("20 millis")
const members = 40
const days = 6
/** The number of charges at the bank at which the process is killed, round by round. */
const killsAt = [members + 15, 2 * members + 20, 4 * members + 1, 5 * members + 39]

const clientOf = (baseUrl: string) => PayClient.layer(clientSettings(baseUrl))

const create = (baseUrl: string) =>
  Effect.gen(function* () {
    const pay = yield* PayClient.PayClient
    const sample = { ...Sample.request(CREATE_RP_V4), period: "daily", cvv2: "123", expire_year: "2099" }
    const request = yield* Effect.fromResult(CREATE_RP_V4.decodeFields(sample))
    yield* Effect.forEach(
      Array.from({ length: members }, (_, n) => n),
      (n) => pay.call(CREATE_RP_V4, { ...request, client_orderid: `member-${n}` }),
      { concurrency: 8 }
    )
  }).pipe(Effect.provide(clientOf(baseUrl), { local: true }))

const post = (url: string) => Effect.promise(() => fetch(url, { method: "POST" }).catch(() => undefined))

/** Requests that the bank has answered, read from its journal while the gateway writes it. */
const listen = (folder: string) =>
  Effect.promise(async () => {
    const { readFile } = await import("node:fs/promises")
    const journal = await readFile(`${folder}/bank.journal`, "utf8").catch(() => "")
    return journal.split('"Booked"').length - 1
  })

const killedAt = Effect.fnUntraced(function* (folder: string, charges: number) {
  const gateway = yield* GatewayProcess.sandbox(folder)
  yield* Effect.forkChild(post(`${gateway.baseUrl}/sandbox/clock/advance?by=${days}d`))
  yield* Effect.repeat(listen(folder), { until: (count) => count >= charges, schedule: soon })
  yield* gateway.kill
}, Effect.scoped)

describe("a billing run that kill -9 interrupts", () => {
  it.live(
    "charges every occurrence exactly once",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        yield* Effect.scoped(Effect.flatMap(GatewayProcess.sandbox(folder), ({ baseUrl }) => create(baseUrl)))
        for (const charges of killsAt) yield* killedAt(folder, charges)
        yield* Effect.scoped(
          Effect.flatMap(GatewayProcess.sandbox(folder), ({ baseUrl }) =>
            post(`${baseUrl}/sandbox/clock/advance?by=${days}d`)
          )
        )
        yield* TestGateway.quietly(folder)(
          Effect.gen(function* () {
            const store = yield* Store
            const control = yield* SandboxControl
            const rows = yield* store.find(Subscription, "key", { limit: 1000 })
            assert.strictEqual(rows.length, members)
            let charges = 0
            for (const { next, state, subscriptionId } of rows) {
              assert.strictEqual(state, "active")
              const occurrences = yield* store.find(Occurrence, "key", { equals: [subscriptionId], limit: 1000 })
              assert.deepStrictEqual(
                occurrences.map(({ attempts, n, progress }) => `${n} ${progress} ${attempts}`),
                Array.from({ length: next }, (_, n) => `${n} charged 1`)
              )
              assert.strictEqual(new Set(occurrences.map(({ orderId }) => orderId)).size, next)
              for (const { orderId } of occurrences) {
                const totals = yield* control.books.totals(orderId ?? "")
                assert.strictEqual(totals.capturedMinor, 1042)
              }
              charges += next
            }
            assert.isAtLeast(charges, killsAt.at(-1) ?? 0)
            assert.strictEqual((yield* store.find(Order, "key", { limit: 10_000 })).length, charges)
            assert.strictEqual((yield* control.books.all).length, charges)
            assert.deepStrictEqual(yield* control.violations, [])
            assert.deepStrictEqual((yield* Reconciliation.check).findings, [])
          })
        )
      }),
    90_000
  )
})
