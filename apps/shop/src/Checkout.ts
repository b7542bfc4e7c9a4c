/** From the filled-in form to a payment under way: the order is in the book before anything is sent. */

import { CallbackInbox } from "@pay/flows/CallbackInbox"
import { Durable } from "@pay/flows/durable"
import * as Money from "@pay/schema/Money"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Result } from "effect"
import { withoutCard } from "./Booked.ts"
import type { Product } from "./Catalogue.ts"
import { Orders } from "./Orders.ts"
import * as Payments from "./Payments.ts"
import { Settings } from "./Settings.ts"
import { type Form, isId, Problem } from "./Visitor.ts"
import { Wallet } from "./Wallet.ts"

const { CREATE_RP_V4, PREAUTH, PREAUTHFORM, REBILL, SALE, SALEFORM } = PayApi.operations

export interface Buyer {
  readonly visitor: string
  readonly ipAddress: string
  /** Of the browser, for 3-D Secure. */
  readonly accept: string
  readonly userAgent: string
}

/** Fields of the form that are wrong, with what to do about each. */
export type Flaws = Readonly<Record<string, string>>

const contactFields = ["email", "phone", "address1", "city", "zip_code", "country"] as const

const says: Readonly<Record<string, string>> = {
  card_printed_name: "Enter the name as it is on the card.",
  credit_card_number: "This is not a card number. Please check the digits.",
  expiry: "Enter month and year, as on the card: 12/30.",
  cvv2: "Enter the three or four digits from the back of the card.",
  email: "Enter your e-mail address.",
  phone: "Enter your phone number, with digits only.",
  address1: "Enter street and house number.",
  city: "Enter your town or city.",
  zip_code: "Enter your postcode.",
  country: "Choose your country."
}

const flawsOf = (problems: ReadonlyArray<{ readonly field: string }>): Flaws =>
  Object.fromEntries(
    problems.map(({ field }) => {
      const name = field.startsWith("expire_") ? "expiry" : field
      return [name, says[name] ?? "This cannot be used."]
    })
  )

const given = (form: Form, names: ReadonlyArray<string>) =>
  Object.fromEntries(names.flatMap((name) => (form[name]?.trim() ? [[name, form[name].trim()]] : [])))

/** The card as typed: spaces in the number, `12/30` or `12 / 2030`. */
const cardOf = (form: Form) => {
  const [, month = "", year = ""] = /^\s*(\d{1,2})\s*\/?\s*(\d{4}|\d{2})\s*$/.exec(form.expiry ?? "") ?? []
  return {
    ...given(form, ["card_printed_name", "cvv2"]),
    credit_card_number: (form.credit_card_number ?? "").replace(/[\s-]/g, ""),
    expire_month: month,
    expire_year: year
  }
}

const browserOf = (form: Form, { accept, userAgent }: Buyer) => ({
  customer_browser_info: "true",
  customer_browser_accept_header: accept,
  customer_browser_user_agent: userAgent,
  customer_browser_javascript_enabled: form.colorDepth === undefined ? "false" : "true",
  customer_browser_java_enabled: "false",
  customer_browser_accept_language: "en",
  ...Object.fromEntries(
    Object.entries({
      customer_browser_color_depth: form.colorDepth,
      customer_browser_screen_height: form.screenHeight,
      customer_browser_screen_width: form.screenWidth,
      customer_browser_time_zone: form.timeZone
    }).filter(([, value]) => value !== undefined && value !== "")
  )
})

/** Places the order, or says what is wrong with the form. The same order placed twice is one. */
export const place = Effect.fn("Checkout.place")(
  function* (product: Product, form: Form, buyer: Buyer) {
    const { endpoints, login, publicUrl } = yield* Settings
    const orders = yield* Orders
    const durable = yield* Durable
    const { order: id } = form
    if (!isId(id)) return yield* new Problem({ status: 400, says: "This form is not complete." })
    const before = yield* orders.find(id)
    if (before !== undefined) {
      return before.visitor === buyer.visitor ? {} : yield* new Problem({ status: 403, says: "This is another order." })
    }

    const way = form.way === "card" || form.way === "hosted" ? form.way : "kept"
    const { amountMinor, charged, currency } = product
    const texts = {
      client_orderid: id,
      order_desc: product.title,
      amount: Money.fromMinor(amountMinor, currency),
      currency,
      ...given(form, contactFields),
      ipaddress: buyer.ipAddress,
      redirect_url: `${publicUrl}/order/${id}/back`,
      server_callback_url: `${publicUrl}/callback`
    }
    const isSale = charged === "sale"
    const cards = yield* Effect.flatMap(Wallet, ({ of }) => of(buyer.visitor))
    const card = cards.find(({ ref }) => form.way === `kept:${ref}`)
    if (
      (way === "kept") !== (card !== undefined) ||
      (charged === "monthly" && way !== "kept") ||
      (charged === "reserve" && way === "kept")
    ) {
      return { way: "Choose how you want to pay." }
    }
    /** False: the same form came twice at once, and the other one begins the payment. */
    const remember = Effect.tap(
      orders.add({ id, visitor: buyer.visitor, product: product.id, amountMinor, currency, way }),
      Effect.flatMap(CallbackInbox, (inbox) => inbox.expect({ clientOrderId: id, endpointId: endpoints[way] }))
    )
    if (way === "hosted") {
      const request = (isSale ? SALEFORM : PREAUTHFORM).decodeFields(texts)
      if (Result.isFailure(request)) return flawsOf(request.failure)
      const payload = { ...request.success, endpointId: endpoints.hosted }
      const { reserve, sale } = Payments.hosted
      if (yield* remember) yield* isSale ? durable.start(sale, payload) : durable.start(reserve, payload)
    } else if (card !== undefined) {
      const wanted = { ...texts, login, cardrefid: card.ref }
      if (isSale) {
        const request = REBILL.decodeFields(wanted)
        if (Result.isFailure(request)) return flawsOf(request.failure)
        const { login: _, ...payload } = { ...request.success, endpointId: endpoints.kept }
        if (yield* remember) yield* durable.start(Payments.kept.sale, payload)
      } else {
        const request = CREATE_RP_V4.decodeFields({ ...wanted, period: "monthly", interval: "1" })
        if (Result.isFailure(request)) return flawsOf(request.failure)
        const payload = withoutCard({ ...request.success, endpointId: endpoints.kept })
        if (yield* remember) yield* durable.start(Payments.kept.monthly, payload)
      }
    } else {
      const request = (isSale ? SALE : PREAUTH).decodeFields({ ...texts, ...cardOf(form), ...browserOf(form, buyer) })
      if (Result.isFailure(request)) return flawsOf(request.failure)
      const { "destination-card-no": _, ...payload } = { ...request.success, endpointId: endpoints.card }
      const { reserve, sale } = Payments.byCard
      if (yield* remember) yield* isSale ? durable.start(sale, payload) : durable.start(reserve, payload)
    }
    return {}
  },
  Effect.catchTags({
    CallbackStoreError: Effect.die,
    PayloadDiffers: Effect.die,
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
