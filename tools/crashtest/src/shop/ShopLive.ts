/** Drives a shop as its template says: starts it, buys, refunds, asks. */
import { randomUUID } from "node:crypto"
import * as Money from "@pay/schema/Money"
import { Effect, Layer, Scope } from "effect"
import type { Action, Answer, Order, ShopReport } from "../plan/Payment.ts"
import * as FreePort from "../process/FreePort.ts"
import * as Matching from "../template/Matching.ts"
import * as Substitution from "../template/Substitution.ts"
import * as Template from "../template/Template.ts"
import * as TemplateSchema from "../template/TemplateSchema.ts"
import * as CardNumbers from "./CardNumbers.ts"
import * as Chromium from "./Chromium.ts"
import * as Leaks from "./Leaks.ts"
import * as Press from "./Press.ts"
import { Shop, ShopFailed, type Tell } from "./Shop.ts"
import * as ShopProcess from "./ShopProcess.ts"
import type * as ShopRequests from "./ShopRequests.ts"

/** What the shop needs to know of its gateway. */
export interface Gateway {
  readonly url: string
  readonly login: string
  readonly controlKey: string
  readonly endpointId: string
  readonly privateKeyFile: string
}

export interface Options {
  readonly template: Template.Template
  readonly command: ReadonlyArray<string>
  /** The folder in which the command is run, and from which its files are named. */
  readonly folder: string
  readonly gateway: Gateway
}

/** An account that the sandbox pays out to. */
const account = "DE89370400440532013000"
const expiry = { expireMonth: "12", expireYear: "2040" }
const defaults = { startMs: 60_000, answerMs: 30_000, patienceMs: 5000, card: "4444555566661111", cvv2: "123" }

const millis = (text: string | undefined, fallback: number): number =>
  (text === undefined ? undefined : TemplateSchema.milliseconds(text)) ?? fallback

/** The variables of the shop: those of the toolkit, the address of the shop itself, and its own names for them. */
const environment = ({ gateway, template }: Options, url: URL) => {
  const port = String(url.port || (url.protocol === "https:" ? 443 : 80))
  const values = { ...gateway, port, shop: url.origin }
  const own = Object.entries(template.env ?? {}).map(
    ([name, text]) => [name, Substitution.inText(text, values)] as const
  )
  return {
    values,
    env: {
      PAY_BASE_URL: gateway.url,
      PAY_LOGIN: gateway.login,
      PAY_CONTROL_KEY: gateway.controlKey,
      PAY_ENDPOINT_ID: gateway.endpointId,
      PAY_PRIVATE_KEY_FILE: gateway.privateKeyFile,
      SHOP_URL: url.origin,
      PORT: port,
      ...Object.fromEntries(own)
    }
  }
}

const actionsOf = (template: Template.Template): ReadonlyArray<Action> =>
  (["buy", "refund", "subscribe", "payout"] as const).filter((action) => template[action] !== undefined)

const make = Effect.fnUntraced(function* (options: Options) {
  const { folder, template } = options
  const { card = defaults.card, cvv2 = defaults.cvv2 } = template
  const url = new URL(template.url.replaceAll("{port}", String(yield* FreePort.find)))
  const { env, values: run } = environment(options, url)
  const cardData = {
    numbers: [card],
    beside: [cvv2, ...CardNumbers.expiries(expiry.expireMonth, expiry.expireYear)]
  }
  const shop = yield* ShopProcess.make({
    command: options.command.map((word) => Substitution.inText(word, run)),
    place: { folder, env },
    url,
    ready: template.ready ?? "/",
    startMs: millis(template.start, defaults.startMs),
    cardData,
    id: randomUUID()
  })
  const leaks = Leaks.make({ folder, files: template.files ?? [], cardData })

  /** The shop's own numbers of orders, by their names. */
  const numbers = new Map<string, string>()
  const sees = ({ case: { action }, name }: Order, { text, url: at }: ShopRequests.Answer) => {
    const pattern = action === "subscribe" ? template.subscribe?.number : template.buy?.number
    if (pattern === undefined || numbers.has(name)) return
    const number = Matching.group(pattern, `${at}\n${text}`)
    if (number !== undefined) numbers.set(name, number)
  }

  const valuesOf = ({ amountMinor, currency, name }: Order): Substitution.Values => ({
    ...(numbers.has(name) && { number: numbers.get(name) ?? "" }),
    order: name,
    amount: Money.fromMinor(amountMinor, currency),
    amountMinor: String(amountMinor),
    currency,
    card,
    cvv2,
    ...expiry,
    account,
    shop: url.origin
  })

  const scope = yield* Effect.scope
  const browser = yield* Effect.cached(Scope.provide(Chromium.start(randomUUID()), scope))
  const hasSteps = [template.buy, template.subscribe].some((each) => Array.isArray(each?.customer))
  const openBrowser = Effect.mapError(browser, ({ message }) => new ShopFailed({ message, output: "" }))

  const press = Press.make({
    browser,
    sees,
    shop,
    url,
    card: { number: card, cvv2, ...expiry },
    cardData,
    answerMs: millis(template.answer, defaults.answerMs)
  })

  const cannot = Effect.succeed<Answer>("open")

  const refundMinor = ({ amountMinor }: Order) => Template.refundMinor(template) ?? amountMinor
  const refund = (order: Order, tell: Tell) => {
    if (template.refund === undefined) return cannot
    const values = valuesOf({ ...order, amountMinor: refundMinor(order) })
    return press.untilKnown(template.refund, order, values, tell)
  }

  const ask = Effect.fnUntraced(function* (order: Order) {
    const { action } = order.case
    const payout = action === "payout"
    const question = (payout ? template.payout?.ask : undefined) ?? template.ask
    if (question === undefined) return { paid: "open" } satisfies ShopReport
    // An order whose number the shop has never shown is known to nobody.
    if (Substitution.names(question, "number") && !numbers.has(order.name)) return neverShown
    const reply = yield* press.once(question, valuesOf(order), order)
    if (reply._tag !== "Reply" || !Matching.isCalm(reply.reply)) return { paid: "open" } satisfies ShopReport
    return report(question, reply.reply, payout)
  })

  return Shop.of({
    actions: actionsOf(template),
    hasVisits: template.buy?.customer === "pages",
    patienceMs: millis(template.patience, defaults.patienceMs),
    start: hasSteps ? Effect.andThen(openBrowser, shop.start) : shop.start,
    kill: shop.kill,
    isAlive: shop.isAlive,
    output: shop.lastLines,
    buy: (order, tell) =>
      template.buy === undefined ? cannot : press.untilKnown(template.buy, order, valuesOf(order), tell),
    subscribe: (order, tell) =>
      template.subscribe === undefined ? cannot : press.untilKnown(template.subscribe, order, valuesOf(order), tell),
    refundMinor,
    refund,
    payOut: (order, tell) =>
      template.payout === undefined ? cannot : press.untilKnown(template.payout, order, valuesOf(order), tell),
    ask,
    leaks: Effect.map(leaks, (inFiles) => [...shop.output.leaks.map((line) => ({ place: "output", line })), ...inFiles])
  })
})

/** Answers that say that there is no such order. */
const unknownOrder: ReadonlySet<number | undefined> = new Set([404, 410])

/** What is known of an order without the number that the shop gives it. */
const neverShown: ShopReport = { paid: "no" }

/** What the shop's answer to a question says. */
const report = (ask: TemplateSchema.Ask, reply: Matching.Reply, payout: boolean): ShopReport => {
  const says = (matcher: TemplateSchema.Matcher | undefined) =>
    matcher !== undefined && Matching.matches(matcher, reply)
  const isPaid = says(ask.paid)
  const isUnpaid = ask.unpaid === undefined ? !isPaid : says(ask.unpaid) || unknownOrder.has(reply.status)
  return {
    paid: isPaid === isUnpaid ? "open" : isPaid ? "yes" : "no",
    ...(ask.shipped === undefined ? {} : { shipped: says(ask.shipped) }),
    ...(ask.refunded === undefined ? {} : { refunded: says(ask.refunded) }),
    ...(ask.unrefunded === undefined ? {} : { unrefunded: says(ask.unrefunded) }),
    ...(payout ? { paidOut: ask.paidOut === undefined ? isPaid : says(ask.paidOut) } : {})
  }
}

/** The shop that the command starts. It runs until the scope of the layer closes. */
export const layer = (options: Options): Layer.Layer<Shop> => Layer.effect(Shop, make(options))
