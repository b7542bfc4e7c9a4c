/** Runs the three payments of `PaymentService.ts` against the sandbox, with an issuer, a bank and a payout rail. */

import { assert, describe, it } from "@effect/vitest"
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import { Effect, Layer, Redacted } from "effect"
import * as PaymentService from "../src/PaymentService.ts"

/** The customer at the issuer's pages, who passes or fails the challenge. */
const browser = (verdict: "pass" | "fail") =>
  Layer.effect(
    CustomerBrowser.CustomerBrowser,
    Effect.map(ThreeDSControl, (issuer) => ({
      send: ({ clientOrderId, nextAction, orderId }: CustomerBrowser.Visit) =>
        Effect.gen(function* () {
          if (nextAction._tag === "Method") {
            const threeDSMethodData = yield* issuer.method(orderId)
            yield* CustomerBrowser.cameBack(clientOrderId, { threeDSMethodData })
          }
          if (nextAction._tag === "Challenge") {
            const carried = yield* issuer.play(orderId, verdict)
            if (carried._tag === "CRes") yield* CustomerBrowser.cameBack(clientOrderId, { cres: carried.cres })
          }
        }).pipe(Effect.orDie)
    }))
  )

const world = (endpointId: string, verdict: "pass" | "fail" = "pass") =>
  Layer.mergeAll(browser(verdict), FlowEngine.layerMemory).pipe(Layer.provideMerge(Sandbox.layer({ endpointId })))

const { threedsMerchant, usd } = Sandbox.endpoints

/** The statuses of the callbacks that the shop has received. */
const callbacks = Effect.flatMap(Sandbox.Inbox, ({ arrived }) =>
  Effect.map(arrived, (all) => all.map(({ callback }) => callback.status))
)

describe("a sale with 3-D Secure", () => {
  it.live("charges once, also when it is called again", () =>
    Effect.gen(function* () {
      const first = yield* PaymentService.sell("INV-1", PaymentService.customer)
      assert.match(first, /^paid as order \d+$/)
      assert.strictEqual(yield* PaymentService.sell("INV-1", PaymentService.customer), first)
      yield* Sandbox.settled
      assert.deepStrictEqual(yield* callbacks, ["approved"])
      assert.deepStrictEqual((yield* Sandbox.reconciliation).findings, [])
    }).pipe(Effect.provide(world(threedsMerchant)))
  )
  it.live("reports a customer whom the issuer does not confirm", () =>
    Effect.gen(function* () {
      const result = yield* PaymentService.sell("INV-2", PaymentService.customer)
      assert.strictEqual(result, "the issuer did not confirm the customer")
    }).pipe(Effect.provide(world(threedsMerchant, "fail")))
  )
})

it.live("a payout is paid after its approval, held without it, and not paid to a closed account", () =>
  Effect.gen(function* () {
    // A callback wakes the flow that waits for it.
    const inbox = yield* CallbackInbox.make({ keys: { controlKeys: [Redacted.make(Sandbox.merchant.controlKey)] } })
    yield* Sandbox.deliverTo(inbox.receive)
    const payOut = (id: string, account: string, isApproved = true) =>
      PaymentService.payOut(id, Redacted.make(account), () => isApproved)
    const [paid, unapproved, closed, misspelt] = yield* Effect.all(
      [
        payOut("PAYOUT-1", "DE89370400440532013000"),
        payOut("PAYOUT-2", "DE89370400440532013000", false),
        payOut("PAYOUT-3", "DE62370400440532013001"),
        payOut("PAYOUT-4", "DE00000000000000000000")
      ],
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual([paid, unapproved], ["approved", "held"])
    assert.match(closed, /^not paid: /)
    assert.match(misspelt, /^correct the form: /)
  }).pipe(Effect.provide(world(usd)))
)

it.live("a subscription charges each month", () =>
  Effect.gen(function* () {
    const result = yield* PaymentService.subscribe("MEMBER-1", PaymentService.customer)
    assert.match(result, /^active, next charge on \d{4}-\d{2}-\d{2}$/)
    yield* Sandbox.advance("62 days")
    assert.deepStrictEqual(yield* callbacks, ["approved", "approved", "approved"])
  }).pipe(Effect.provide(world(usd)))
)
