/** Each request to the payout rail, and the requests that are never sent. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Job } from "../../src/kernel/Job.ts"
import { Store } from "../../src/kernel/Store.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import * as PayoutJob from "../../src/payouts/PayoutJob.ts"
import { Payout } from "../../src/recipients/Recipient.ts"
import { job, payout, request, sale } from "../domain/Sample.ts"
import * as Rail from "./Rail.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

const work = job({ jobId: "rail:2", kind: "rail" })
const pay: OrderRequest = { ...request({ sequence: 0, amountMinor: 10_000 }), operation: "PAYOUT", action: "pay" }
const check: OrderRequest = { ...pay, action: "check" }
const order = (state: Order["state"]): Order =>
  sale({ kind: "payout", state, authorizedMinor: 0, capturedMinor: 0, createdAtMs: 1 })
const encrypted = ScriptedServices.bytesOf(JSON.stringify({ kind: "account", number: "DE02", details: {} }))
const recipient = payout({ encryptedDestination: encrypted, purpose: "Salary" })

interface Setup extends ScriptedServices.Script, Rail.Script {
  readonly order: Order
  readonly request: OrderRequest
  /** Null if the store has none. */
  readonly payout?: Payout | null
  readonly job?: Job
  readonly rows?: ReadonlyArray<Decision.Write>
}

const runJob = (setup: Setup) => {
  const recording = ScriptedServices.newRecording()
  const requests: Array<string> = []
  return Effect.gen(function* () {
    const store = yield* Store
    const payouts = setup.payout === null ? [] : [Decision.put(Payout, setup.payout ?? recipient)]
    const rows = [Decision.put(Order, setup.order), Decision.put(OrderRequest, setup.request), ...payouts]
    yield* ScriptedServices.seed([...rows, Decision.put(Job, setup.job ?? work), ...(setup.rows ?? [])], recording)
    const { run: handle } = yield* PayoutJob.make
    const exit = yield* Effect.exit(handle(setup.job ?? work, store))
    return { exit, requests, recording, state: (yield* store.load(Order, ["1"]))?.state }
  }).pipe(Effect.provide(Layer.provideMerge(Rail.layer(setup, requests), ScriptedServices.layer(setup, recording))))
}

describe("the request to the rail", () => {
  const resumed = { ...work, openAttempts: 2 }
  const unknown = { order: order("unknown"), request: { ...pay, progress: "unknown" as const }, job: resumed }
  const posted = { order: order("paid"), request: { ...pay, progress: "approved" as const } }
  const sent = "1-pay-0 10000 USD to account DE02"
  const cases: ReadonlyArray<
    readonly [what: string, setup: Setup, requests: ReadonlyArray<string>, state: Order["state"]]
  > = [
    ["is a payment", { order: order("paying"), request: pay }, [`pay ${sent} for Salary`], "paid"],
    [
      "is a payment without a purpose if there is none",
      { order: order("paying"), request: pay, payout: { ...recipient, purpose: null } },
      [`pay ${sent}`],
      "paid"
    ],
    [
      "is a check for a payout in two steps",
      { order: order("checking"), request: check },
      ["check 1-check-0 10000 USD to account DE02 for Salary"],
      "checked"
    ],
    [
      "is a check again after an earlier attempt",
      { order: order("checking"), request: check, job: resumed },
      ["check 1-check-0 10000 USD to account DE02 for Salary"],
      "checked"
    ],
    [
      "is an inquiry after an earlier attempt to pay",
      { ...unknown, existing: { "1-pay-0": Rail.declined } },
      ["inquire 1-pay-0"],
      "declined"
    ],
    [
      "is an inquiry for a late refusal after a confirmed payment",
      { ...posted, existing: { "1-pay-0": Rail.declined } },
      ["inquire 1-pay-0"],
      "bounced"
    ],
    ["is not sent if the recipient is missing", { order: order("paying"), request: pay, payout: null }, [], "failed"],
    [
      "is not sent if the recipient cannot be decrypted",
      {
        order: order("paying"),
        request: pay,
        payout: { ...recipient, encryptedDestination: ScriptedServices.bytesOf("gone") }
      },
      [],
      "failed"
    ]
  ]
  it.effect.each(cases)("%s", ([, setup, requests, state]) =>
    Effect.gen(function* () {
      const done = yield* runJob(setup)
      assert.deepStrictEqual([done.requests, done.state], [[...requests], state])
    })
  )

  it.effect("is not sent if it is one for the bank, which is a defect", () =>
    Effect.gen(function* () {
      const { requests, exit } = yield* runJob({ order: order("paying"), request: { ...pay, action: "sale" } })
      assert(Exit.isFailure(exit))
      assert.include(Cause.pretty(exit.cause), "is not for the payout rail")
      assert.deepStrictEqual(requests, [])
    })
  )

  it.effect("is no payment before a second approver agrees where the endpoint requires one", () =>
    Effect.gen(function* () {
      const setup = { order: order("checking"), request: check }
      const { state } = yield* runJob({ ...setup, endpoint: ScriptedServices.endpoint({ payoutApproval: true }) })
      assert.strictEqual(state, "checked")
    })
  )
})
