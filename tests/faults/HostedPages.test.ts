/**
 * A customer at a hosted page, whose first card is declined and whose second pays: once for every write on the way and
 * every way in which it can go wrong. Whoever sees the form again sends it again; the card pays once.
 */
import { assert } from "@effect/vitest"
import { OrderRequest } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as HostedPage from "../harness/HostedPage.ts"
import { Inbox } from "../harness/InboxInMemory.ts"
import * as World from "../harness/World.ts"
import * as EveryWrite from "./EveryWrite.ts"
import * as Pages from "./Pages.ts"

/** Looks at the page; where it is the card form, sends the card of that attempt, twice at once. */
const customer = Effect.fnUntraced(function* (token: string) {
  const page = yield* Pages.ask(token)
  const { attempts } = page.hidden
  if (page.action !== undefined || attempts === undefined) return
  const form = { ...HostedPage.goodCard, attempts, code: attempts === "0" ? "116" : "123" }
  yield* Effect.all([Pages.ask(token, form), Pages.ask(token, form)], { concurrency: "unbounded" })
})

const scenario = Effect.gen(function* () {
  const fields = {
    ...Sample.request(PayApi.operations.SALEFORM),
    client_orderid: "page",
    server_callback_url: "http://shop.example/callback"
  }
  const order = yield* Effect.retry(ClientMerchant.send("SALEFORM", fields), { times: 2 })
  const token = yield* Pages.tokenOf(order.orderid)
  for (let visits = 0; visits < 4; visits += 1) {
    yield* customer(token)
    yield* World.pass("5 minutes")
  }
  return order
})

const paidOnce = Effect.fnUntraced(function* (order: ClientMerchant.Asked) {
  const store = yield* Store
  const { arrived } = yield* Inbox
  assert.deepInclude(yield* ClientMerchant.status(order), { status: "approved", "captured-amount": "10.42" })
  assert.deepStrictEqual(yield* ClientMerchant.booked(order), ["sale 1042"])
  const atBank = (yield* ClientMerchant.atBank(order)).map((booking) => booking.replace(/ again \d+$/, ""))
  assert.deepStrictEqual(atBank, ["authorize 1042 Declined", "authorize 1042 Approved"])
  const rows = yield* store.find(OrderRequest, "order", { equals: [order.orderid], limit: 10 })
  const attempts = rows.filter(({ operation }) => operation === "HOSTED_ATTEMPT").map(({ progress }) => progress)
  assert.deepStrictEqual(attempts, ["declined", "approved"])
  assert.deepStrictEqual([...new Set(arrived.map(({ parameters }) => parameters.status))], ["approved"])
  yield* ClientMerchant.allIsWell
})

/** Six writes: the page, the start and the answer of two attempts, the callback. */
EveryWrite.suite("a customer at a hosted page", 6, Effect.flatMap(scenario, paidOnce))
