/** Tiny shops as processes: each is started by its template, on a free port. */
import { join } from "node:path"
import { Context, Effect, Layer } from "effect"
import type { Case, Order } from "../src/plan/Payment.ts"
import { Shop } from "../src/shop/Shop.ts"
import * as ShopLive from "../src/shop/ShopLive.ts"
import * as Template from "../src/template/Template.ts"

export const folder = join(import.meta.dirname, "shops")

export const gateway: ShopLive.Gateway = {
  url: "http://127.0.0.1:1",
  login: "merchant",
  controlKey: "key",
  endpointId: "1001",
  privateKeyFile: "/key.pem"
}

export const buyWithoutFailure = {
  request: "POST /orders/{order}",
  body: { amount: "{amount}" },
  paid: { json: "state", is: "paid" }
}

const template = {
  url: "http://127.0.0.1:{port}",
  start: "30 seconds",
  answer: "2 seconds",
  buy: { ...buyWithoutFailure, failed: { json: "state", is: "declined" } },
  ask: {
    request: "GET /orders/{order}",
    paid: { json: "state", is: "paid" },
    unpaid: { json: "state", is: ["declined", "new"] },
    shipped: { json: "shipped", is: true }
  }
}

export const node = (script: string, ...args: ReadonlyArray<string>): ReadonlyArray<string> => [
  process.execPath,
  join(folder, script),
  ...args
]

type Changes = Readonly<Record<string, unknown>>

const made = (gateway: ShopLive.Gateway, changes: Changes, command: ReadonlyArray<string>) =>
  Layer.unwrap(
    Effect.map(Template.fromValue({ ...template, ...changes }), (read) =>
      ShopLive.layer({ template: read, command, folder, gateway })
    )
  )

const plain = node("shop.mjs", "{port}")

/** A shop with this template and this command, which does not run yet. */
export const stopped = (changes: Changes = {}, command = plain) => made(gateway, changes, command)

const running = <E, R>(shop: Layer.Layer<Shop, E, R>) =>
  Layer.tap(shop, (services) => Context.get(services, Shop).start)

/** A shop that runs. */
export const layer = (changes: Changes = {}, command = plain) => running(stopped(changes, command))

/** A shop that runs at a gateway. */
export const at = (gateway: ShopLive.Gateway, changes: Changes, command: ReadonlyArray<string>) =>
  running(made(gateway, changes, command))

let latest = 0

export const order = (name: string, changes: Partial<Case> = {}): Order => {
  latest += 1
  return {
    name,
    amountMinor: 1000 + latest,
    currency: "USD",
    case: { number: latest, action: "buy", faults: [], killedAt: 0, ...changes }
  }
}
