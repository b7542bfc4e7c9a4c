/**
 * A payout in two steps: the recipient is checked and the money set aside, somebody decides, then it is paid, exactly
 * once. Without the second step the check lapses by itself and the money is free again.
 */
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import * as Flow from "@pay/flows/Flow"
import { CheckPayOut, PayChecked } from "@pay/flows/PayOut"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { Console, Effect, Redacted } from "effect"

const serverCallbackUrl = "http://shop.test/told"

const claims = [
  { clientOrderId: "CLAIM-1", accountNumber: Redacted.make("DE89370400440532013000") },
  { clientOrderId: "CLAIM-2", accountNumber: Redacted.make("GB82WEST12345698765432") },
  { clientOrderId: "CLAIM-3", accountNumber: Redacted.make("DE00000000000000000000") }
]

/** Whatever the merchant wants to look at before money leaves. */
const decide = ({ clientOrderId }: { readonly clientOrderId: string }) => Effect.succeed(clientOrderId === "CLAIM-1")

const pay = Effect.fn(
  function* (claim: (typeof claims)[number]) {
    const payout = { ...claim, amount: "25.00", currency: "USD", serverCallbackUrl }
    const checked = yield* Flow.run(CheckPayOut, payout)
    if (!(yield* decide(checked))) return "checked, not paid"
    const paid = yield* Flow.run(PayChecked, { clientOrderId: claim.clientOrderId, orderId: checked.orderId })
    return paid.status
  },
  Effect.catchTags({
    Declined: ({ reason }) => Effect.succeed(reason),
    Refused: ({ reason }) => Effect.succeed(reason)
  })
)

const program = Effect.gen(function* () {
  // Callbacks wake what waits for them.
  const inbox = yield* CallbackInbox.make({ keys: { controlKeys: [Redacted.make(Sandbox.merchant.controlKey)] } })
  yield* Sandbox.deliverTo(inbox.receive)
  const statusOf = (claim: (typeof claims)[number]) =>
    Effect.tap(pay(claim), (end) => Console.log(`${claim.clientOrderId}: ${end}`))
  return yield* Effect.forEach(claims, statusOf, { concurrency: "unbounded" })
})

const ends = await Effect.runPromise(Effect.provide(program, Sandbox.layer()))
if (ends[0] !== "approved" || ends[1] !== "checked, not paid") throw new Error(`they ended ${ends.join()}`)
