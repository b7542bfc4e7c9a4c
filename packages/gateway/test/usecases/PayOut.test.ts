/** What the payout rail is asked for, and what it is never asked for. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Job } from "../../src/kernel/Job.ts"
import { Store } from "../../src/kernel/Store.ts"
import { Order } from "../../src/orders/Order.ts"
import { OrderRequest } from "../../src/orders/OrderRequest.ts"
import * as PayOut from "../../src/payouts/PayOut.ts"
import { Payout } from "../../src/recipients/Recipient.ts"
import { item, payout, request, sale } from "../domain/Sample.ts"
import { guardsOf } from "../domain/Written.ts"
import * as Rail from "./Rail.ts"
import * as World from "./World.ts"

const work = item({ itemId: "rail:2", kind: "rail" })
const pay: OrderRequest = { ...request({ sequence: 0, amountMinor: 10_000 }), operation: "PAYOUT", action: "pay" }
const check: OrderRequest = { ...pay, action: "check" }
const order = (state: Order["state"]): Order =>
  sale({ kind: "payout", state, authorizedMinor: 0, capturedMinor: 0, createdAtMs: 1 })
const sealed = World.bytesOf(JSON.stringify({ kind: "account", number: "DE02", details: {} }))
const recipient = payout({ sealedDestination: sealed, purpose: "Salary" })

interface Given extends World.Script, Rail.Script {
  readonly order: Order
  readonly request: OrderRequest
  /** Null: nobody here knows. */
  readonly payout?: Payout | null
  readonly item?: Job
  readonly rows?: ReadonlyArray<Decision.Write>
}

const carryOut = (given: Given) => {
  const did = World.nothing()
  const requests: Array<string> = []
  return Effect.gen(function* () {
    const store = yield* Store
    const its = given.payout === null ? [] : [Decision.put(Payout, given.payout ?? recipient)]
    const rows = [Decision.put(Order, given.order), Decision.put(OrderRequest, given.request), ...its]
    yield* World.given([...rows, Decision.put(Job, given.item ?? work), ...(given.rows ?? [])], did)
    const handle = yield* PayOut.make
    const exit = yield* Effect.exit(handle(given.item ?? work, store))
    return { exit, requests, did, state: (yield* store.load(Order, ["1"]))?.state }
  }).pipe(Effect.provide(Layer.provideMerge(Rail.layer(given, requests), World.layer(given, did))))
}

describe("the rail is asked", () => {
  const begun = { ...work, openAttempts: 2 }
  const unknown = { order: order("uncertain"), request: { ...pay, progress: "unknown" as const }, item: begun }
  const posted = { order: order("paid"), request: { ...pay, progress: "approved" as const } }
  const sent = "1-pay-0 10000 USD to account DE02"
  const cases: ReadonlyArray<
    readonly [what: string, given: Given, requests: ReadonlyArray<string>, state: Order["state"]]
  > = [
    ["to pay", { order: order("paying"), request: pay }, [`pay ${sent} for Salary`], "paid"],
    [
      "to pay without a purpose",
      { order: order("paying"), request: pay, payout: { ...recipient, purpose: null } },
      [`pay ${sent}`],
      "paid"
    ],
    [
      "whether it can pay",
      { order: order("checking"), request: check },
      ["check 1-check-0 10000 USD to account DE02 for Salary"],
      "checked"
    ],
    [
      "anew whether it can pay",
      { order: order("checking"), request: check, item: begun },
      ["check 1-check-0 10000 USD to account DE02 for Salary"],
      "checked"
    ],
    [
      "what became of a payment that somebody had begun",
      { ...unknown, existing: { "1-pay-0": Rail.declined } },
      ["inquire 1-pay-0"],
      "declined"
    ],
    [
      "whether a confirmed payment still holds",
      { ...posted, existing: { "1-pay-0": Rail.declined } },
      ["inquire 1-pay-0"],
      "bounced"
    ],
    [
      "nothing where nobody here knows the recipient",
      { order: order("paying"), request: pay, payout: null },
      [],
      "failed"
    ],
    [
      "nothing where the recipient's key is gone",
      { order: order("paying"), request: pay, payout: { ...recipient, sealedDestination: World.bytesOf("gone") } },
      [],
      "failed"
    ]
  ]
  it.effect.each(cases)("%s", ([, given, requests, state]) =>
    Effect.gen(function* () {
      const done = yield* carryOut(given)
      assert.deepStrictEqual([done.requests, done.state], [[...requests], state])
    })
  )

  it.effect("nothing that is for the bank: that is a defect", () =>
    Effect.gen(function* () {
      const { requests, exit } = yield* carryOut({ order: order("paying"), request: { ...pay, action: "sale" } })
      assert(Exit.isFailure(exit))
      assert.include(Cause.pretty(exit.cause), "is not for the payout rail")
      assert.deepStrictEqual(requests, [])
    })
  )

  it.effect("to pay only after a second person, of what a page asked for, where the endpoint wants one", () =>
    Effect.gen(function* () {
      const given = { order: order("checking"), request: check }
      const { state } = yield* carryOut({ ...given, endpoint: World.endpoint({ payoutApproval: true }) })
      assert.strictEqual(state, "checked")
    })
  )
})

describe("on a restored copy, a check", () => {
  const checking = { order: order("checking"), request: check, rows: [Rail.copy] }
  const checked = "check 1-check-0 10000 USD to account DE02 for Salary"
  const cannotSay = { _tag: "CannotSay" } as const
  const cases: ReadonlyArray<
    readonly [
      what: string,
      given: Given,
      requests: ReadonlyArray<string>,
      state: Order["state"],
      guards: ReadonlyArray<string>
    ]
  > = [
    [
      "passes where no payment is known",
      checking,
      ["inquire 1-check-0", checked, "inquire 1-pay-0", "inquire 1-pay-1"],
      "checked",
      ["lease rail:2 mine", "orders 1 v3"]
    ],
    [
      "gives way to a payment that is known",
      { ...checking, existing: { "1-pay-1": Rail.approved } },
      ["inquire 1-check-0", checked, "inquire 1-pay-0", "inquire 1-pay-1"],
      "paying",
      ["lease rail:2 mine", "orders 1 v3", "orders 1 v3"]
    ],
    [
      "gives way to a payment that was refused",
      { ...checking, existing: { "1-pay-0": Rail.declined } },
      ["inquire 1-check-0", checked, "inquire 1-pay-0"],
      "paying",
      ["lease rail:2 mine", "orders 1 v3", "orders 1 v3"]
    ],
    [
      "waits where the rail cannot say",
      { ...checking, existing: { "1-pay-0": cannotSay } },
      ["inquire 1-check-0", checked, "inquire 1-pay-0"],
      "checking",
      ["lease rail:2 mine"]
    ]
  ]
  it.effect.each(cases)("%s", ([, given, requests, state, guards]) =>
    Effect.gen(function* () {
      const done = yield* carryOut(given)
      assert.deepStrictEqual([done.requests, done.state], [[...requests], state])
      assert.deepStrictEqual(done.did.decisions.map(guardsOf), [[...guards]])
    })
  )

  it.effect("is no payment: of that only itself is asked about", () =>
    Effect.gen(function* () {
      const existing = { "1-pay-0": Rail.declined }
      const { requests } = yield* carryOut({ order: order("paying"), request: pay, rows: [Rail.copy], existing })
      assert.deepStrictEqual(requests, ["inquire 1-pay-0"])
    })
  )
})
