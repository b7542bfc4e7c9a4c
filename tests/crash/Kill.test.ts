import { assert, describe, it } from "@effect/vitest"
import * as PayClient from "@pay/transport/PayClient"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import { clientSettings } from "../harness/Credentials.ts"
import * as GatewayProcess from "../harness/GatewayProcess.ts"
import * as Inbox from "../harness/Inbox.ts"
import * as SalesLedger from "../harness/SalesLedger.ts"
import * as TestGateway from "../harness/TestGateway.ts"

const customers = 16
/** How often the gateway is killed. */
const rounds = process.env.PAY_TEST === "all" ? 4 : 2

const clientOf = (baseUrl: string) => PayClient.layer({ ...clientSettings(baseUrl), concurrency: customers })

/** Customers buy until the gateway stops answering; after so many acknowledgements it is killed, in the middle of the others. */
const burst = Effect.fnUntraced(function* (
  folder: string,
  round: number,
  existing: SalesLedger.SalesLedger,
  callbackUrl: string
) {
  const gateway = yield* GatewayProcess.sandbox(folder)
  const killAt = existing.acknowledged.size + 25 + 13 * round
  let alive = true
  const shop = Effect.fnUntraced(function* (customer: number) {
    const pay = yield* PayClient.PayClient
    for (let n = 0; alive; n++) {
      yield* SalesLedger.sell(existing, pay, `kill-${round}-${customer}-${n}`, callbackUrl)
      if (existing.acknowledged.size >= killAt && alive) {
        alive = false
        yield* gateway.kill
      }
    }
  })
  yield* Effect.forEach(
    Array.from({ length: customers }, (_, customer) => customer),
    shop,
    {
      concurrency: "unbounded",
      discard: true
    }
  ).pipe(Effect.provide(clientOf(gateway.baseUrl), { local: true }))
}, Effect.scoped)

describe("a burst of sales that kill -9 interrupts", () => {
  it.live(
    "loses no acknowledged sale, charges no card twice, and reports every outcome",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const inbox = yield* Inbox.Inbox
        const existing = SalesLedger.make()
        for (let round = 0; round < rounds; round++) yield* burst(folder, round, existing, inbox.url)
        assert.isAtLeast(existing.acknowledged.size, rounds * 25)

        yield* Effect.gen(function* () {
          const gateway = yield* GatewayProcess.sandbox(folder)
          yield* Effect.provide(SalesLedger.follow(existing), clientOf(gateway.baseUrl), { local: true })
        }).pipe(Effect.scoped)

        yield* TestGateway.quietly(folder)(
          Effect.gen(function* () {
            assert.isAtLeast(yield* SalesLedger.check(existing), existing.acknowledged.size)
          })
        )
      }).pipe(Effect.provide(Inbox.layer)),
    90_000
  )
})
