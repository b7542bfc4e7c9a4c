/** The customers and clerks of a shop, who do not give up: a queue that repeats orders, and browsers that return. */
import * as CustomerInput from "@pay/sandbox/CustomerInput"
import { Effect, Random, Schema } from "effect"
import * as Credentials from "../harness/Credentials.ts"
import * as HostedPage from "../harness/HostedPage.ts"
import * as Http from "../harness/Http.ts"
import type { Kind } from "./KillPoints.ts"
import type { Shop } from "./Shop.ts"

/** What the shop is sent for each kind, in its own names. */
export interface Forms {
  readonly sale: (amount: string, endpointId: string) => object
  readonly payer: object
}

const Booking = Schema.Struct({
  id: Schema.String,
  orderId: Schema.optionalKey(Schema.String),
  minor: Schema.optionalKey(Schema.Int),
  outcome: Schema.String
})

const challenged = { endpointId: Credentials.endpoints.threedsMerchant }
const between = "100 millis"

/** Repeats what fails because the shop or the gateway is down. */
const untilUp = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.catchCause(() => Effect.andThen(Effect.sleep(between), Effect.fail("down" as const))),
    Effect.eventually
  )

const json = { "content-type": "application/json" }

/** Posts an order until the shop acknowledges it. */
const deliver = (shop: Shop, path: string, fields: object) =>
  Effect.gen(function* () {
    for (;;) {
      const { status, text } = yield* untilUp(
        Http.send(`${shop.url}${path}`, { headers: json, body: JSON.stringify(fields) })
      )
      if (status === 200) return text
      if (status !== 503) {
        const lines = shop.lines.slice(-50).join("\n")
        return yield* Effect.die(new Error(`${path} was answered ${status}: ${text}\n${lines}`))
      }
      yield* Effect.sleep(between)
    }
  })

const read = Schema.decodeUnknownEffect(Schema.fromJsonString(Booking))

const booking = (shop: Shop, id: string) =>
  Effect.orDie(Effect.flatMap(untilUp(Http.send(`${shop.url}/order/${id}`)), ({ text }) => read(text)))

/** A browser that begins again at the checkout whenever something is down, until it sees the order's page. */
const browse = (shop: Shop, id: string, atIssuer: (when: "before" | "after") => Effect.Effect<void>) =>
  Effect.gen(function* () {
    let page = yield* HostedPage.browse(`${shop.url}/go/${id}`)
    while (!page.url.includes("/order/")) {
      const { action, body, hidden, url } = page
      const typed = CustomerInput.typed(body, { card: {} })
      const isForm = typed !== undefined || Object.keys(hidden).length > 0
      const isChallenge = "creq" in hidden
      if (isChallenge) yield* atIssuer("before")
      if (!isForm) yield* Effect.sleep("300 millis")
      page = isForm
        ? yield* HostedPage.browse(new URL(action ?? "", url).href, { form: { ...hidden, ...typed } })
        : yield* HostedPage.browse(`${shop.url}/go/${id}`)
      if (isChallenge) yield* atIssuer("after")
    }
  }).pipe(untilUp)

export interface Options {
  readonly shop: Shop
  readonly forms: Forms
  readonly kinds: ReadonlyArray<Kind>
  /** What is wanted for the next kill. */
  readonly wanted: () => Kind | undefined
  readonly atIssuer: (when: "before" | "after") => Effect.Effect<void>
  readonly isOpen: () => boolean
}

let latest = 0

/** Orders one thing after another until the shop closes. */
export const one = Effect.fnUntraced(function* ({ atIssuer, forms, isOpen, kinds, shop, wanted }: Options) {
  const sell = Effect.fnUntraced(function* (id: string, amount: string, isChallenged: boolean) {
    const endpointId = isChallenged ? challenged.endpointId : Credentials.endpoints.usd
    const order = deliver(shop, `/sales/${id}`, forms.sale(amount, endpointId))
    yield* isChallenged ? Effect.all([order, browse(shop, id, atIssuer)], { concurrency: 2 }) : order
    return yield* booking(shop, id)
  })
  while (isOpen()) {
    latest += 1
    const kind = wanted() ?? (yield* Random.choice(kinds))
    const id = `${kind}-${latest}`
    const amount = `${yield* Random.nextIntBetween(1, 4)}.${yield* Random.nextIntBetween(10, 99)}`
    switch (kind) {
      case "sale":
      case "threeds":
        yield* sell(id, amount, kind === "threeds")
        break
      case "refund": {
        const { orderId } = yield* sell(`${id}-sale`, amount, false)
        const order = { clientOrderId: `${id}-sale`, orderId, currency: "USD" }
        const half = { ...order, amount: "0.50" }
        yield* Effect.all([deliver(shop, `/refunds/${id}-a`, half), deliver(shop, `/refunds/${id}-b`, half)], {
          concurrency: 2
        })
        break
      }
      case "payout":
        yield* deliver(shop, `/payouts/${id}`, { amount, currency: "USD", accountNumber: "DE89370400440532013000" })
        break
      case "member":
        yield* deliver(shop, `/members/${id}`, {
          ...forms.payer,
          amount,
          currency: "USD",
          period: "monthly",
          interval: "1"
        })
        break
      case "trip":
      case "brokenTrip": {
        // The bank declines more than 5.00 on this card.
        const creditCardNumber = "4444011300000000"
        const prices = [amount, "1.00", kind === "trip" ? "2.00" : "7.00"]
        yield* deliver(shop, `/trips/${id}`, { ...forms.payer, creditCardNumber, currency: "USD", prices })
      }
    }
  }
})
