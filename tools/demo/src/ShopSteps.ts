/**
 * Uses the sample shop without a browser: a customer buys in every way, and the back office captures, releases, refunds and pays
 * out.
 */
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import * as PayClient from "@pay/transport/PayClient"
import { Effect } from "effect"
import type { Page, ShopVisit } from "./ShopVisit.ts"
import * as Visit from "./ShopVisit.ts"
import * as StepRunner from "./StepRunner.ts"
import { bold, green, red, row, say } from "./TerminalOutput.ts"

const details = {
  email: "ada@customer.example",
  phone: "+442079460000",
  address1: "12 St Jamess Square",
  city: "London",
  zipCode: "SW1Y 4JH",
  country: "GB"
}

/**
 * Card numbers of docs/merchants/test-cards.md: the issuer of `quiet` does not challenge the cardholder, the issuer of `asks` requests a
 * password.
 */
const cards = { quiet: "4444020100000003", asks: "4444000011118888" }

const holder = "Ada Lovelace"

/** An expiry that is four years ahead of the sandbox's time. */
const expiry = Effect.map(StepRunner.year, (year) => `12/${year + 4}`)

const isFinal = ({ refresh }: Page) => refresh === ""

/** Buys the product. Returns the path of the order's page, and the address at which the browser waits to be redirected. */
const buy = Effect.fnUntraced(function* (customer: ShopVisit, product: string, form: Readonly<Record<string, string>>) {
  const path = yield* customer.post(`/buy/${product}`, { ...details, ...form })
  const { refresh } = yield* customer.visit(path)
  return { order: path.replace(/\/go$/, ""), goUrl: refresh.replace("0; url=", "") }
})

const payOnHostedPage = Effect.fnUntraced(function* (customer: ShopVisit) {
  const { goUrl, order } = yield* buy(customer, "can", { way: "hosted" })
  const { location } = yield* customer.until(goUrl, ({ location }) => location !== "")
  yield* say(row("pays at", location))
  const card = { number: cards.quiet, expiry: yield* expiry, code: "123", holder, action: "pay" }
  const gateway = Visit.make(location)
  yield* gateway.post(location, card)
  return { order, ended: (yield* customer.until(order, isFinal)).title }
})

/** Pays with the shop's own card form: the browser goes to the issuer, and returns with the result of the challenge. */
const payByCard = Effect.fnUntraced(function* (customer: ShopVisit) {
  const card = { creditCardNumber: cards.asks, expiry: yield* expiry, cvv2: "123", cardPrintedName: holder }
  const { goUrl, order } = yield* buy(customer, "bench", { way: "card", ...card })
  yield* customer.until(goUrl, ({ hidden }) => hidden.creq !== undefined)
  const client = yield* PayClient.PayClient
  const { "paynet-order-id": orderid } = yield* client.status({ client_orderid: order.split("/").at(-1) ?? "" })
  const carried = yield* (yield* ThreeDSControl).play(orderid, "pass")
  yield* customer.visit(goUrl.replace("/go/", "/back/"), carried._tag === "CRes" ? { cres: carried.cres } : {})
  return { order, ended: (yield* customer.until(order, isFinal)).title }
})

/** Submits the form of this action for the order in the back office, and waits until the action has ended. */
const performAction = Effect.fnUntraced(function* (clerk: ShopVisit, order: string, kind: string, amount: string) {
  const { body, hidden } = yield* clerk.visit("/office")
  const form = body
    .split("</form>")
    .find((each) => each.includes(`action="/office${order}"`) && each.includes(`name="kind" value="${kind}">`))
  const action = /name="action" value="([^"]+)"/.exec(form ?? "")?.[1] ?? ""
  yield* clerk.visit(`/office${order}`, { ...hidden, kind, action, amount })
  // Only this order's row counts: an earlier run may have left a payment that is still under way.
  const name = order.slice("/order/".length)
  const rowOf = ({ body }: Page) => body.slice(body.indexOf(name)).split("<li>")[0] ?? ""
  yield* clerk.until("/office", (page) => !rowOf(page).includes(": under way"))
})

const subscribe = Effect.fnUntraced(function* (customer: ShopVisit, paid: string) {
  yield* customer.post(paid, {}, `${paid}/keep`)
  const way = /value="(kept:[^"]+)"/.exec((yield* customer.visit("/buy/seeds")).body)?.[1] ?? ""
  const { order } = yield* buy(customer, "seeds", { way })
  const { body } = yield* customer.until(order, isFinal)
  return (yield* customer.visit(/\/subscription\/\d+/.exec(body)?.[0] ?? order)).title
})

const paySupplier = Effect.fnUntraced(function* (clerk: ShopVisit) {
  const supplier = { supplier: "Willow and Sons", account: "DE89370400440532013000", amount: "25.00" }
  yield* clerk.post("/office/payouts", supplier)
  const { body, hidden } = yield* clerk.until("/office/payouts", isFinal)
  yield* clerk.visit(/\/office\/payouts\/[\w-]+\/confirm/.exec(body)?.[0] ?? "/office", hidden)
  const done = yield* clerk.until("/office/payouts", isFinal)
  return /<span class="sign">([^<]*)/.exec(done.body)?.[1] ?? ""
})

const steps = Effect.fnUntraced(function* (shop: string, password: string) {
  const wrong: Array<string> = []
  const check = (what: string, title: string, expected: string) => {
    const isRight = title === expected
    if (!isRight) wrong.push(`${what} in the shop: "${title}" instead of "${expected}"`)
    return say(row("page", `${isRight ? green("✓") : red("✗")} ${what}: ${title}`))
  }
  yield* say(bold("In the shop: each payment method, a capture, a release, a refund, a payout"), row("shop", shop))
  const customer = Visit.make(shop)
  const clerk = Visit.make(shop, { authorization: `Basic ${btoa(`office:${password}`)}` })

  const paid = yield* payOnHostedPage(customer)
  yield* check("a can, paid on the gateway's page", paid.ended, "Thank you, your order is paid")
  const placed = yield* payByCard(customer)
  yield* check("a bench, paid by card with a challenge", placed.ended, "Thank you, your order is placed")
  yield* performAction(clerk, placed.order, "capture", "200.00")
  yield* performAction(clerk, placed.order, "release", "")
  const charged = yield* customer.visit(placed.order)
  yield* check("a part captured, the rest released", charged.title, "We have charged $200.00")
  yield* performAction(clerk, placed.order, "refund", "50.00")
  yield* check("a part refunded", (yield* customer.visit(placed.order)).title, "$50.00 is on its way back")
  yield* check("a subscription", yield* subscribe(customer, paid.order), "Your subscription runs")
  yield* check("a payout to a supplier, checked and confirmed", yield* paySupplier(clerk), "Paid")
  return wrong
})

/** Runs all steps. Returns a message for each page that was not as expected. */
export const run = (shop: string, password: string) =>
  steps(shop, password).pipe(
    Effect.timeoutOrElse({
      duration: "60 seconds",
      orElse: () => Effect.succeed(["the shop: no result within a minute"])
    }),
    Effect.tap(() => say(""))
  )
