/**
 * Tests a checkout and its waits with `@effect/vitest`. Under `it.effect`, flows wait on the clock of the test, so nine minutes at the
 * issuer take no time. The gateway of the sandbox keeps a clock of its own: move that with `Sandbox.advance`.
 */
import { assert, it } from "@effect/vitest"
import { CardSale } from "@pay/flows/CardPayment"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as ThreeDSControl from "@pay/sandbox/ThreeDSControl"
import { Clock, Effect, Fiber, Layer, Redacted, Schedule } from "effect"
import { TestClock } from "effect/testing"

/** The shop's checkout. If the gateway is not reachable, it waits one minute, then two, then four. */
const checkout = CardSale.execute({
  clientOrderId: "INV-1",
  orderDesc: "Two tickets",
  amount: "42.00",
  currency: "USD",
  creditCardNumber: Redacted.make("4444000022224444"),
  ...{ cardPrintedName: "ADA LOVELACE", expireMonth: 12, expireYear: 2035, cvv2: Redacted.make("123") },
  ...{ address1: "1 St James's Square", city: "London", zipCode: "SW1Y 4JH", country: "GB" },
  ...{ email: "ada@example.com", ipAddress: "203.0.113.7", redirectUrl: "https://shop.example/back" }
}).pipe(
  Effect.retry({ while: ({ retryable }) => retryable, schedule: Schedule.exponential("1 minute"), times: 3 }),
  Effect.map(({ status }) => status),
  Effect.catchTags({ NotAuthenticated: () => Effect.succeed("not confirmed") })
)

/** Moves the clock of the test until the fiber has ended. Returns its result, and the minutes that it has waited. */
const ended = <A, E>(fiber: Fiber.Fiber<A, E>) =>
  Effect.andThen(TestClock.adjust("5 seconds"), Sandbox.settled).pipe(
    Effect.repeat({ while: () => fiber.pollUnsafe() === undefined }),
    Effect.andThen(Effect.all([Fiber.join(fiber), Effect.map(Clock.currentTimeMillis, (ms) => ms / 60_000)]))
  )

const world = (customer: Layer.Layer<CustomerBrowser.CustomerBrowser, never, ThreeDSControl.ThreeDSControl>) =>
  Layer.merge(customer, FlowEngine.layerMemory).pipe(
    Layer.provideMerge(Sandbox.layer({ endpointId: Sandbox.endpoints.threedsMerchant }))
  )

it.effect("a customer may take nine minutes to confirm", () => {
  const slow = (visit: CustomerBrowser.Visit) =>
    Effect.delay(ThreeDSControl.customer("pass")(visit), visit.nextAction._tag === "Challenge" ? "9 minutes" : 0)
  return Effect.gen(function* () {
    const [status, minutes] = yield* ended(yield* Effect.forkChild(checkout))
    assert.deepStrictEqual([status, minutes >= 9], ["approved", true])
  }).pipe(Effect.provide(world(CustomerBrowser.layerTest(slow))))
})

it.effect("a gateway that is not reachable is called again after a minute", () =>
  Effect.gen(function* () {
    const network = yield* Sandbox.SimulatedNetwork
    yield* network.refuseNext(3)
    const [status, minutes] = yield* ended(yield* Effect.forkChild(checkout))
    assert.deepStrictEqual([status, minutes >= 1, yield* network.unmet], ["approved", true, 0])
  }).pipe(Effect.provide(world(CustomerBrowser.layerTest(ThreeDSControl.customer("pass")))))
)
