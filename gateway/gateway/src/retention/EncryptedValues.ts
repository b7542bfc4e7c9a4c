/** All values that are encrypted under a master key: how each kind is listed, loaded and stored again. */

import { Effect } from "effect"
import { CardRef } from "../cards/decide/CardRef.ts"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { type Range, Store } from "../kernel/Store.ts"
import { MerchantKey } from "../merchants/decide/MerchantKey.ts"
import { Card } from "../orders/record/Card.ts"
import { Order } from "../orders/record/Order.ts"
import { Payout } from "../recipients/Recipient.ts"
import { Subscription } from "../recurring/decide/Subscription.ts"
import { SecondFactor } from "../signin/decide/SecondFactor.ts"
import { Authentication } from "../threeds/decide/Authentication.ts"
import * as Erasure from "./decide/Erasure.ts"

/** Kinds of values, in the order in which a run processes them. */
export const kinds = [
  "cards",
  "cardRefs",
  "authentications",
  "merchantKeys",
  "subscriptions",
  "payouts",
  "secondFactors"
] as const
export type Kind = (typeof kinds)[number]

/** A row with its encrypted value. `with` returns the change that stores another encrypted value. */
export interface EncryptedRow {
  readonly encrypted: Uint8Array
  readonly with: (encrypted: Uint8Array) => Decision.Decision
}

type Records = Store["Service"]

/** Returns a guard that fails if the order has changed since it was loaded. */
const orderGuard = (orderId: string, order: Order | undefined): Decision.Guard =>
  order === undefined ? Decision.absent(Order, "key", [orderId]) : Decision.versionIs(Order, [orderId], order.version)

/** Loads the order first, so that the guard fails if its card is replaced afterwards. */
const card = Effect.fnUntraced(function* (store: Records, cardId: string) {
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

const cardRef = Effect.fnUntraced(function* (store: Records, cardRefId: string) {
  const row = yield* store.load(CardRef, [cardRefId])
  if (row === undefined || Erasure.isErased(row)) return undefined
  return {
    encrypted: row.encryptedPan,
    with: (encryptedPan) => Change.update(CardRef, row, { encryptedPan })
  } satisfies EncryptedRow
})

const authentication = Effect.fnUntraced(function* (store: Records, orderId: string) {
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

const merchantKey = Effect.fnUntraced(function* (store: Records, keyId: string) {
  const row = yield* store.load(MerchantKey, [keyId])
  if (row === undefined || row.kind !== "control" || row.material === null) return undefined
  return {
    encrypted: Buffer.from(row.material, "base64url"),
    with: (encrypted) => Change.update(MerchantKey, row, { material: Buffer.from(encrypted).toString("base64url") })
  } satisfies EncryptedRow
})

const subscription = Effect.fnUntraced(function* (store: Records, subscriptionId: string) {
  const row = yield* store.load(Subscription, [subscriptionId])
  if (row === undefined || row.encryptedPan.length === 0) return undefined
  return {
    encrypted: row.encryptedPan,
    with: (encryptedPan) => Change.update(Subscription, row, { encryptedPan })
  } satisfies EncryptedRow
})

/** Loads the order first. On a hosted page the recipient may enter another destination, which changes the order. */
const payout = Effect.fnUntraced(function* (store: Records, orderId: string) {
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

const secondFactor = Effect.fnUntraced(function* (store: Records, name: string) {
  const row = yield* store.load(SecondFactor, [name])
  if (row === undefined) return undefined
  return {
    encrypted: row.encryptedSecret,
    with: (encryptedSecret) => Change.update(SecondFactor, row, { encryptedSecret })
  } satisfies EncryptedRow
})

/** How the rows of each kind are loaded, and how their keys are listed. */
const kindsOf = (store: Records) => ({
  load: {
    cards: (key: string) => card(store, key),
    cardRefs: (key: string) => cardRef(store, key),
    authentications: (key: string) => authentication(store, key),
    merchantKeys: (key: string) => merchantKey(store, key),
    subscriptions: (key: string) => subscription(store, key),
    payouts: (key: string) => payout(store, key),
    secondFactors: (key: string) => secondFactor(store, key)
  },
  list: {
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
      Effect.map(store.find(Payout, "key", range), (rows) => rows.map(({ orderId }) => orderId)),
    secondFactors: (range: Range) =>
      Effect.map(store.find(SecondFactor, "key", range), (rows) => rows.map(({ name }) => name))
  } satisfies Record<Kind, unknown>
})

export const make = Effect.map(Store, kindsOf)
