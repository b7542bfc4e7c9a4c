/** Paying a supplier in two steps: the account is checked and the money set aside; paid is what somebody has confirmed. */
import { CallbackInbox } from "@pay/flows/CallbackInbox"
import { Durable } from "@pay/flows/durable"
import * as Money from "@pay/schema/Money"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Option, Result } from "effect"
import * as Payments from "../payments/Payments.ts"
import { Settings } from "../Settings.ts"
import { type Form, isId, Problem } from "../web/Visitor.ts"
import { type Payout, Payouts } from "./Payouts.ts"

const { PAYOUT_V4_CHECK } = PayApi.operations
const currency = "USD"

const storage = {
  PayloadDiffers: Effect.die,
  PayloadInvalid: Effect.die,
  SqliteError: Effect.die,
  CommitUnknown: Effect.die
}

export const check = Effect.fn("Suppliers.check")(
  function* (form: Form) {
    const { account = "", amount = "", payout: id, supplier = "" } = form
    const { endpoints, login, publicUrl } = yield* Settings
    const { start } = yield* Durable
    const { add } = yield* Payouts
    const name = supplier.trim()
    const request = PAYOUT_V4_CHECK.decodeFields({
      login,
      client_orderid: id ?? "",
      amount: amount.trim(),
      currency,
      order_desc: name,
      account_name: name,
      account_number: account.replace(/\s/g, ""),
      server_callback_url: `${publicUrl}/callback`
    })
    if (Result.isFailure(request) || !isId(id)) {
      return yield* new Problem({
        status: 400,
        says: "Give a supplier, an account (an IBAN, as it is on the invoice) and an amount like 25.00."
      })
    }
    const amountMinor = Result.getOrElse(Money.toMinor(request.success.amount, currency), () => 0)
    const { login: _, ...payload } = { ...request.success, endpointId: endpoints.kept }
    const { expect } = yield* CallbackInbox
    if (!(yield* add({ id, supplier: name, amountMinor, currency }))) return
    yield* expect({ clientOrderId: id, endpointId: endpoints.kept })
    yield* start(Payments.payout.check, payload)
  },
  Effect.catchTags({ CallbackStoreError: Effect.die, ...storage })
)

export const confirm = Effect.fn("Suppliers.confirm")(function* ({ gatewayId, id }: Payout) {
  if (gatewayId === null) return
  const { endpoints } = yield* Settings
  const { again } = yield* Durable
  const { confirm } = yield* Payouts
  if (!(yield* confirm(id))) return
  yield* again(Payments.payout.pay, { client_orderid: id, orderid: gatewayId, endpointId: endpoints.kept })
}, Effect.catchTags(storage))

/** After a start: what was written down but not begun is as it was before. */
export const goOn = Effect.gen(function* () {
  const payouts = yield* Payouts
  const { result } = yield* Durable
  for (const { id, status } of yield* payouts.open) {
    if (status === "checking" && !(yield* Effect.isSuccess(result(Payments.payout.check, id)))) {
      yield* payouts.conclude(id, "refused", "the shop was stopped before it began")
    }
    if (status !== "paying") continue
    const standing = yield* Effect.option(result(Payments.payout.pay, `${id}/pay`))
    if (Option.isNone(standing)) yield* payouts.conclude(id, "checked")
    else if (standing.value._tag === "Failed") yield* payouts.conclude(id, "unclear")
  }
})
