/** Merchants take turns in everything that is due later: what one has under way delays no other. */
import { assert, it } from "@effect/vitest"
import * as Settings from "@pay/gateway/Settings"
import { Effect, Latch } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as Inbox from "../harness/InboxInMemory.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as World from "../harness/World.ts"

const { bankConcurrency, jobBacklog } = Settings.defaults
const many = 800

it.live("800 payments of one merchant at a bank that does not answer delay no other merchant's payments", () => {
  const answers = Latch.makeUnsafe(false)
  const atBank = { noisy: 0, other: 0 }
  return Effect.gen(function* () {
    assert.isAbove(many, jobBacklog)
    for (let left = many; left > 0; left -= 1) yield* ClientMerchant.create("SALE")
    while (atBank.noisy < bankConcurrency) yield* Effect.yieldNow

    const inbox = yield* Inbox.Inbox
    const sale = ClientMerchant.create("SALE", { server_callback_url: "http://127.0.0.1/other" })
    const { login, controlKey, endpointId } = Merchants.other
    yield* Effect.provide(sale, World.clientOf(login, controlKey, endpointId))
    for (let turns = 0; turns < 1000 && inbox.arrived.length === 0; turns += 1) yield* Effect.yieldNow
    assert.lengthOf(inbox.arrived, 1)
    assert.deepStrictEqual(atBank, { noisy: bankConcurrency, other: 1 }, "nothing of the first merchant has ended")

    yield* answers.open
    yield* World.settled
    assert.deepStrictEqual(atBank, { noisy: many, other: 1 })
  }).pipe(
    Effect.provide(
      World.layer({
        merchants: Merchants.both(),
        spoilBank: (bank) => ({
          ...bank,
          authorize: (request) => {
            const isOther = request.merchantId === Merchants.other.login
            atBank[isOther ? "other" : "noisy"] += 1
            return isOther ? bank.authorize(request) : Effect.andThen(answers.await, bank.authorize(request))
          }
        })
      }),
      { local: true }
    )
  )
})
