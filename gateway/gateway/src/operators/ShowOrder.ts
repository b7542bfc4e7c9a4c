/**
 * Collects everything about an order for an operator: requests, bookings, callbacks, evidence, resolutions, audit rows and due
 * jobs.
 */

import { Effect, Option } from "effect"
import * as ListCallbacks from "../callbacks/ListCallbacks.ts"
import { AuditEntry } from "../kernel/Audit.ts"
import { Evidence } from "../kernel/Evidence.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import { LedgerEntry } from "../kernel/LedgerTable.ts"
import { Store } from "../kernel/Store.ts"
import { Resolution } from "../orders/decide/Resolve.ts"
import { Card } from "../orders/record/Card.ts"
import { Order } from "../orders/record/Order.ts"
import { isOfRail, OrderRequest } from "../orders/record/OrderRequest.ts"
import * as CardIdentity from "../orders/requests/CardIdentity.ts"
import { Payout } from "../recipients/Recipient.ts"
import { Authentication } from "../threeds/decide/Authentication.ts"
import { KeyVault } from "../vault/KeyVault.ts"

export interface OrderDetails {
  readonly order: Order
  /** The recipient of the order's money; undefined when the order pays nothing out. */
  readonly payout: Payout | undefined
  /** Keyed hash of the number of the card that pays, as block lists take it. `undefined`: the number is not stored. */
  readonly cardHash: string | undefined
  /** The order's 3-D Secure, if it has any. */
  readonly authentication: Authentication | undefined
  readonly requests: ReadonlyArray<OrderRequest>
  readonly callbacks: ReadonlyArray<ListCallbacks.CallbackWithLog>
  readonly entries: ReadonlyArray<LedgerEntry>
  readonly evidence: ReadonlyArray<Evidence>
  /** The resolutions of unknown requests by operators. */
  readonly resolutions: ReadonlyArray<Resolution>
  readonly audit: ReadonlyArray<AuditEntry>
  /** The due jobs of the order, its requests and its callbacks. */
  readonly due: ReadonlyArray<Job>
}

const most = 1000

/** Reads that do not need each other are under way together. */
const atOnce = { concurrency: "unbounded" } as const

export const make = Effect.gen(function* () {
  const store = yield* Store
  const callbacksOf = yield* ListCallbacks.make
  const vault = yield* KeyVault

  const cardHashOf = Effect.fnUntraced(function* ({ merchantId, orderId }: Order) {
    const card = yield* store.load(Card, [orderId])
    if (card === undefined) return undefined
    const pan = yield* Effect.option(vault.decrypt(card.encryptedPan, orderId))
    return Option.getOrUndefined(Option.map(pan, (number) => CardIdentity.ofNumber(vault, merchantId, number)))
  })

  return Effect.fn("ShowOrder")(function* (orderId: string) {
    const order = yield* store.load(Order, [orderId])
    if (order === undefined) return undefined
    const range = { equals: [orderId], limit: most }
    const { callbacks, requests, ...others } = yield* Effect.all(
      {
        requests: store.find(OrderRequest, "order", range),
        callbacks: callbacksOf({ orderId, delivery: undefined, limit: most }),
        payout: store.load(Payout, [orderId]),
        cardHash: cardHashOf(order),
        authentication: store.load(Authentication, [orderId]),
        entries: store.find(LedgerEntry, "order", range),
        evidence: store.find(Evidence, "order", range),
        resolutions: store.find(Resolution, "order", range),
        audit: store.find(AuditEntry, "subject", { equals: ["order", orderId], limit: most })
      },
      atOnce
    )
    const jobIds = [
      ...["lapse", "threeds", "session"].map((kind) => `${kind}:${orderId}`),
      ...requests
        .filter(({ finishedAtMs }) => finishedAtMs === null)
        .map(({ requestId }) => Jobs.id("bank", requestId)),
      ...callbacks
        .filter(({ event }) => event.delivery === "pending")
        .map(({ event }) => Jobs.id("callback", event.eventId)),
      ...requests.filter(isOfRail).map(({ requestId }) => Jobs.id("rail", requestId))
    ]
    const jobs = yield* Effect.forEach(jobIds, (jobId) => store.load(Job, [jobId]), atOnce)
    return { ...others, order, requests, callbacks, due: jobs.flatMap((job) => job ?? []) } satisfies OrderDetails
  })
})
