/**
 * Payouts to suppliers in two steps: the gateway checks the account and reserves the money, then a person confirms the payment.
 * No record contains an account number: only the flow has it, encrypted.
 */
import { CheckPayOut, PayChecked } from "@pay/flows/PayOut"
import * as RecordedFlow from "@pay/flows/RecordedFlow"
import * as Money from "@pay/schema/Money"
import { Effect, Redacted, Result, Schema } from "effect"
import { price, readAmount } from "../checkout/Catalogue.ts"
import * as FlowStart from "../FlowStart.ts"
import * as Orders from "../orders/Orders.ts"
import * as Records from "../Records.ts"
import { Settings } from "../Settings.ts"
import { form, html, Problem } from "../web/Page.ts"
import * as Routes from "../web/Routes.ts"
import texts from "./texts.json" with { type: "json" }

const Payout = Schema.Struct({
  ...Records.fields,
  supplier: Schema.String,
  amountMinor: Schema.Int,
  currency: Schema.String,
  /**
   * `checked`: the money is reserved, and a person has to confirm. `unclear`: the gateway can be asked again for the outcome.
   * `unresolved`: a person has to ask the gateway's support.
   */
  status: Schema.Literals(["checking", "checked", "paying", "unclear", "unresolved", "paid", "refused"]),
  gatewayId: Schema.optional(Schema.String),
  reason: Schema.optional(Schema.String)
})
type Payout = typeof Payout.Type

const { add, change, find, latest, pending } = Records.repository(
  "payout",
  Payout,
  ({ status }) => status === "checking" || status === "paying"
)

export { change, find }

/** Returns the fields that a callback changes. An unconfirmed payout can expire, and a paid one can be returned later. */
export const changesBy = ({ status }: Payout, isApproved: boolean, reason: string): Partial<Payout> | undefined => {
  if (isApproved) return { status: "paid", reason: undefined }
  return status === "checking" || status === "paying" ? undefined : { status: "refused", reason }
}

export const checkPayout = RecordedFlow.make(CheckPayOut, ({ clientOrderId }, end) =>
  change(clientOrderId, () =>
    Result.isSuccess(end)
      ? { status: "checked", gatewayId: end.success.orderId, reason: undefined }
      : { status: "refused", reason: Orders.reasonOf(end.failure) }
  )
)

export const payChecked = RecordedFlow.make(PayChecked, ({ clientOrderId }, end) =>
  change(clientOrderId, () => {
    if (Result.isSuccess(end)) return { status: "paid", reason: undefined }
    const status = Orders.uncertainty(end.failure) ?? (end.failure.retryable ? "checked" : "refused")
    return { status, reason: Orders.reasonOf(end.failure) }
  })
)

const currency = "USD"

const pay = Effect.fnUntraced(function* ({ gatewayId = "", id }: Payout) {
  const { endpoints } = yield* Settings
  yield* Effect.orDie(payChecked.start({ clientOrderId: id, orderId: gatewayId, endpointId: endpoints.kept }))
})

/** Pays confirmed payouts when the shop starts. A check that was not sent fails: no record contains the account number. */
export const resume = Effect.gen(function* () {
  for (const payout of yield* pending) {
    if (payout.status === "paying") yield* pay(payout)
    else if (!(yield* FlowStart.isStarted(checkPayout, payout.id))) {
      yield* change(payout.id, () => ({ status: "refused", reason: "the shop was stopped before the check was sent" }))
    }
  }
})

const payoutItem = ({ amountMinor, currency, id, reason, status, supplier }: Payout) => {
  const amount = price(amountMinor, currency)
  const confirm = (button: string) => form({ action: `/office/payouts/${id}/confirm`, button })
  return html`<li>${supplier} <span class="sign">${texts.signs[status]}</span>
    <p>${amount}</p> ${reason !== undefined && html`<p>${reason}</p>`}
    ${status === "checked" && confirm(`Pay ${supplier} ${amount}`)} ${status === "unclear" && confirm("Ask again")}</li>`
}

const path = "/office/payouts" as const

/** Returns the page of the payouts. After a refused form, it shows the form with the typed values and what to correct. */
const page = Effect.fnUntraced(function* (values: Routes.Form = {}, wrong: ReadonlyArray<string> = []) {
  const payouts = yield* latest
  const isUnderWay = payouts.some(({ status }) => status === "checking" || status === "paying")
  const inputs = texts.inputs.map(({ remedy, ...input }) => ({
    ...input,
    value: values[input.name],
    error: wrong.includes(input.name) ? remedy : undefined
  }))
  const hidden = { payout: Routes.isId(values.payout) ? values.payout : yield* Routes.newId }
  return {
    title: "Suppliers",
    status: wrong.length > 0 ? 422 : 200,
    refresh: isUnderWay && wrong.length === 0 ? "2" : undefined,
    main: html`<p><a href="/office">Orders</a></p>
      ${wrong.length > 0 && html`<p class="error" role="alert">Nothing was sent.</p>`}
      ${form({ action: path, hidden, inputs, button: "Check" })}
      <ul class="rows">${payouts.map(payoutItem)}</ul>`
  }
})

/** The fields of the form by the fields of the flow. Other fields of the flow describe the account. */
const formFields: Readonly<Record<string, string>> = {
  orderDesc: "supplier",
  accountName: "supplier",
  amount: "amount"
}

export const layer = Routes.officeLayer({
  "GET /office/payouts": Effect.suspend(() => page()),

  "POST /office/payouts": Effect.gen(function* () {
    const values = yield* Routes.formValues
    const { account = "", amount = "", payout: id, supplier = "" } = values
    if (!Routes.isId(id)) return yield* new Problem({ why: "incomplete" })
    const amountMinor = Result.getOrElse(readAmount(amount, currency), () => 0)
    const { endpoints, publicUrl } = yield* Settings
    const start = FlowStart.prepare(checkPayout, {
      endpointId: endpoints.kept,
      clientOrderId: id,
      amount: Money.fromMinor(amountMinor, currency),
      currency,
      orderDesc: supplier,
      accountName: supplier,
      accountNumber: Redacted.make(account.trim()),
      serverCallbackUrl: `${publicUrl}/callback`
    })
    const nameless = supplier.trim() === "" ? ["supplier"] : []
    if (Result.isFailure(start) || nameless.length > 0) {
      const problems = Result.isFailure(start) ? start.failure : []
      return yield* page(values, [...nameless, ...problems.map(({ field }) => formFields[field] ?? "account")])
    }
    const payout = { id, owner: "shop", supplier: supplier.trim(), amountMinor, currency }
    if (yield* add({ ...payout, status: "checking" })) yield* start.success
    return path
  }),

  /** Pays a checked payout, or requests an unclear outcome again. */
  "POST /office/payouts/:id/confirm": Effect.gen(function* () {
    yield* Routes.formValues
    const payout = yield* Routes.recordOfPath(find)
    const isConfirmed = yield* change(payout.id, ({ status }) =>
      status === "checked" || status === "unclear" ? { status: "paying", reason: undefined } : undefined
    )
    if (isConfirmed) yield* pay(payout)
    return path
  })
})
