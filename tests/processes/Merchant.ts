/** A merchant of a deployment: customers who buy and ask for the outcome, and a server that takes callbacks, or fails to now and then. */
import * as Status from "@pay/schema/Status"
import * as PayClient from "@pay/transport/PayClient"
import { Context, Effect, Layer, Schedule } from "effect"
import * as CallbackServer from "../harness/CallbackServer.ts"
import { clientSettings } from "../harness/Credentials.ts"
import * as SalesLedger from "../harness/SalesLedger.ts"

/** What a merchant knows of its orders, by its own number of each. */
export interface Ledger extends SalesLedger.SalesLedger {
  /** The final status of each order that was asked for one. */
  readonly final: Map<string, string>
  /** Requests that were refused, or that nobody took, and why. */
  readonly failed: Array<string>
}

export interface Merchant {
  readonly ledger: Ledger
  readonly shop: CallbackServer.CallbackServer
  /** What each order that needs nobody is sent with. */
  readonly client: PayClient.Shape
}

export const clientOf = (baseUrl: string) =>
  PayClient.layer({ ...clientSettings(baseUrl), concurrency: 256, callsPerSecond: 40 })

/** `judge`: what its server answers to a callback; left out: that it has it. */
export const make = Effect.fnUntraced(function* (baseUrl: string, judge?: CallbackServer.Options["judge"]) {
  const shop = yield* CallbackServer.open(judge === undefined ? {} : { judge })
  const client = Context.get(yield* Layer.build(clientOf(baseUrl)), PayClient.PayClient)
  const ledger: Ledger = { ...SalesLedger.make(), final: new Map(), failed: [] }
  return { client, ledger, shop } satisfies Merchant
})

/** One sale, whatever becomes of it. */
export const sell = Effect.fnUntraced(function* ({ client, ledger, shop }: Merchant, client_orderid: string) {
  const failure = yield* SalesLedger.sell(ledger, client, client_orderid, shop.url())
  if (failure !== undefined && !ledger.doubtful.has(client_orderid))
    ledger.failed.push(`${client_orderid}: ${failure.message}`)
})

/** Asks until the order's status is final; what keeps it from being told is asked again. */
export const follow = Effect.fnUntraced(function* ({ client, ledger }: Merchant, client_orderid: string) {
  const orderid = ledger.acknowledged.get(client_orderid)
  if (orderid === undefined) return
  const { status } = yield* client
    .status({ client_orderid, orderid })
    .pipe(
      Effect.retry({ schedule: Schedule.spaced("100 millis") }),
      Effect.repeat({ until: (answer) => Status.isFinal(answer.status), schedule: Schedule.spaced("100 millis") }),
      Effect.orDie
    )
  ledger.final.set(client_orderid, status)
})

/** So many customers, each buying one thing after another with a moment between them, until that is over. */
export const buyersUntil = (
  merchant: Merchant,
  { customers, isOver, name }: { readonly customers: number; readonly isOver: () => boolean; readonly name: string }
) =>
  Effect.forEach(
    Array.from({ length: customers }, (_, customer) => customer),
    Effect.fnUntraced(function* (customer) {
      for (let n = 0; !isOver(); n++) {
        yield* sell(merchant, `${name}-${customer}-${n}`)
        yield* Effect.sleep("50 millis")
      }
    }),
    { concurrency: "unbounded", discard: true }
  )
