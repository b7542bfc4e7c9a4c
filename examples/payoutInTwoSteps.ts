/**
 * A payout in two steps. The first step checks the recipient and holds the amount. A person decides. The second step pays,
 * exactly once. Without the second step the check lapses, and the amount is available again.
 */
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import { FlowEngine } from "@pay/flows/FlowEngine"
import { CheckPayOut, PayChecked } from "@pay/flows/PayOut"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { Console, Effect, Layer, Redacted } from "effect"

const serverCallbackUrl = "http://shop.test/callback"

const claims = [
  { clientOrderId: "CLAIM-1", accountNumber: Redacted.make("DE89370400440532013000") },
  { clientOrderId: "CLAIM-2", accountNumber: Redacted.make("GB82WEST12345698765432") },
  { clientOrderId: "CLAIM-3", accountNumber: Redacted.make("DE00000000000000000000") }
]

/** The merchant's own decision before money is paid out. */
const decide = ({ clientOrderId }: { readonly clientOrderId: string }) => Effect.succeed(clientOrderId === "CLAIM-1")

const pay = Effect.fn(
  function* (claim: (typeof claims)[number]) {
    const payout = { ...claim, amount: "25.00", currency: "USD", serverCallbackUrl }
    const checked = yield* CheckPayOut.execute(payout)
    if (!(yield* decide(checked))) return "checked, not paid"
    const paid = yield* PayChecked.execute({ clientOrderId: claim.clientOrderId, orderId: checked.orderId })
    return paid.status
  },
  Effect.catchTags({
    Declined: ({ reason }) => Effect.succeed(reason),
    PayloadInvalid: ({ message }) => Effect.succeed(message)
  })
)

const program = Effect.gen(function* () {
  // A callback wakes the flow that waits for it.
  const inbox = yield* CallbackInbox.make({ keys: { controlKeys: [Redacted.make(Sandbox.merchant.controlKey)] } })
  yield* Sandbox.deliverTo(inbox.receive)
  const report = (claim: (typeof claims)[number]) =>
    Effect.tap(pay(claim), (result) => Console.log(`${claim.clientOrderId}: ${result}`))
  return yield* Effect.forEach(claims, report, { concurrency: "unbounded" })
})

const results = await Effect.runPromise(Effect.provide(program, Layer.merge(Sandbox.layer(), FlowEngine.layerMemory)))
if (results[0] !== "approved" || results[1] !== "checked, not paid") throw new Error(`unexpected: ${results.join()}`)
