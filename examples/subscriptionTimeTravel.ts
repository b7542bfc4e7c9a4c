/**
 * Half a year of a subscription. The sandbox's clock moves when you advance it, through every charge, retry and callback on the
 * way. Three more months are charged. Three are skipped, because the member has paused the subscription.
 */
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import { FlowEngine } from "@pay/flows/FlowEngine"
import { ChangeSubscription, Subscribe } from "@pay/flows/Subscription"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { Console, Effect, Layer, Redacted } from "effect"

/** Returns the statuses of the callbacks that the shop has received. */
const callbacks = Effect.gen(function* () {
  const inbox = yield* Sandbox.Inbox
  return (yield* inbox.arrived).map(({ callback }) => callback.status).join(", ")
})

const program = Effect.gen(function* () {
  const { order, recurringPaymentId } = yield* Subscribe.execute({
    clientOrderId: "MEMBER-1",
    amount: "9.99",
    currency: "USD",
    period: "monthly",
    interval: 1,
    creditCardNumber: Redacted.make("4444333322221111"),
    cardPrintedName: "JOHN SMITH",
    expireMonth: 12,
    expireYear: 2035,
    cvv2: Redacted.make("123"),
    address1: "1600 Main Street",
    city: "Los Angeles",
    zipCode: "90001",
    country: "US",
    state: "CA",
    email: "john.smith@gmail.com",
    ipAddress: "203.0.113.7",
    serverCallbackUrl: "http://shop.test/callback"
  })
  yield* Console.log(`the first month is ${order.status}`)
  yield* Sandbox.advance("93 days")
  yield* Console.log(`three months later: ${yield* callbacks}`)

  const change = { recurringPaymentId, name: "holiday", change: "pause" as const }
  const { status } = yield* ChangeSubscription.execute(change)
  yield* Sandbox.advance("93 days")
  yield* Console.log(`${status}, three months later: ${yield* callbacks}`)
  return yield* callbacks
})

const shown = await Effect.runPromise(
  Effect.provide(program, Layer.mergeAll(Sandbox.layer(), CustomerBrowser.layerNone, FlowEngine.layerMemory))
)
if (shown !== "approved, approved, approved, approved, skipped, skipped, skipped") throw new Error(`it was ${shown}`)
