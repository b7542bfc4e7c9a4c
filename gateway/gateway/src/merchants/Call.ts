/** An authenticated request, which the later stages of refusal and the use-cases read. */

import type { Dialect } from "@pay/schema/Dialect"
import { clientOrder, type FieldTexts, type Operation } from "@pay/schema/Operation"
import { Effect } from "effect"
import { type Answer, busy, type RequestRefused, refuse } from "../kernel/Answer.ts"
import type { Decision, Guard } from "../kernel/Decision.ts"
import * as Entity from "../kernel/Entity.ts"
import type { Locked } from "../kernel/KeyedLock.ts"
import type { Rows } from "../kernel/Rows.ts"
import type { GuardFailed, Store, StoreUnavailable } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import type { Endpoint, Merchant, Route } from "./Directory.ts"

/** OAuth nonces that were used. A consumer can use a nonce once; rows are kept for twice the tolerated clock skew. */
export const Nonce = Entity.make("nonces", {
  columns: { consumerKey: Entity.text(), nonce: Entity.text(), usedAtMs: Entity.integer },
  key: ["consumerKey", "nonce"],
  index: { used: ["usedAtMs"] }
})
export type Nonce = Entity.Row<typeof Nonce>

export interface Call {
  readonly operation: Operation
  /** The dialect that the request asks for. */
  readonly dialect: Dialect
  readonly route: Route
  readonly merchant: Merchant
  /** The fields in canonical form: primary names, trimmed, none empty. */
  readonly fields: FieldTexts
  /** The header `Idempotency-Key`, if the request has it. */
  readonly idempotencyKey: string | undefined
  /** Whether the request has no amount, and its `control` covers the amount and currency of the order that it names. */
  readonly signsOrderAmount?: boolean | undefined
  /** The rows that the stages of the request share. Each is read once (`Rows.loadedOnce`). */
  readonly rows: Rows
  /** Records the request's OAuth nonce in the commit that accepts the request. Empty for requests signed by `control`. */
  readonly nonce: Decision
}

/** Returns the merchant's own identifier of the order, from the field that the operation has for it. */
export const clientOrderIdOf = (fields: FieldTexts): string | undefined => clientOrder(fields)?.id

export type Served = Effect.Effect<Answer, RequestRefused | StoreUnavailable>

/** Serves one operation. `Front` runs the stages before it. */
export interface Handler {
  readonly operation: Operation
  /**
   * Returns the answer to a request that was accepted before; `undefined` for a new request, which alone is then performed.
   */
  readonly replay: (call: Call) => Effect.Effect<Answer | undefined, RequestRefused | StoreUnavailable>
  /** Decodes the request and carries it out. Fails with `RequestRefused` for problems of fields, state or amounts, in that order. */
  readonly perform: (call: Call, endpoints: ReadonlyArray<Endpoint>) => Served
  /** Whether the operation commits nothing itself. If so, `Front` records the nonce before the answer. */
  readonly reads: boolean
}

/** Adds the record of the request's nonce to the decision. */
export const withNonce = ({ guards, writes }: Decision, { nonce }: Call): Decision => ({
  guards: [...guards, ...nonce.guards],
  writes: [...writes, ...nonce.writes]
})

/** The refusal of a nonce that was used before. The client must sign again with another nonce. */
export const nonceUsed = (): RequestRefused => refuse("nonceUsed", { headers: { "www-authenticate": "OAuth" } })

const isNonce = (guard: Guard): boolean => guard._tag === "Absent" && guard.entity === Nonce

/**
 * Commits the change of a request under the lock of what it changes. If another process commits first, the request is decided
 * again. A used nonce is refused.
 */
export const settled = <E, R>(
  inLine: Locked,
  attempt: Effect.Effect<Answer, E | GuardFailed, R>,
  reload?: Effect.Effect<void, E | GuardFailed, R>
): Effect.Effect<Answer, E | RequestRefused, R> =>
  inLine(
    Transact.transact({
      attempt,
      ...(reload === undefined ? {} : { reload }),
      onLostGuard: (guard) => (isNonce(guard) ? Effect.fail(nonceUsed()) : "again"),
      exhausted: () => Effect.fail(busy()),
      tries: Transact.triesUnderLock
    })
  )

/** Records a nonce on its own, for a request that is verified and commits nothing else. */
export const spend = (
  store: Store["Service"],
  nonce: Decision
): Effect.Effect<void, RequestRefused | StoreUnavailable> =>
  nonce.writes.length === 0 ? Effect.void : Transact.commitOr(store, nonce, () => Effect.fail(nonceUsed()))
