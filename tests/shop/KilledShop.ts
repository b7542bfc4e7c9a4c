/** A shop that is killed and started again on its data, and what the bank has booked of its orders. */
import { assert } from "@effect/vitest"
import * as NodeServer from "@pay/gateway/NodeServer"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { PayClient } from "@pay/transport/PayClient"
import { Effect } from "effect"
import { freePort } from "../../packages/schema/test/Loopback.ts"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import type * as HostedPage from "../harness/HostedPage.ts"
import * as ShopProcess from "./ShopProcess.ts"

export const startShop = Effect.gen(function* () {
  const dataDirectory = yield* temporaryFolder
  const { publicBaseUrl: gateway } = yield* NodeServer.NodeServer
  const printed: Array<string> = []
  const port = String(yield* freePort)
  const restart = ShopProcess.open({ dataDirectory, gateway, port, printed })
  const first = yield* restart
  return { dataDirectory, printed, first, restart }
})

export const idOf = (path: string): string => path.split("/").at(-1) ?? ""

/** Returns the identifier that the gateway has given the order of this path. */
export const orderIdOf = Effect.fnUntraced(function* (path: string) {
  const client = yield* PayClient
  return (yield* client.status({ client_orderid: idOf(path) }))["paynet-order-id"]
})

/** Returns what the bank has done for the order, and checks all books. */
export const bankTotals = Effect.fnUntraced(function* (path: string) {
  const control = yield* SandboxControl
  yield* ClientMerchant.allIsWell
  return yield* control.books.totals(yield* orderIdOf(path))
})

export const isPaid = ({ title }: HostedPage.Page) => title.startsWith("Thank you")

const card = { way: "card", expiry: "11/31", cvv2: "123", cardPrintedName: "A" }
/** A card whose issuer requests nothing, and one whose issuer requests a password. */
export const cards = {
  frictionless: { ...card, creditCardNumber: "4444 0201 0000 0003" },
  challenge: { ...card, creditCardNumber: "4444 0000 1111 8888" }
} as const

/** Returns the way to pay with the card that the customer has stored last. */
export const storedCardWay = Effect.fnUntraced(function* (customer: ShopProcess.Customer) {
  const { body } = yield* customer.visit("/buy/can")
  const way = /value="(kept:[^"]+)"/.exec(body)?.[1]
  assert.isDefined(way)
  return way
})

/** Pays by card and stores the card. Returns the path of the order. */
export const buyAndStoreCard = Effect.fnUntraced(function* (
  customer: ShopProcess.Customer,
  card: Readonly<Record<string, string>> = cards.frictionless
) {
  const order = yield* customer.buy("can", card)
  yield* customer.until(order, isPaid)
  yield* customer.post(order, {}, `${order}/keep`)
  return order
})
