/** A shop that is killed and opened again where it was, and what the bank knows of it afterwards. */
import { assert } from "@effect/vitest"
import * as NodeServer from "@pay/gateway/NodeServer"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { PayClient } from "@pay/transport/PayClient"
import { Effect } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import type * as HostedPage from "../harness/HostedPage.ts"
import { freePort } from "../harness/Loopback.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as ShopProcess from "./ShopProcess.ts"

export const lives = Effect.gen(function* () {
  const dataDirectory = yield* TestGateway.folder
  const { publicBaseUrl: gateway } = yield* NodeServer.NodeServer
  const printed: Array<string> = []
  const port = String(yield* freePort)
  const again = ShopProcess.open({ dataDirectory, gateway, port, printed })
  const first = yield* again
  return { dataDirectory, printed, first, again }
})

export const idOf = (path: string): string => path.split("/").at(-1) ?? ""

/** The gateway's number of the order of a page. */
export const orderIdOf = Effect.fnUntraced(function* (path: string) {
  const client = yield* PayClient
  return (yield* client.status({ client_orderid: idOf(path) }))["paynet-order-id"]
})

/** What the bank has done for the order, and that no book has anything wrong in it. */
export const booked = Effect.fnUntraced(function* (path: string) {
  const control = yield* SandboxControl
  yield* ClientMerchant.allIsWell
  return yield* control.books.totals(yield* orderIdOf(path))
})

export const isPaid = ({ title }: HostedPage.Page) => title.startsWith("Thank you")

/** Its bank asks nothing; and one whose bank asks for the password. */
export const cards = {
  quiet: {
    way: "card",
    creditCardNumber: "4444 0201 0000 0003",
    expiry: "11/31",
    cvv2: "123",
    cardPrintedName: "A"
  },
  request: {
    way: "card",
    creditCardNumber: "4444 0000 1111 8888",
    expiry: "11/31",
    cvv2: "123",
    cardPrintedName: "A"
  }
} as const

/** The way to pay with the latest card that the customer keeps. */
export const keptWay = Effect.fnUntraced(function* (customer: ShopProcess.Customer) {
  const { body } = yield* customer.visit("/buy/can")
  const way = /value="(kept:[^"]+)"/.exec(body)?.[1]
  assert.isDefined(way)
  return way
})

/** Pays by card and keeps it. */
export const keeps = Effect.fnUntraced(function* (
  customer: ShopProcess.Customer,
  card: Readonly<Record<string, string>> = cards.quiet
) {
  const order = yield* customer.buy("can", card)
  yield* customer.until(order, isPaid)
  yield* customer.post(order, {}, `${order}/keep`)
  return order
})
