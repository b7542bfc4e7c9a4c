/** The merchants of the drill: shops on `@pay/client` that sell, and call again after an unknown outcome, as docs/merchants/client.md says. */
import { readFileSync } from "node:fs"
import { createServer } from "node:https"
import { type Client, type Order, Pay } from "@pay/client"
import * as Card from "@pay/schema/Card"
import * as Money from "@pay/schema/Money"
import { Effect, Fiber } from "effect"
import { listen } from "../../packages/schema/test/Loopback.ts"
import * as BankBooks from "./BankBooks.ts"
import * as Machine from "./Machine.ts"

/** What customers do. A refund gives back a part; a decline is one of the bank's; a hold is neither captured nor voided. */
export type Purpose = "sale" | "refund" | "capture" | "void" | "decline" | "hold"

const purposes: ReadonlyArray<Purpose> = ["sale", "refund", "capture", "void", "decline", "hold"]

/** Whether a payment of this purpose begins with an authorization. */
export const isHold = (purpose: Purpose): boolean => ["capture", "void", "hold"].includes(purpose)

export interface Sale {
  readonly clientOrderId: string
  readonly purpose: Purpose
  readonly amountMinor: number
  /** Calls of the client for it, those that were repeated included. */
  calls: number
  /** The order as its merchant saw it last, or the code of the error with which its payment ended. */
  order?: Order | undefined
  error?: string | undefined
  /** The message of this error. */
  reason?: string | undefined
  /** Whether capture, void or refund has succeeded. */
  isFollowedUp: boolean
  /** Each verified callback: the status that it reported. */
  readonly callbacks: Array<string>
}

export interface Shop {
  readonly login: Machine.Login
  readonly pay: Client
  readonly sales: Map<string, Sale>
  /** What its server answers to callbacks. */
  readonly server: { isDown: boolean; refused: number }
}

export const refundedMinor = 100
const pause = "1 second"
/** How long a shop waits for one call. Then it calls again with the same values. */
const patience = { timeoutMs: 10_000 }

const customer = {
  email: "ada@example.com",
  phone: "+12025550123",
  address1: "1 St James's Square",
  city: "London",
  zipCode: "SW1Y 4JH",
  country: "GB",
  ipAddress: "203.0.113.7"
}

let cards = 0

/** A card number that no other customer has: a card may pay only so often. */
const freshCard = (): string => {
  cards += 1
  const digits = `44445555${String(cards).padStart(7, "0")}`
  return [..."0123456789"].map((digit) => `${digits}${digit}`).find(Card.luhn) ?? ""
}

const payment = ({ amountMinor, clientOrderId, purpose }: Sale, callbackUrl: string) => ({
  clientOrderId,
  ...{ amount: Money.fromMinor(amountMinor, "USD"), currency: "USD", customer, serverCallbackUrl: callbackUrl },
  card: {
    ...{ number: freshCard(), expireMonth: 12, expireYear: 2035, holder: "ADA LOVELACE" },
    cvv: purpose === "decline" ? BankBooks.refusedCode : "123"
  }
})

type Payment = ReturnType<typeof payment>

/** Calls until the outcome is known: an error that is retryable says that the same call continues. */
const untilKnown = <A extends { readonly ok: boolean; readonly error?: { readonly retryable: boolean } | undefined }>(
  sale: Sale,
  call: () => Promise<A>
): Effect.Effect<A> =>
  Effect.gen(function* () {
    for (;;) {
      sale.calls += 1
      const result = yield* Effect.promise(call)
      if (result.ok || result.error?.retryable !== true) return result
      yield* Effect.sleep(pause)
    }
  })

const followUp = ({ pay }: Shop, sale: Sale, order: Order) => {
  switch (sale.purpose) {
    case "refund":
      return untilKnown(sale, () =>
        pay.refund(
          order,
          { name: "slip-1", amount: Money.fromMinor(refundedMinor, "USD"), reason: "returned" },
          patience
        )
      )
    case "capture":
      return untilKnown(sale, () => pay.capture(order, { name: "parcel-1" }, patience))
    case "void":
      return untilKnown(sale, () => pay.void(order, {}, patience))
    default:
      return undefined
  }
}

const buy = Effect.fnUntraced(function* (shop: Shop, sale: Sale, input: Payment) {
  const result = yield* untilKnown(sale, () =>
    isHold(sale.purpose) ? shop.pay.authorize(input, patience) : shop.pay.cardSale(input, patience)
  )
  if (!result.ok) {
    ;[sale.error, sale.reason] = [result.error.code, result.error.message]
    return
  }
  sale.order = result.order
  const next = followUp(shop, sale, result.order)
  if (next === undefined) return
  const done = yield* next
  if (done.ok) {
    sale.order = done.order
    sale.isFollowedUp = true
  } else [sale.error, sale.reason] = [done.error.code, done.error.message]
})

/** The server to which the gateways send callbacks. It takes those that are signed, and remembers their status. */
const serve = Effect.fnUntraced(function* (folder: string, { login, pay, sales, server }: Shop) {
  const path = Machine.paths(folder)
  const host = Machine.hosts.shops[login]
  const [cert, key] = [path.certificate(host), path.key(host)].map((each) => readFileSync(each))
  const listener = createServer({ cert, key }, (request, response) => {
    const isRight = () => {
      if (server.isDown) return false
      const { clientOrderId } = pay.callbacks.verify(request)
      const status = new URL(request.url ?? "", "https://shop").searchParams.get("status")
      sales.get(clientOrderId)?.callbacks.push(String(status))
      return true
    }
    try {
      response.writeHead(isRight() ? 200 : 503).end()
    } catch {
      server.refused += 1
      response.writeHead(403).end()
    }
  })
  return `https://${host}:${yield* listen(listener)}/callback`
})

export interface Merchants {
  readonly shops: ReadonlyArray<Shop>
  /** Customers arrive at every shop until the effect has ended; completes when each purchase has ended too, or after two minutes. */
  readonly sellDuring: <A, E>(name: string, work: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

export interface Account {
  readonly login: Machine.Login
  readonly controlKey: string
  readonly endpointId: string
}

/** How long payments may take to their end once an incident is over: the gateway's second inquiry comes after 35 s. */
const endWithin = "120 seconds"
/** How often a customer arrives at each shop. */
const arrival = "350 millis"

export const make = Effect.fnUntraced(function* (folder: string, baseUrl: string, accounts: ReadonlyArray<Account>) {
  const shops = accounts.map(({ controlKey, endpointId, login }): Shop => {
    const pay = Pay.client({ baseUrl, login, controlKey, endpointId })
    return { login, pay, sales: new Map(), server: { isDown: false, refused: 0 } }
  })
  const places = yield* Effect.forEach(shops, (shop) => Effect.map(serve(folder, shop), (url) => ({ shop, url })))

  const sellDuring: Merchants["sellDuring"] = (name, work) =>
    Effect.scoped(
      Effect.gen(function* () {
        let isOver = false
        const buyers: Array<Fiber.Fiber<void>> = []
        const arrivals = yield* Effect.forkScoped(
          Effect.gen(function* () {
            for (let n = 0; !isOver; n += 1) {
              for (const { shop, url } of places) {
                const purpose = purposes[n % purposes.length] ?? "sale"
                const clientOrderId = `${name}-${shop.login}-${n}`
                const sale: Sale = {
                  ...{ clientOrderId, purpose, amountMinor: 1000 + n, calls: 0 },
                  ...{ isFollowedUp: false, callbacks: [] }
                }
                shop.sales.set(clientOrderId, sale)
                buyers.push(yield* Effect.forkScoped(buy(shop, sale, payment(sale, url))))
              }
              yield* Effect.sleep(arrival)
            }
          })
        )
        const result = yield* work
        isOver = true
        yield* Fiber.join(arrivals)
        yield* Effect.timeoutOption(Effect.forEach(buyers, Fiber.join, { discard: true }), endWithin)
        return result
      })
    )
  const merchants: Merchants = { shops, sellDuring }
  return merchants
})

/** Forgets the sales of an incident that was judged. */
export const forget = ({ sales }: Shop): void => sales.clear()
