/** A request that has proved who sent it: what the later stages of refusal and the use-cases read. */

import type { Dialect } from "@pay/schema/Dialect"
import { clientOrder, type FieldTexts, type Operation } from "@pay/schema/Operation"
import { Effect } from "effect"
import { type Answer, busy, type Refused, refuse } from "../kernel/Answer.ts"
import type { Decision, Guard } from "../kernel/Decision.ts"
import * as Entity from "../kernel/Entity.ts"
import type { InLine } from "../kernel/KeyedLock.ts"
import type { GuardFailed, Store, StoreUnavailable } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import type { Endpoint, Merchant, Route } from "./Directory.ts"

/** The index of nonces by time; the database has it under this name. */
export const nonceTimeIndex = "seen"

/** OAuth nonces already spent: once per consumer, remembered for twice the tolerated clock skew. */
export const Nonce = Entity.make("nonces", {
  columns: { consumerKey: Entity.text(), nonce: Entity.text(), seenAtMs: Entity.integer },
  key: ["consumerKey", "nonce"],
  index: { [nonceTimeIndex]: ["seenAtMs"] }
})
export type Nonce = Entity.Row<typeof Nonce>

export interface Call {
  readonly operation: Operation
  /** The dialect that the request asks for. */
  readonly dialect: Dialect
  readonly route: Route
  readonly merchant: Merchant
  /** Canonical: primary names, trimmed, none empty. */
  readonly fields: FieldTexts
  /** Header `Idempotency-Key`, where given. */
  readonly idempotencyKey: string | undefined
  /** The request names no amount, and its `control` covers the amount and currency of the order that it names. */
  readonly signsOrderAmount?: boolean | undefined
  /** Spends the request's OAuth nonce in the commit that accepts it; empty for requests signed by `control`. */
  readonly nonce: Decision
}

/** The merchant's own identifier, under whichever of its names the operation has it. */
export const clientOrderIdOf = (fields: FieldTexts): string | undefined => clientOrder(fields)?.id

export type Served = Effect.Effect<Answer, Refused | StoreUnavailable>

/** How the gateway serves one operation; the stages between are the front's. */
export interface Handler {
  readonly operation: Operation
  /** The answer to a request that was accepted before; undefined for a new one. */
  readonly replay: (call: Call) => Effect.Effect<Answer | undefined, Refused | StoreUnavailable>
  /** Decodes and carries out. Fails with `Refused` for problems of fields, state or amounts, in that order. */
  readonly perform: (call: Call, endpoints: ReadonlyArray<Endpoint>) => Served
  /** True: commits nothing of its own, so the front spends the nonce before the answer. */
  readonly reads: boolean
}

/** The decision, together with the spending of the nonce that came with the request. */
export const withNonce = ({ guards, writes }: Decision, { nonce }: Call): Decision => ({
  guards: [...guards, ...nonce.guards],
  writes: [...writes, ...nonce.writes]
})

/** A nonce that was used before; the client signs anew, with another one. */
export const nonceUsed = (): Refused => refuse("nonceUsed", { headers: { "www-authenticate": "OAuth" } })

const isNonce = (guard: Guard): boolean => guard._tag === "Absent" && guard.entity === Nonce

/**
 * Commits what a request asks for when it is its turn in the line of what it changes: where a request in another process is first
 * it is judged anew, and a used nonce is refused.
 */
export const settled = <E, R>(
  inLine: InLine,
  attempt: Effect.Effect<Answer, E | GuardFailed, R>
): Effect.Effect<Answer, E | Refused, R> =>
  inLine(
    Transact.transact({
      attempt,
      lost: (guard) => (isNonce(guard) ? Effect.fail(nonceUsed()) : "again"),
      exhausted: () => Effect.fail(busy()),
      tries: Transact.triesInLine
    })
  )

/** Spends a nonce by itself: for a request that is verified and commits nothing else. */
export const spend = (store: Store["Service"], nonce: Decision): Effect.Effect<void, Refused | StoreUnavailable> =>
  nonce.writes.length === 0 ? Effect.void : Transact.commitOr(store, nonce, () => Effect.fail(nonceUsed()))
