/** A repetition that shows only while it is carried out commits nothing; its nonce is spent all the same. */
import { assert, describe, it } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { Directory } from "@pay/gateway/Directory"
import { Nonce, Subscription } from "@pay/gateway/Entities"
import { Rows, Store } from "@pay/gateway/Store"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect } from "effect"
import { Handlers } from "../../gateway/gateway/src/http/Handlers.ts"
import * as Subscriptions from "../faults/Subscriptions.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as World from "../harness/World.ts"

const { endpoints, login } = Sandbox.merchant

const spending = (nonce: string): Decision.Decision => ({
  guards: [Decision.absent(Nonce, "key", [login, nonce])],
  writes: [Decision.append(Nonce, { consumerKey: login, nonce, usedAtMs: 0 })]
})

/** Carries the request out as one that was not known as a repetition when it was looked up. */
const perform = Effect.fnUntraced(function* (
  name: "SALE" | "VOID" | "UPDATE_RP_V4",
  fields: Readonly<Record<string, string>>,
  nonce: string,
  rows: Rows.Rows
) {
  const handler = (yield* Handlers).get(name)
  const route = (yield* Directory).route(endpoints.usd)
  assert(handler !== undefined && route !== undefined)
  const { merchant } = route
  const call = {
    operation: PayApi.operations[name],
    dialect: "json" as const,
    route,
    merchant,
    fields,
    idempotencyKey: undefined,
    rows
  }
  return yield* handler.perform({ ...call, nonce: spending(nonce) }, route.endpoints)
})

describe("two equal requests at the same time", () => {
  it.live("UPDATE_RP_V4 is refused if another request has just spent its nonce, and changes nothing", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const id = yield* Subscriptions.create()
      yield* World.settled
      const fields = (change: string) => ({ "recurring-payment-id": id, change })
      yield* perform("UPDATE_RP_V4", fields("pause"), "first", store)
      const refused = yield* Effect.flip(perform("UPDATE_RP_V4", fields("resume"), "first", store))
      assert(refused._tag === "RequestRefused")
      assert.strictEqual(refused.status, 401)
      assert.strictEqual((yield* store.load(Subscription, [id]))?.state, "paused")
    }).pipe(Effect.provide(World.layer(), { local: true }))
  )

  for (const name of ["SALE", "VOID"] as const) {
    it.live(`${name} spends the nonce of each request, and a spent nonce is refused`, () =>
      Effect.gen(function* () {
        const store = yield* Store
        const order = yield* ClientMerchant.create("PREAUTH")
        yield* World.settled
        const { client_orderid, orderid } = order
        const fields = name === "VOID" ? { login, client_orderid, orderid } : Sample.request(PayApi.operations.SALE)
        const rows = Rows.loadedOnce(store)
        yield* perform(name, fields, "first", rows)
        yield* perform(name, fields, "second", rows)
        const nonces = yield* store.find(Nonce, "key", { equals: [login], limit: 10 })
        assert.deepStrictEqual(
          nonces.map(({ nonce }) => nonce),
          ["first", "second"]
        )
        const refused = yield* Effect.flip(perform(name, fields, "second", rows))
        assert(refused._tag === "RequestRefused")
        assert.strictEqual(refused.status, 401)
      }).pipe(Effect.provide(World.layer(), { local: true }))
    )
  }
})
