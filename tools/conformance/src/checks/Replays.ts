/**
 * Checks of repeated requests: by client_orderid for every operation that creates, and by Idempotency-Key for every operation
 * that acts.
 */
import * as Operation from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as AcceptedRequests from "../AcceptedRequests.ts"
import * as Capability from "../Capability.ts"
import * as Check from "../Check.ts"
import type { Fields } from "../Draft.ts"
import * as Expect from "../Expect.ts"
import { call, Gateway } from "../Gateway.ts"
import * as Orders from "../Orders.ts"

const repeated = "docs/assumptions.md#repeated-creations"
const repeatedAction = "docs/assumptions.md#repeated-actions"

/** Changes the content: the amount, or a descriptive text and the expiry if there is no amount. */
const differing = (fields: Fields): Fields =>
  fields.amount === undefined
    ? { ...fields, order_desc: "Something else", expire_year: "2036", "expire-year": "2036" }
    : { ...fields, amount: "10.43" }

/** Writes the content in another notation. */
const rewritten = (fields: Fields): Fields => ({
  ...fields,
  ...(fields.amount !== undefined && { amount: `${fields.amount}00` }),
  ...(fields.expire_year?.length === 4 && { expire_year: fields.expire_year.slice(2) }),
  ...(fields.email !== undefined && { email: ` ${fields.email} ` })
})

const withoutUnknown = (operation: Operation.Operation, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => operation.infos.has(name)))

const orderOf = (body: Orders.Body): string | undefined =>
  Expect.textOf(body, "recurring-payment-id") ?? Expect.textOf(body, "paynet-order-id")

/** Returns the checks of a repeated creation, for each operation that creates. */
export const of = (operation: Operation.Operation): ReadonlyArray<Check.Check> =>
  operation.acts !== "creates"
    ? []
    : [
        Check.make({
          id: `replay/${operation.command}`,
          title: `${operation.command} repeated is answered with the existing order`,
          clause: repeated,
          needs: [...Capability.operation(operation), Capability.replays],
          program: Effect.gen(function* () {
            const { reply, request } = yield* AcceptedRequests.send(operation)
            const first = yield* Expect.accepted(reply)
            for (const fields of [request, withoutUnknown(operation, rewritten(request))]) {
              const again = yield* Expect.accepted(yield* call(operation, fields), "the repeated request")
              yield* Expect.equal(orderOf(again), orderOf(first), "the order that answers the repeated request")
              yield* Expect.that(
                again["serial-number"] !== first["serial-number"],
                "the repeated request has the serial-number of the first"
              )
            }
          })
        }),
        Check.make({
          id: `replay/${operation.command}/content`,
          title: `${operation.command} with a used client_orderid and other content is refused`,
          clause: repeated,
          needs: [...Capability.operation(operation), Capability.replays],
          program: Effect.gen(function* () {
            const { reply, request } = yield* AcceptedRequests.send(operation)
            yield* Expect.accepted(reply)
            const other = yield* call(operation, withoutUnknown(operation, differing(request)))
            const field = Operation.clientOrder(request)?.field
            yield* Expect.refused(other, "contentDiffers", field, "with other content")
          })
        })
      ]

const key = (text: string) => ({ headers: { "idempotency-key": text } })

const make = (id: string, title: string, clause: Check.Clause, program: Check.Program): Check.Check =>
  Check.make({
    id: `replay/follow-up/${id}`,
    title,
    clause,
    needs: [Capability.idempotencyKey, Capability.amounts],
    program
  })

const followUps = ["CAPTURE", "RETURN"] as const

/** Checks of repeated operations that act on an order. */
export const followUp: ReadonlyArray<Check.Check> = [
  ...followUps.flatMap((name) => {
    const creation = name === "CAPTURE" ? "PREAUTH" : "SALE"
    const once = name === "CAPTURE" ? "approved capture 10.42 3.00 0.00 7.42" : "approved sale 10.42 10.42 3.00 0.00"
    const twice = name === "CAPTURE" ? "approved capture 10.42 6.00 0.00 4.42" : "approved sale 10.42 10.42 6.00 0.00"
    const word = name.toLowerCase()
    return [
      make(
        `${word}-key`,
        `a ${word} repeated with its Idempotency-Key takes effect once`,
        repeatedAction,
        Effect.gen(function* () {
          const { freshId } = yield* Gateway
          const order = yield* Orders.settled(creation)
          const own = key(freshId())
          const first = yield* Orders.done(name, order, "3.00", own)
          const again = yield* call(PayApi.operations[name], first.fields, own)
          yield* Expect.accepted(again, "the repeated request")
          yield* Orders.expectState(order, once, `after one ${word} that was sent twice`)
          const other = yield* Orders.act(name, order, "2.00", own)
          yield* Expect.refused(other.reply, "idempotencyKeyConflict", undefined, "another amount under the key")
          yield* Orders.expectState(order, once, "after another amount under the key")
          yield* Orders.done(name, order, "3.00", key(freshId()))
          yield* Orders.expectState(order, twice, `after an equal ${word} under another key`)
        })
      ),
      make(
        `${word}-no-key`,
        `a second partial ${word} of the same amount without a key is refused, and one of another amount is accepted`,
        repeatedAction,
        Effect.gen(function* () {
          const order = yield* Orders.settled(creation)
          yield* Orders.done(name, order, "3.00")
          const { reply } = yield* Orders.act(name, order, "3.00")
          yield* Expect.refused(reply, "repeatedWithoutKey", undefined, "an equal part")
          yield* Orders.expectState(order, once, "after an equal part")
          yield* Orders.done(name, order, "2.50")
        })
      )
    ]
  }),
  make(
    "void-no-key",
    "a void and a whole return that are repeated without a key are acknowledged again",
    repeatedAction,
    Effect.gen(function* () {
      for (const [name, creation] of [
        ["VOID", "PREAUTH"],
        ["RETURN", "SALE"]
      ] as const) {
        const order = yield* Orders.settled(creation)
        yield* Orders.done(name, order)
        const before = yield* Orders.stateOf(order)
        const again = yield* Orders.act(name, order)
        yield* Expect.accepted(again.reply, `a repeated ${name.toLowerCase()}`)
        yield* Orders.expectState(order, before, `after a repeated ${name.toLowerCase()}`)
      }
    })
  ),
  make(
    "key-form",
    "an Idempotency-Key that is too long, or not ASCII, is refused",
    repeatedAction,
    Effect.gen(function* () {
      const order = yield* Orders.settled("PREAUTH")
      const { reply } = yield* Orders.act("CAPTURE", order, "1.00", key("k".repeat(256)))
      yield* Expect.refused(reply, "idempotencyKeyInvalid", undefined, "a key of 256 characters")
    })
  ),
  Check.make({
    id: "replay/follow-up/by-request",
    title: "status by request number reports one request of an order",
    clause: "docs/assumptions.md#one-order-its-whole-life",
    needs: [Capability.byRequest],
    program: Effect.gen(function* () {
      const order = yield* Orders.settled("PREAUTH")
      const first = yield* Orders.done("CAPTURE", order, "3.00")
      yield* Orders.done("CAPTURE", order, "2.00")
      const body = yield* Orders.status(order, { "by-request-sn": first.serialNumber })
      yield* Expect.equal(body.amount, "3.00", "the amount of the request that status was asked about")
      const unknown = yield* Orders.statusReply(order, { "by-request-sn": "00000000-0000-0000-0000-000000000001" })
      yield* Expect.refusedSomehow(unknown, "status of an unknown request")
    })
  })
]
