/** A payout in two steps: the recipient is checked, somebody decides, then it is paid, exactly once. */
import * as Flow from "@pay/flows/Flow"
import { CheckPayOut, PayChecked } from "@pay/flows/PayOut"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { Console, Effect, Redacted } from "effect"

const recipients = [
  { invoice: "CLAIM-1", account_number: "DE89370400440532013000" },
  { invoice: "CLAIM-2", account_number: "GB82WEST12345698765432" }
]

/** Whatever the merchant wants to look at before money leaves. */
const decide = ({ clientOrderId }: { readonly clientOrderId: string }) => Effect.succeed(clientOrderId === "CLAIM-1")

const payClaim = Effect.fn(function* (invoice: string, account_number: string) {
  const claim = {
    client_orderid: invoice,
    amount: "25.00",
    currency: "USD",
    account_number: Redacted.make(account_number)
  }
  const checked = yield* Flow.run(CheckPayOut, claim)
  yield* Console.log(`${invoice}: ${checked.orderStage}`)
  if (!(yield* decide(checked))) return yield* Console.log(`${invoice}: not paid, the check lapses by itself`)
  const paid = yield* Flow.run(PayChecked, { client_orderid: invoice, orderid: checked.orderId })
  yield* Console.log(`${invoice}: ${paid.status}`)
})

const program = Effect.forEach(recipients, ({ account_number, invoice }) => payClaim(invoice, account_number), {
  discard: true
}).pipe(Effect.catchTag("Declined", ({ message }) => Console.log(message)))

await Effect.runPromise(Effect.provide(program, Sandbox.layer()))
