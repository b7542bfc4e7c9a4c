/** The back office, behind the password of the shop's people; shut where none was given. */
import { createHash, timingSafeEqual } from "node:crypto"
import { Effect, Redacted } from "effect"
import { HttpServerResponse } from "effect/http"
import { Orders } from "../orders/Orders.ts"
import * as PayoutPages from "../payout/PayoutPages.ts"
import { Payouts } from "../payout/Payouts.ts"
import * as Suppliers from "../payout/Suppliers.ts"
import { Settings } from "../Settings.ts"
import { Subscriptions } from "../subscription/Subscriptions.ts"
import * as Layout from "../web/Layout.ts"
import * as Routes from "../web/Routes.ts"
import { missing, newId } from "../web/Visitor.ts"
import { Actions } from "./Actions.ts"
import * as Office from "./Office.ts"
import * as OfficePages from "./OfficePages.ts"

const digest = (text: string) => createHash("sha256").update(text).digest()

/** HTTP Basic (RFC 7617); the name does not matter. */
const knows = (password: Redacted.Redacted<string>, authorization = ""): boolean => {
  const [scheme, credentials = ""] = authorization.split(" ")
  const given = Buffer.from(credentials, "base64")
    .toString("utf8")
    .replace(/^[^:]*:/, "")
  return scheme === "Basic" && timingSafeEqual(digest(given), digest(Redacted.value(password)))
}

const closed = HttpServerResponse.text("The back office is for the people of the shop.", {
  status: 401,
  headers: { "www-authenticate": 'Basic realm="Foxglove back office", charset="UTF-8"', "cache-control": "no-store" }
})

const guarded = ({ handler, ...route }: Routes.Route): Routes.Route => ({
  ...route,
  handler: (page) =>
    Effect.flatMap(Settings, ({ officePassword }) => {
      if (officePassword === undefined) return Effect.fail(missing)
      return knows(officePassword, page.request.headers.authorization) ? handler(page) : Effect.succeed(closed)
    })
})

const rows = Effect.gen(function* () {
  const { of } = yield* Actions
  const { begunWith } = yield* Subscriptions
  const { latest } = yield* Orders
  return yield* Effect.forEach(yield* latest, (order) =>
    Effect.gen(function* () {
      const names = { capture: yield* newId, release: yield* newId, refund: yield* newId }
      return { order, actions: yield* of(order.id), subscription: yield* begunWith(order.id), names }
    })
  )
})

const routes = [
  Routes.get(
    "/office",
    Effect.fnUntraced(function* ({ visitor }) {
      return Layout.render(OfficePages.orders(yield* rows, visitor.token))
    })
  ),
  Routes.get(
    "/office/state",
    Effect.fnUntraced(function* () {
      return Routes.state(OfficePages.stateOf(yield* rows))
    })
  ),
  Routes.post(
    "/office/order/:id",
    Effect.fnUntraced(function* ({ part, visitor }) {
      yield* Office.act(part("id"), yield* visitor.form)
      return Routes.goTo("/office")
    })
  ),
  Routes.get(
    "/office/payouts",
    Effect.fnUntraced(function* ({ visitor }) {
      const { latest } = yield* Payouts
      return Layout.render(PayoutPages.page(yield* latest, yield* newId, visitor.token))
    })
  ),
  Routes.get(
    "/office/payouts/state",
    Effect.fnUntraced(function* () {
      const { latest } = yield* Payouts
      return Routes.state(PayoutPages.stateOf(yield* latest))
    })
  ),
  Routes.post(
    "/office/payouts",
    Effect.fnUntraced(function* ({ visitor }) {
      yield* Suppliers.check(yield* visitor.form)
      return Routes.goTo("/office/payouts")
    })
  ),
  Routes.post(
    "/office/payouts/:id/confirm",
    Effect.fnUntraced(function* ({ part, visitor }) {
      yield* visitor.form
      const payout = yield* Effect.flatMap(Payouts, ({ find }) => find(part("id")))
      if (payout === undefined) return yield* missing
      yield* Suppliers.confirm(payout)
      return Routes.goTo("/office/payouts")
    })
  )
]

/** None is forgotten. */
export const layer = Routes.layer(routes.map(guarded))
