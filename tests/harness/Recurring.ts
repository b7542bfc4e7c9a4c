/** What a merchant does with recurring payments, and how they and their charges stand. */
import { assert } from "@effect/vitest"
import { Occurrence, Order, Subscription } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { decline } from "@pay/sandbox/Outcome"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import type { Decline } from "@pay/schema/Decline"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect } from "effect"
import * as Inbox from "./Inbox.ts"
import * as OAuth from "./OAuth.ts"
import type * as TestGateway from "./TestGateway.ts"
import * as TestMerchant from "./TestMerchant.ts"

const { CREATE_RP_V4, PROCESS_RP_V4, UPDATE_RP_V4 } = PayApi.operations

type Fields = Readonly<Record<string, string | undefined>>

/** An empty field is one that is not there. */
const given = (fields: Fields): TestMerchant.Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? ""]))

/** 10.42 USD a month by card, from today on. */
export const create = (fields: Fields = {}, parts: Omit<OAuth.Parts, "fields"> = {}) =>
  OAuth.send(CREATE_RP_V4, {
    ...parts,
    fields: given({ client_orderid: TestMerchant.freshId(), cvv2: "123", ...fields })
  })

export const idOf = (reply: TestGateway.Reply): string => TestMerchant.text(reply, "recurring-payment-id")

/** One that was accepted, and whatever came of its first order. */
export const created = Effect.fnUntraced(function* (fields?: Fields, parts?: Omit<OAuth.Parts, "fields">) {
  const reply = yield* create(fields, parts)
  TestMerchant.assertAccepted(reply)
  yield* TestMerchant.settled
  return { id: idOf(reply), order: TestMerchant.nameOf(reply), reply }
})

export const process = (id: string, fields: Fields = {}, parts: Omit<OAuth.Parts, "fields"> = {}) =>
  OAuth.send(PROCESS_RP_V4, {
    ...parts,
    fields: given({ client_orderid: TestMerchant.freshId(), "recurring-payment-id": id, ...fields })
  })

export const update = (id: string, fields: Fields, parts: Omit<OAuth.Parts, "fields"> = {}) =>
  OAuth.send(UPDATE_RP_V4, {
    ...parts,
    fields: given({
      change: undefined,
      amount: undefined,
      currency: undefined,
      "recurring-payment-id": id,
      ...fields
    })
  })

/** An update that was accepted. */
export const updated = Effect.fnUntraced(function* (id: string, fields: Fields) {
  const reply = yield* update(id, fields)
  TestMerchant.assertAccepted(reply)
  return reply.body
})

export const rowOf = Effect.fnUntraced(function* (id: string) {
  const store = yield* Store
  const row = yield* store.load(Subscription, [id])
  assert.isDefined(row)
  return row
})

/** `active: 0 2026-11-21 charged, 1 2026-12-21 retrying 2`: its state and its occurrences, tries beyond the first counted. */
export const orderStatus = Effect.fnUntraced(function* (id: string) {
  const { occurrences, subscription } = yield* rowsOf(id)
  const each = occurrences.map(
    ({ attempts, day, n, progress }) => `${n} ${day} ${progress}${attempts > 1 ? ` ${attempts}` : ""}`
  )
  return `${subscription.state}: ${each.join(", ")}`
})

/** A recurring payment and its occurrences, in their order. */
export const rowsOf = Effect.fnUntraced(function* (id: string) {
  const store = yield* Store
  const subscription = yield* rowOf(id)
  return { subscription, occurrences: yield* store.find(Occurrence, "key", { equals: [id], limit: 1000 }) }
})

/** `state: charged charged skipped`, tries beyond the first counted. */
export const summary = Effect.fnUntraced(function* (id: string) {
  const { occurrences, subscription } = yield* rowsOf(id)
  const each = occurrences.map(({ attempts, progress }) => (attempts > 1 ? `${progress}*${attempts}` : progress))
  return `${subscription.state}: ${each.join(" ")}`
})

/** The order of an occurrence. */
export const chargeOf = Effect.fnUntraced(function* (id: string, n: number) {
  const store = yield* Store
  const occurrence = yield* store.load(Occurrence, [id, n])
  const order = occurrence?.orderId == null ? undefined : yield* store.load(Order, [occurrence.orderId])
  assert.isDefined(order)
  return order
})

/** Lets business time pass until the day begins, UTC, and a moment more. */
export const until = Effect.fnUntraced(function* (day: string) {
  const nowMs = yield* Clock.currentTimeMillis
  yield* TestMerchant.pass(Date.parse(`${day}T00:00:01Z`) - nowMs)
})

/** Today and days from it, UTC, as `YYYY-MM-DD`. */
export const dayFromNow = (days: number) =>
  Effect.map(Clock.currentTimeMillis, (nowMs) => new Date(nowMs + days * 86_400_000).toISOString().slice(0, 10))

/** The next charges meet these declines, in order. */
export const declining = (...reasons: ReadonlyArray<Decline>) =>
  Effect.flatMap(SandboxControl, ({ next }) =>
    Effect.forEach(reasons, (reason) => next("authorize", { verdict: decline(reason) }), { discard: true })
  )

/** The merchant's callbacks besides charges: `status` or `status error_code`. */
export const callbacksOf = Effect.fnUntraced(function* (order: TestMerchant.Order) {
  yield* TestMerchant.settled
  const inbox = yield* Inbox.Inbox
  return inbox
    .about(order.orderid)
    .filter(({ type }) => type === "recurring")
    .map(({ error_code, status }) => (error_code === undefined ? status : `${status} ${error_code}`))
})

export const outcomes = Effect.fnUntraced(function* (id: string, n: number) {
  const inbox = yield* Inbox.Inbox
  const { orderId } = yield* chargeOf(id, n)
  return inbox
    .about(orderId)
    .map(({ error_code, status }) => (error_code === undefined ? status : `${status} ${error_code}`))
})

/** Creates a recurring payment like `created`, for a card that does not expire and a merchant that receives callbacks. */
export const listening = Effect.fnUntraced(function* (fields: Fields = {}, parts: Omit<OAuth.Parts, "fields"> = {}) {
  const { url } = yield* Inbox.Inbox
  return yield* created({ server_callback_url: url, expire_year: "2099", ...fields }, parts)
})
