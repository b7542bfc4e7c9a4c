/**
 * Re-encrypts the data keys of all values that are encrypted under an older master key, while the gateway runs: cards of orders,
 * stored cards, cards of recurring payments, recipients of payouts, results of 3-D Secure, merchants' control keys. The values
 * themselves are not decrypted. Values under the current key are not changed, so a run that was interrupted can be continued from
 * its last report or repeated from the start.
 */
import { Effect, Exit, Schema } from "effect"
import { CardRef } from "../cards/decide/CardRef.ts"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import * as SingleRun from "../kernel/SingleRun.ts"
import { type Range, Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { MerchantKey } from "../merchants/decide/MerchantKey.ts"
import { Card } from "../orders/record/Card.ts"
import { Order } from "../orders/record/Order.ts"
import { Payout } from "../recipients/Recipient.ts"
import { Subscription } from "../recurring/decide/Subscription.ts"
import { Authentication } from "../threeds/decide/Authentication.ts"
import { type CannotOpen, KeyVault } from "../vault/KeyVault.ts"
import * as Erasure from "./decide/Erasure.ts"

/** Kinds of values, in the order in which a run processes them. */
const kinds = ["cards", "cardRefs", "authentications", "merchantKeys", "subscriptions", "payouts"] as const
export type Kind = (typeof kinds)[number]

export interface Position {
  readonly kind: Kind
  /** Key of the last row that was processed; empty if there is none. */
  readonly after: string
}

export interface Counts {
  readonly rows: number
  readonly reencrypted: number
  /** Values that no configured key can decrypt, or that changed at each attempt. The older master keys must be kept. */
  readonly failed: number
}

/** The position and the counts of a run after a page. */
export interface Progress extends Counts {
  readonly position: Position
}

export interface Options {
  readonly pageRows?: number
  /** The position at which an earlier run stopped. */
  readonly from?: Position
  /** Called after each page; by default the progress is logged. */
  readonly report?: (progress: Progress) => Effect.Effect<void>
}

const defaultPageRows = 500
const concurrency = 32
const mostTries = 20

const log = ({ failed, position, reencrypted, rows }: Progress): Effect.Effect<void> =>
  Effect.logInfo("Encrypted values are moved to the current master key").pipe(
    Effect.annotateLogs({ kind: position.kind, after: position.after, rows, reencrypted, failed })
  )

type Outcome = "current" | "reencrypted" | "failed"

/** A row with its encrypted value. `with` returns the change that stores another encrypted value. */
interface EncryptedRow {
  readonly encrypted: Uint8Array
  readonly with: (encrypted: Uint8Array) => Decision.Decision
}

/** Returns a guard that fails if the order has changed since it was loaded. */
const orderGuard = (orderId: string, order: Order | undefined): Decision.Guard =>
  order === undefined ? Decision.absent(Order, "key", [orderId]) : Decision.versionIs(Order, [orderId], order.version)

export const run = Effect.fn("KeyRotation.run")(function* (options: Options = {}) {
  const { from = { kind: "cards", after: "" }, pageRows = defaultPageRows, report = log } = options
  const store = yield* Store
  const vault = yield* KeyVault

  /** Loads the order first, so that the guard fails if its card is replaced afterwards. */
  const card = Effect.fnUntraced(function* (cardId: string) {
    const order = yield* store.load(Order, [cardId])
    const row = yield* store.load(Card, [cardId])
    if (row === undefined) return undefined
    return {
      encrypted: row.encryptedPan,
      with: (encryptedPan) => ({
        guards: [orderGuard(cardId, order)],
        writes: [Decision.put(Card, { ...row, encryptedPan })]
      })
    } satisfies EncryptedRow
  })

  const cardRef = Effect.fnUntraced(function* (cardRefId: string) {
    const row = yield* store.load(CardRef, [cardRefId])
    if (row === undefined || Erasure.isErased(row)) return undefined
    return {
      encrypted: row.encryptedPan,
      with: (encryptedPan) => Change.update(CardRef, row, { encryptedPan })
    } satisfies EncryptedRow
  })

  const authentication = Effect.fnUntraced(function* (orderId: string) {
    const row = yield* store.load(Authentication, [orderId])
    if (row === undefined || row.encryptedAuthenticationValue === null) return undefined
    return {
      encrypted: Buffer.from(row.encryptedAuthenticationValue, "base64url"),
      with: (encrypted) =>
        Change.update(Authentication, row, {
          encryptedAuthenticationValue: Buffer.from(encrypted).toString("base64url")
        })
    } satisfies EncryptedRow
  })

  const merchantKey = Effect.fnUntraced(function* (keyId: string) {
    const row = yield* store.load(MerchantKey, [keyId])
    if (row === undefined || row.kind !== "control" || row.material === null) return undefined
    return {
      encrypted: Buffer.from(row.material, "base64url"),
      with: (encrypted) => Change.update(MerchantKey, row, { material: Buffer.from(encrypted).toString("base64url") })
    } satisfies EncryptedRow
  })

  const subscription = Effect.fnUntraced(function* (subscriptionId: string) {
    const row = yield* store.load(Subscription, [subscriptionId])
    if (row === undefined || row.encryptedPan.length === 0) return undefined
    return {
      encrypted: row.encryptedPan,
      with: (encryptedPan) => Change.update(Subscription, row, { encryptedPan })
    } satisfies EncryptedRow
  })

  /** Loads the order first. On a hosted page the recipient may enter another destination, which changes the order. */
  const payout = Effect.fnUntraced(function* (orderId: string) {
    const order = yield* store.load(Order, [orderId])
    const row = yield* store.load(Payout, [orderId])
    if (row === undefined || row.erasedAtMs !== null) return undefined
    return {
      encrypted: row.encryptedDestination,
      with: (encryptedDestination) =>
        Change.all(
          { guards: [orderGuard(orderId, order)], writes: [] },
          Change.update(Payout, row, { encryptedDestination })
        )
    } satisfies EncryptedRow
  })

  const failed = (kind: Kind, key: string, error: CannotOpen) =>
    Effect.logWarning("An encrypted value cannot be moved to the current master key", error).pipe(
      Effect.annotateLogs({ kind, key }),
      Effect.as<Outcome>("failed")
    )

  /** Re-encrypts the data key of one value. If its row changes in between, it is loaded again. */
  const attempt = Effect.fnUntraced(function* (kind: Kind, key: string) {
    const row: EncryptedRow | undefined = yield* readers[kind](key)
    if (row === undefined) return "current"
    const again = yield* vault.reencrypt(row.encrypted)
    if (again === row.encrypted) return "current"
    yield* store.commit(row.with(again))
    return "reencrypted"
  })

  const renew = (kind: Kind, key: string) =>
    Transact.transact({
      attempt: attempt(kind, key),
      exhausted: () => Effect.succeed<Outcome>("failed"),
      tries: mostTries
    })

  const readers = {
    cards: card,
    cardRefs: cardRef,
    authentications: authentication,
    merchantKeys: merchantKey,
    subscriptions: subscription,
    payouts: payout
  }
  const listers = {
    cards: (range: Range) => Effect.map(store.find(Card, "key", range), (rows) => rows.map(({ cardId }) => cardId)),
    cardRefs: (range: Range) =>
      Effect.map(store.find(CardRef, "key", range), (rows) => rows.map(({ cardRefId }) => cardRefId)),
    authentications: (range: Range) =>
      Effect.map(store.find(Authentication, "key", range), (rows) => rows.map(({ orderId }) => orderId)),
    merchantKeys: (range: Range) =>
      Effect.map(store.find(MerchantKey, "key", range), (rows) => rows.map(({ keyId }) => keyId)),
    subscriptions: (range: Range) =>
      Effect.map(store.find(Subscription, "key", range), (rows) => rows.map(({ subscriptionId }) => subscriptionId)),
    payouts: (range: Range) =>
      Effect.map(store.find(Payout, "key", range), (rows) => rows.map(({ orderId }) => orderId))
  } satisfies Record<Kind, unknown>
  /** Returns the keys of the next rows. The row of `after` itself is loaded again and left out. */
  const page = Effect.fnUntraced(function* (kind: Kind, after: string) {
    const range = { from: after, limit: pageRows + 1 }
    const keys = yield* listers[kind](range)
    return keys.filter((key) => key !== after).slice(0, pageRows)
  })

  let counts: Counts = { rows: 0, reencrypted: 0, failed: 0 }
  for (const kind of kinds.slice(kinds.indexOf(from.kind))) {
    let after = kind === from.kind ? from.after : ""
    while (true) {
      const keys = yield* page(kind, after)
      const last = keys.at(-1)
      if (last === undefined) break
      const outcomes = yield* Effect.forEach(
        keys,
        (key) => Effect.catchTag(renew(kind, key), "CannotOpen", (error) => failed(kind, key, error)),
        { concurrency }
      )
      const count = (outcome: Outcome) => outcomes.filter((each) => each === outcome).length
      counts = {
        rows: counts.rows + keys.length,
        reencrypted: counts.reencrypted + count("reencrypted"),
        failed: counts.failed + count("failed")
      }
      after = last
      yield* report({ ...counts, position: { kind, after } })
    }
  }
  return counts
})

/** Progress of the job that runs `KeyRotation` beside the gateway, once at a time. An operator starts it. */
const JobProgress = Schema.Struct({
  state: Schema.Literals(["never", "running", "done", "broken"]),
  rows: Schema.Int,
  reencrypted: Schema.Int,
  failed: Schema.Int
})
export type JobProgress = typeof JobProgress.Type

const never: JobProgress = { state: "never", rows: 0, reencrypted: 0, failed: 0 }

export const makeJob = SingleRun.make({
  action: "master-key.rotate",
  subject: { kind: "keys", id: "master" },
  progress: JobProgress,
  never,
  run: (see) => run({ report: (counts) => see(() => ({ ...counts, state: "running" })) }),
  ended: (exit, progress): Effect.Effect<JobProgress> =>
    Effect.succeed(Exit.isSuccess(exit) ? { ...exit.value, state: "done" } : { ...progress, state: "broken" })
})
