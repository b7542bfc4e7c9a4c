/** Forgets card data: of an order or a stored card at a person's request, and of orders that ended long ago by itself. */
import { Clock, Data, Effect } from "effect"
import * as Audit from "../domain/Audit.ts"
import * as Decision from "../domain/Decision.ts"
import * as Erasure from "../domain/Erasure.ts"
import type { Actor } from "../domain/entities/AuditEntry.ts"
import { Authentication } from "../domain/entities/Authentication.ts"
import { Card } from "../domain/entities/Card.ts"
import { CardRef } from "../domain/entities/CardRef.ts"
import { Order } from "../domain/entities/Order.ts"
import { OrderRequest } from "../domain/entities/OrderRequest.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import { Settings } from "../Settings.ts"
import type { Cursor } from "./NewestFirst.ts"
import * as OldestFirst from "./OldestFirst.ts"

/** Nothing was erased; the message says why. */
export class EraseRefused extends Data.TaggedError("EraseRefused")<{
  readonly what: "missing" | "conflict"
  readonly message: string
}> {}

const missing = (message: string) => new EraseRefused({ what: "missing", message })
const conflict = (message: string) => new EraseRefused({ what: "conflict", message })
const changed = () => conflict("it has changed meanwhile: ask again")

const mostRequests = 1000
const batchRows = 200

export const make = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids
  const { cardRetentionMs } = yield* Settings
  /** Where the sweep is. It begins anew when it has come to its end, and comes by those that were still in use. */
  let swept: Cursor | undefined

  const audited = (
    actor: Actor,
    atMs: number,
    action: string,
    subject: Audit.Audited["subject"],
    detail: Audit.Audited["detail"] = {}
  ) => Audit.entry({ auditId: ids.next(), atMs, actor, action, subject, detail })

  /** Undefined: a request about the order is under way, or ended after `untilMs`. */
  const decisionOf = Effect.fnUntraced(function* (order: Order, untilMs: number) {
    const requests = yield* store.find(OrderRequest, "order", { equals: [order.orderId], limit: mostRequests })
    const ended = Erasure.endedAtMs(requests)
    if (ended === undefined || ended > untilMs) return undefined
    return Erasure.ofOrder(order, yield* store.load(Authentication, [order.orderId]))
  })

  const ofOrder = Effect.fn("EraseCards.ofOrder")(function* (orderId: string, actor: Actor) {
    const order = yield* store.load(Order, [orderId])
    if (order === undefined) return yield* missing("there is no such order")
    const atMs = yield* Clock.currentTimeMillis
    const decision = yield* decisionOf(order, atMs)
    if (decision === undefined)
      return yield* conflict("a request about this order is under way and may need the card: ask when it has ended")
    const row = audited(actor, atMs, "card.erase", { kind: "order", id: orderId })
    yield* store
      .commit({ ...decision, writes: [...decision.writes, row] })
      .pipe(Effect.catchTag("GuardFailed", changed))
  })

  const ofCardRef = Effect.fn("EraseCards.ofCardRef")(function* (cardRefId: string, actor: Actor) {
    const card = yield* store.load(CardRef, [cardRefId])
    if (card === undefined) return yield* missing("there is no such stored card")
    if (Erasure.isErased(card)) return
    const atMs = yield* Clock.currentTimeMillis
    const decision = Erasure.ofCardRef(card, atMs)
    const row = audited(actor, atMs, "card.erase", { kind: "card-ref", id: cardRefId })
    yield* store
      .commit({ ...decision, writes: [...decision.writes, row] })
      .pipe(Effect.catchTag("GuardFailed", changed))
  })

  /** One batch of orders that ended long enough ago; how many cards it looked at. */
  const expired = Effect.gen(function* () {
    const nowMs = yield* Clock.currentTimeMillis
    const untilMs = nowMs - cardRetentionMs
    const cards = yield* OldestFirst.find(store, Card, "created", { toMs: untilMs, after: swept, limit: batchRows })
    const last = cards.at(-1)
    swept = last === undefined ? undefined : { atMs: last.createdAtMs, key: last.cardId }
    let erased = 0
    for (const { cardId } of cards) {
      const order = yield* store.load(Order, [cardId])
      const decision =
        order === undefined
          ? { guards: [], writes: [Decision.remove(Card, [cardId])] }
          : yield* decisionOf(order, untilMs)
      if (decision === undefined) continue
      const done = yield* store.commit(decision).pipe(
        Effect.as(1),
        Effect.catchTag("GuardFailed", () => Effect.succeed(0))
      )
      erased += done
    }
    if (erased > 0) {
      const row = audited("gateway", nowMs, "card.expire", { kind: "cards", id: "all" }, { erased })
      yield* Effect.catchTag(store.commit({ guards: [], writes: [row] }), "GuardFailed", Effect.die)
    }
    return cards.length
  })

  return { ofOrder, ofCardRef, expired }
})
