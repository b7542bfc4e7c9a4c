/** The back office captures, releases and refunds. An action is recorded before anything is sent, and is carried out once. */
import { Capture, Refund, Void } from "@pay/flows/OrderAction"
import * as RecordedFlow from "@pay/flows/RecordedFlow"
import * as Money from "@pay/schema/Money"
import { Effect, Result, Schema } from "effect"
import { price, readAmount } from "../checkout/Catalogue.ts"
import * as OrderPages from "../orders/OrderPages.ts"
import * as Orders from "../orders/Orders.ts"
import { Settings } from "../Settings.ts"
import * as Subscriptions from "../subscriptions/Subscriptions.ts"
import { form, html, type Input, Problem } from "../web/Page.ts"
import * as Routes from "../web/Routes.ts"
import texts from "./texts.json" with { type: "json" }

type Kind = Orders.Action["kind"]

const actionChange = (order: Orders.Order, name: string | undefined, changes: Partial<Orders.Action>) => ({
  actions: order.actions.map((action) => (action.name === name ? { ...action, ...changes } : action))
})

const record = ({ clientOrderId, name }: { readonly clientOrderId: string; readonly name?: string }, end: Orders.End) =>
  Orders.change(clientOrderId, (order) => {
    if (Result.isSuccess(end))
      return { ...Orders.changesByEnd(order, end), ...actionChange(order, name, { status: "done" }) }
    const status = Orders.uncertainty(end.failure) ?? "refused"
    return actionChange(order, name, { status, reason: Orders.reasonOf(end.failure) })
  })

export const capture = RecordedFlow.make(Capture, record)
export const refund = RecordedFlow.make(Refund, record)
export const release = RecordedFlow.make(Void, record)

/**
 * Returns the amounts that can still be captured or released of an authorization, and refunded of a payment, in minor units.
 * Actions under way and actions with an unclear outcome count as done.
 */
const amountsLeft = (order: Orders.Order): Readonly<Record<Kind, number>> => {
  const { actions, amountMinor, capturedMinor, released, returnedMinor, status } = order
  if (status !== "approved") return { capture: 0, release: 0, refund: 0 }
  const open = (kind: Kind) =>
    actions
      .filter((action) => action.kind === kind && action.status !== "done" && action.status !== "refused")
      .reduce((sum, action) => sum + action.amountMinor, 0)
  const remaining = released || open("release") > 0 ? 0 : amountMinor - capturedMinor - open("capture")
  return {
    capture: capturedMinor > 0 && returnedMinor === capturedMinor ? 0 : remaining,
    // While a capture is under way, the amount that remains to be released is not certain.
    release: open("capture") > 0 ? 0 : remaining,
    refund: capturedMinor - returnedMinor - open("refund")
  }
}

/** Returns the amount of the posted form in minor units, or the reason why the order does not allow it. */
const amountOf = (order: Orders.Order, kind: Kind, typed: string): Result.Result<number, string> => {
  const leftMinor = amountsLeft(order)[kind]
  if (leftMinor <= 0) return Result.fail(texts.nothingLeft)
  if (kind === "release") return Result.succeed(leftMinor)
  return readAmount(typed, order.currency).pipe(
    Result.mapError(({ says }) => `The amount ${says}.`),
    Result.filterOrFail(
      (amountMinor) => amountMinor <= leftMinor,
      () => `At most ${price(leftMinor, order.currency)} is left.`
    )
  )
}

/**
 * Returns the order's actions with a new action added, if its amount is not more than is left. A form that is submitted again
 * reopens an action with an unclear outcome, so that the gateway is asked again. Returns `undefined` for no change.
 */
const changesByForm = (order: Orders.Order, { action: name = "", amount = "", kind }: Routes.Form) => {
  const action = order.actions.find((action) => action.name === name)
  if (action !== undefined) {
    return action.status === "unclear" ? actionChange(order, name, { status: "open", reason: undefined }) : undefined
  }
  if (!Schema.is(Orders.Kind)(kind)) return undefined
  const amountMinor = amountOf(order, kind, amount)
  if (Result.isFailure(amountMinor)) return undefined
  return { actions: [...order.actions, { name, kind, amountMinor: amountMinor.success, status: "open" as const }] }
}

const send = Effect.fnUntraced(function* (order: Orders.Order, { amountMinor, kind, name }: Orders.Action) {
  const { currency, gatewayId: orderId = "", id, way } = order
  const { endpoints } = yield* Settings
  const whole = { clientOrderId: id, orderId, name, endpointId: endpoints[way] }
  const part = { ...whole, amount: Money.fromMinor(amountMinor, currency), currency }
  if (kind === "capture") yield* capture.start(part)
  else if (kind === "release") yield* release.start(whole)
  else yield* refund.start({ ...part, comment: "requested by the customer" })
}, Effect.orDie)

/** Sends the recorded actions that are open when the shop starts. An action that is under way is not started again. */
export const resume = Effect.gen(function* () {
  for (const order of yield* Orders.pending) {
    for (const action of order.actions) if (action.status === "open") yield* send(order, action)
  }
})

/** The form of an action. The form contains the action's name, so that submitting it twice performs one action. */
const actionForm = (orderId: string, name: string, kind: Kind, button: string, inputs: ReadonlyArray<Input> = []) =>
  form({ action: `/office/order/${orderId}`, hidden: { kind, action: name }, button, inputs })

/** A form that was not carried out: it is shown again with the typed amount and the reason. */
interface RefusedForm {
  readonly kind: Kind
  readonly name: string
  readonly amount: string
  readonly error: string
}

const newActionForm = Effect.fnUntraced(function* (order: Orders.Order, kind: Kind, refused?: RefusedForm) {
  const { currency, id } = order
  const again = refused?.kind === kind ? refused : undefined
  const name = again?.name ?? (yield* Routes.newId)
  const label = texts.kinds[kind]
  const leftMinor = amountsLeft(order)[kind]
  if (leftMinor <= 0) return undefined
  if (kind === "release") return actionForm(id, name, kind, `${label} ${price(leftMinor, currency)}`)
  const value = again?.amount ?? Money.fromMinor(leftMinor, currency)
  const input = { name: "amount", label: `${label} (${currency})`, inputmode: "decimal", value, error: again?.error }
  return actionForm(id, name, kind, label, [input])
})

const orderItem = Effect.fnUntraced(function* (order: Orders.Order, refused?: RefusedForm) {
  const { actions, amountMinor, capturedMinor, currency, id, reason, recurringId = "", returnedMinor } = order
  const subscription = yield* Subscriptions.find(recurringId)
  const forms = yield* Effect.forEach(Orders.Kind.literals, (kind) => newActionForm(order, kind, refused))
  const sum = (label: string, minor: number) => minor > 0 && html`<p>${label} ${price(minor, currency)}</p>`
  return html`<li>${OrderPages.summary(order, `/office/order/${id}`)} <p>${price(amountMinor, currency)}, order ${id}</p>
    ${reason !== undefined && html`<p>${reason}</p>`}
    ${sum("Held", amountsLeft(order).capture)} ${sum("Charged", capturedMinor)} ${sum("Refunded", returnedMinor)}
    ${subscription !== undefined && html`<p>Subscription ${subscription.id}: ${subscription.state}</p>`}
    ${actions.map(
      ({ amountMinor, kind, reason, status }) =>
        html`<p>${texts.kinds[kind]} ${price(amountMinor, currency)}: ${texts.statuses[status]} ${reason}</p>`
    )}
    ${forms} ${actions.map(
      ({ kind, name, status }) => status === "unclear" && actionForm(id, name, kind, `Ask again: ${texts.kinds[kind]}`)
    )}</li>`
})

const namedOrder = Routes.recordOfPath(Orders.find)

const isUnderWay = ({ actions }: Orders.Order) => actions.some(({ status }) => status === "open")

/** Returns the page of one order, after a refused form with the form and the reason. */
const orderPage = Effect.fnUntraced(function* (order: Orders.Order, refused?: RefusedForm) {
  return {
    title: refused === undefined ? "Order" : "Please check the amount",
    status: refused === undefined ? 200 : 422,
    refresh: refused === undefined && isUnderWay(order) ? "2" : undefined,
    main: html`${refused !== undefined && html`<p class="error" role="alert">Nothing was sent. ${refused.error}</p>`}
      <p><a href="/office">All orders</a></p>
      <ul class="rows">${yield* orderItem(order, refused)}</ul>`
  }
})

export const layer = Routes.officeLayer({
  "GET /office": Effect.gen(function* () {
    const orders = yield* Orders.latest
    return {
      title: "Back office",
      refresh: orders.some(isUnderWay) ? "2" : undefined,
      main: html`<p><a href="/office/payouts">Suppliers</a></p>
        <ul class="rows">${yield* Effect.forEach(orders, (order) => orderItem(order))}</ul>`
    }
  }),

  "GET /office/order/:id": Effect.flatMap(namedOrder, (order) => orderPage(order)),

  /** Records the action, then sends it. A form that the order does not allow is shown again. */
  "POST /office/order/:id": Effect.gen(function* () {
    const values = yield* Routes.formValues
    if (!Routes.isId(values.action)) return yield* new Problem({ why: "incomplete" })
    const { id } = yield* namedOrder
    const isOpen = yield* Orders.change(id, (order) => changesByForm(order, values))
    const order = yield* namedOrder
    const action = order.actions.find(({ name }) => name === values.action)
    const { action: name, amount = "", kind } = values
    if (action === undefined) {
      if (!Schema.is(Orders.Kind)(kind)) return yield* new Problem({ why: "incomplete" })
      const error = Result.match(amountOf(order, kind, amount), {
        onFailure: (why) => why,
        onSuccess: () => texts.changed
      })
      return yield* orderPage(order, { kind, name, amount, error })
    }
    if (isOpen) yield* send(order, action)
    return "/office" as const
  })
})
