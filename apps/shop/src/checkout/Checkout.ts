/** From the filled-in form to a payment under way: the order is in the book before anything is sent. */
import { CallbackInbox } from "@pay/flows/CallbackInbox"
import { Durable } from "@pay/flows/durable"
import * as Money from "@pay/schema/Money"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect, Result } from "effect"
import { Wallet } from "../cards/Wallet.ts"
import type { Product } from "../catalogue/Catalogue.ts"
import { Orders } from "../orders/Orders.ts"
import { withoutCard } from "../payments/Booked.ts"
import * as Payments from "../payments/Payments.ts"
import { Settings } from "../Settings.ts"
import { type Form, isId, Problem } from "../web/Visitor.ts"
import { type Buyer, browserOf, cardOf, contactOf, expiredOf, flawsOf } from "./CheckoutForm.ts"

const { CREATE_RP_V4, PREAUTH, PREAUTHFORM, REBILL, SALE, SALEFORM } = PayApi.operations

type Fields = Readonly<Record<string, string>>
type Problems = ReadonlyArray<{ readonly field: string }>

/** On the gateway's page: what begins the payment, or what is wrong with the fields. So are the next ones. */
const onItsPage = ({ charged }: Product, fields: Fields, endpointId: string) =>
  Result.map((charged === "sale" ? SALEFORM : PREAUTHFORM).decodeFields(fields), (request) =>
    Effect.flatMap(Durable, ({ start }) =>
      charged === "sale"
        ? start(Payments.hosted.sale, { ...request, endpointId })
        : start(Payments.hosted.reserve, { ...request, endpointId })
    )
  )

/** With the card of the shop's own form. */
const byCard = ({ charged }: Product, fields: Fields, endpointId: string) =>
  Result.map((charged === "sale" ? SALE : PREAUTH).decodeFields(fields), (request) => {
    const { "destination-card-no": _, ...payload } = { ...request, endpointId }
    return Effect.flatMap(Durable, ({ start }) =>
      charged === "sale" ? start(Payments.byCard.sale, payload) : start(Payments.byCard.reserve, payload)
    )
  })

/** Once, with a card that is kept. */
const withKept = (fields: Fields, endpointId: string) =>
  Result.map(REBILL.decodeFields(fields), (request) => {
    const { login: _, ...payload } = { ...request, endpointId }
    return Effect.flatMap(Durable, ({ start }) => start(Payments.kept.sale, payload))
  })

const everyMonth = { period: "monthly", interval: "1" }

/** Every month, with a card that is kept. */
const monthly = (fields: Fields, endpointId: string) =>
  Result.map(CREATE_RP_V4.decodeFields({ ...fields, ...everyMonth }), (request) =>
    Effect.flatMap(Durable, ({ start }) => start(Payments.kept.monthly, withoutCard({ ...request, endpointId })))
  )

/** Every month, with the card of the shop's own form; the gateway takes one without its code, the shop does not. */
const monthlyByCard = (fields: Fields, endpointId: string) => {
  const missing: Problems = fields.cvv2 === undefined ? [{ field: "cvv2" }] : []
  return CREATE_RP_V4.decodeFields({ ...fields, ...everyMonth }).pipe(
    Result.mapError((problems): Problems => [...problems, ...missing]),
    Result.filterOrFail(
      () => missing.length === 0,
      () => missing
    ),
    Result.map((request) => {
      const { login: _, ...payload } = { ...request, endpointId }
      return Effect.flatMap(Durable, ({ start }) => start(Payments.byCard.monthly, payload))
    })
  )
}

/** Places the order, or says what is wrong with the form. The same order placed twice is one. */
export const place = Effect.fn("Checkout.place")(
  function* (product: Product, form: Form, buyer: Buyer) {
    const { endpoints, login, publicUrl } = yield* Settings
    const orders = yield* Orders
    const { order: id } = form
    if (!isId(id)) return yield* new Problem({ status: 400, says: "This form is not complete." })
    const before = yield* orders.find(id)
    if (before !== undefined) {
      return before.visitor === buyer.visitor ? {} : yield* new Problem({ status: 403, says: "This is another order." })
    }

    const { amountMinor, charged, currency } = product
    const fields = {
      client_orderid: id,
      order_desc: product.title,
      amount: Money.fromMinor(amountMinor, currency),
      currency,
      ...contactOf(form),
      ipaddress: buyer.ipAddress,
      redirect_url: `${publicUrl}/order/${id}/back`,
      server_callback_url: `${publicUrl}/callback`
    }
    const way = form.way === "card" || form.way === "hosted" ? form.way : "kept"
    const cards = yield* (yield* Wallet).of(buyer.visitor)
    const card = cards.find(({ ref }) => form.way === `kept:${ref}`)
    const mayBe = { sale: true, reserve: way !== "kept", monthly: way !== "hosted" }
    if (!mayBe[charged] || (way === "kept" && card === undefined)) return { way: "Choose how you want to pay." }

    const endpointId = endpoints[way]
    const kept = { ...fields, login, cardrefid: card?.ref ?? "" }
    const own = { ...fields, ...cardOf(form) }
    const payments = {
      hosted: () => onItsPage(product, fields, endpointId),
      card: () =>
        charged === "monthly"
          ? monthlyByCard({ ...own, login }, endpointId)
          : byCard(product, { ...own, ...browserOf(form, buyer) }, endpointId),
      kept: () => (charged === "monthly" ? monthly(kept, endpointId) : withKept(kept, endpointId))
    }
    const expired = way === "card" ? expiredOf(form, yield* Clock.currentTimeMillis) : {}
    const payment = payments[way]()
    if (Result.isFailure(payment)) return { ...expired, ...flawsOf(payment.failure) }
    if (Object.keys(expired).length > 0) return expired

    const { visitor } = buyer
    // False: the same form came twice at once, and the other one begins the payment.
    if (!(yield* orders.add({ id, visitor, product: product.id, amountMinor, currency, way }))) return {}
    yield* (yield* CallbackInbox).expect({ clientOrderId: id, endpointId })
    yield* payment.success
    return {}
  },
  Effect.catchTags({
    CallbackStoreError: Effect.die,
    PayloadDiffers: Effect.die,
    PayloadInvalid: Effect.die,
    SqliteError: Effect.die,
    CommitUnknown: Effect.die
  })
)

/**
 * After a start: an order that was written down, but whose payment was not begun when the process ended, has failed: nothing
 * of it was sent.
 */
export const goOn = Effect.gen(function* () {
  const orders = yield* Orders
  for (const { id } of yield* orders.open) {
    if (yield* Payments.isBegun(id)) continue
    yield* orders.conclude(id, { status: "failed", reason: "the shop was stopped before the payment began" })
  }
})
