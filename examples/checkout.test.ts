/**
 * Tests a shop's checkout with Vitest, against a whole gateway in the same process. Every `Sandbox.layer()` is a new gateway.
 * It needs no port and no file, and you start nothing. The security code of the card decides the bank's answer.
 */
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import { CardSale } from "@pay/flows/CardPayment"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { Effect, Layer, Redacted } from "effect"
import { expect, test } from "vitest"

/** The shop's checkout. */
const checkout = (clientOrderId: string, cvv2: string) =>
  CardSale.execute({
    clientOrderId,
    orderDesc: "Two tickets",
    amount: "42.00",
    currency: "USD",
    creditCardNumber: Redacted.make("4444555566661111"),
    ...{ cardPrintedName: "ADA LOVELACE", expireMonth: 12, expireYear: 2035, cvv2: Redacted.make(cvv2) },
    ...{ address1: "1 St James's Square", city: "London", zipCode: "SW1Y 4JH", country: "GB" },
    ...{ email: "ada@example.com", ipAddress: "203.0.113.7", serverCallbackUrl: "http://shop.test/callback" }
  }).pipe(Effect.as("paid"), Effect.catchTags({ Declined: ({ reason }) => Effect.succeed(reason) }))

/** Runs a test in its own gateway, whose callbacks wake the flows. */
const inSandbox = <A, E>(program: Effect.Effect<A, E, Layer.Success<typeof world>>) =>
  Effect.runPromise(Effect.provide(program, world))

const world = Layer.effectDiscard(
  Effect.flatMap(CallbackInbox.make({ keys: Sandbox.keys }), ({ receive }) => Sandbox.deliverTo(receive))
).pipe(Layer.provideMerge(Layer.mergeAll(Sandbox.layer(), CustomerBrowser.layerNone, FlowEngine.layerMemory)))

test.each([
  ["123", "paid"],
  ["116", "Not sufficient funds"]
])("with the security code %s, the customer reads: %s", (cvv2, outcome) =>
  inSandbox(Effect.map(checkout("INV-1", cvv2), (shown) => expect(shown).toBe(outcome)))
)

test("a lost answer does not charge the card twice", () =>
  inSandbox(
    Effect.gen(function* () {
      const network = yield* Sandbox.SimulatedNetwork
      yield* network.next("answerLost", { path: "/api/v2/sale" })
      expect(yield* checkout("INV-1", "123")).toBe("paid")
      expect((yield* Sandbox.reconciliation).findings).toEqual([])
    })
  ))
