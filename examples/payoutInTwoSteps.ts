/**
 * A payout in two steps. The first step checks the recipient and holds the amount. A person decides. The second step pays,
 * exactly once. Without the second step the check lapses, and the amount is available again.
 */
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import { FlowEngine } from "@pay/flows/FlowEngine"
import { CheckPayOut, PayChecked } from "@pay/flows/PayOut"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { Effect, Layer, Redacted } from "effect"

/** The merchant's own decision before money is paid out. */
const isApproved = (clientOrderId: string) => Effect.succeed(clientOrderId === "CLAIM-1")

const pay = Effect.fn(
  function* (clientOrderId: string, iban: string) {
    const { orderId } = yield* CheckPayOut.execute({
      clientOrderId,
      accountNumber: Redacted.make(iban),
      amount: "25.00",
      currency: "USD",
      serverCallbackUrl: "http://shop.test/callback"
    })
    if (!(yield* isApproved(clientOrderId))) return "checked, not paid"
    const { status } = yield* PayChecked.execute({ clientOrderId, orderId })
    return status
  },
  Effect.catchTags({
    Declined: ({ reason }) => Effect.succeed(`not paid: ${reason}`),
    PayloadInvalid: ({ message }) => Effect.succeed(`correct the form: ${message}`)
  })
)

const program = Effect.gen(function* () {
  // A callback wakes the flow that waits for it. Without one, the flow asks every few seconds.
  const inbox = yield* CallbackInbox.make({ keys: Sandbox.keys })
  yield* Sandbox.deliverTo(inbox.receive)
  const claims = [
    pay("CLAIM-1", "DE89370400440532013000"),
    pay("CLAIM-2", "GB82WEST12345698765432"),
    pay("CLAIM-3", "DE00000000000000000000")
  ]
  return yield* Effect.all(claims, { concurrency: "unbounded" })
})

const results = await Effect.runPromise(Effect.provide(program, Layer.merge(Sandbox.layer(), FlowEngine.layerMemory)))
console.log(results.join("\n"))
if (results[0] !== "approved" || results[1] !== "checked, not paid") throw new Error(`unexpected: ${results.join()}`)
