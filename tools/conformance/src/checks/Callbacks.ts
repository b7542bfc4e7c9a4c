/** Checks of callbacks: their content and signatures, that none is missing, and their repetition and order. */
import * as Callback from "@pay/schema/Callback"
import * as CallbackSignature from "@pay/signing/Callback"
import * as Form from "@pay/signing/Form"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import { Clock, Effect, Redacted } from "effect"
import * as Capability from "../Capability.ts"
import * as Check from "../Check.ts"
import * as Expect from "../Expect.ts"
import { advance, Gateway } from "../Gateway.ts"
import type { Arrival } from "../Inbox.ts"
import * as Orders from "../Orders.ts"
import * as Samples from "../Samples.ts"

const events = "docs/specification.md#events"

const make = (
  id: string,
  title: string,
  clause: Check.Clause,
  program: Check.Program,
  more: Partial<Check.Check> = {}
) =>
  Check.make({
    id: `callback/${id}`,
    title,
    clause,
    ...more,
    needs: [Capability.listener, ...(more.needs ?? [])],
    program
  })

/** Waits until `count` callbacks have arrived under this name. Returns the last of them. */
const arrived = Effect.fnUntraced(function* (name: string, count = 1) {
  const { inbox } = yield* Gateway
  for (;;) {
    const arrivals = inbox.arrived(name)
    const last = arrivals[count - 1]
    if (last !== undefined) return last
    yield* Effect.sleep("20 millis")
  }
})

const fieldsOf = ({ query }: Arrival) => {
  const parsed = Callback.parse(query)
  return parsed.ok ? Effect.succeed(parsed.value) : Expect.violated(`the callback cannot be read: ${query}`)
}

const expectSigned = Effect.fnUntraced(function* ({ query }: Arrival) {
  const { settings } = (yield* Gateway).facts
  const parsed = Form.parse(query)
  const verified = CallbackSignature.verify(parsed.ok ? parsed.parameters : [], [Redacted.value(settings.controlKey)])
  yield* Expect.that(verified.ok, `the control of the callback is wrong: ${query}`)
})

const nameOf = ({ fields }: Pick<Orders.Accepted, "fields">): string => Samples.callbackName(fields) ?? ""

const outcome = (name: "SALE" | "PREAUTH" | "ACCOUNT_VERIFICATION", role: "approved" | "declined"): Check.Check =>
  make(
    `outcome/${name.toLowerCase().replaceAll("_", "-")}-${role}`,
    `the callback of ${name.toLowerCase()} with the card "${role}" agrees with status and is signed`,
    events,
    Effect.gen(function* () {
      const order = yield* Orders.settled(name, role, role)
      const arrival = yield* arrived(nameOf(order))
      yield* expectSigned(arrival)
      const content = yield* fieldsOf(arrival)
      const status = yield* Orders.status(order)
      yield* Expect.equal(content.status, status.status, "the callback's status")
      yield* Expect.equal(content.orderid, order.orderId, "the callback's orderid")
      yield* Expect.equal(content.client_orderid, order.clientOrderId, "the callback's client_orderid")
      yield* Expect.that(arrival.query.startsWith("own=1&"), `the address's own query is not kept: ${arrival.query}`)
      const number = order.fields.credit_card_number ?? ""
      yield* Expect.that(!arrival.query.includes(number), "the callback has the card number")
    }),
    { needs: [Capability.card(role)] }
  )

const signed = make(
  "webhook",
  "the callback has the headers of Standard Webhooks, signed under the control key",
  "docs/assumptions.md#callback-payload",
  Effect.gen(function* () {
    const { settings } = (yield* Gateway).facts
    const order = yield* Orders.settled("SALE")
    const { headers, query } = yield* arrived(nameOf(order))
    const one = (name: string) => {
      const value = headers[name]
      return typeof value === "string" ? value : undefined
    }
    const verified = StandardWebhooks.verify({
      headers: {
        "webhook-id": one("webhook-id"),
        "webhook-timestamp": one("webhook-timestamp"),
        "webhook-signature": one("webhook-signature")
      },
      content: CallbackSignature.signedForms(query),
      secrets: [StandardWebhooks.secret(Redacted.value(settings.controlKey))],
      nowSeconds: Math.floor((yield* Clock.currentTimeMillis) / 1000),
      toleranceSeconds: 300
    })
    yield* Expect.that(verified.ok, `the webhook headers are wrong: ${verified.ok ? "" : verified.reason._tag}`)
  }),
  { needs: [Capability.webhooks] }
)

const followUps = make(
  "follow-ups",
  "each follow-up is reported by a callback with its own type and amount",
  events,
  Effect.gen(function* () {
    const order = yield* Orders.settled("PREAUTH")
    const capture = yield* Orders.done("CAPTURE", order, "4.00")
    const content = yield* fieldsOf(yield* arrived(nameOf(capture)))
    yield* Expect.equal(content.type, "capture", "the type in the callback of a capture")
    yield* Expect.equal(content.amount, "4.00", "the amount in the callback of a capture")
    const refund = yield* Orders.done("RETURN", order)
    const last = yield* fieldsOf(yield* arrived(nameOf(refund)))
    yield* Expect.equal(last.type, "reversal", "the type in the callback of a whole return")
  }),
  { needs: [Capability.assumptions] }
)

const pausesOf = 6

/** Moves business time forward until `count` callbacks have arrived. */
const arrivedLater = Effect.fnUntraced(function* (name: string, count: number) {
  const { inbox } = yield* Gateway
  for (let step = 0; step < pausesOf && inbox.arrived(name).length < count; step += 1) {
    yield* advance("10m")
    yield* Effect.sleep("50 millis")
  }
  return inbox.arrived(name)
})

const retried = make(
  "retried",
  "a callback that is not acknowledged is sent again with the same webhook-id",
  "docs/assumptions.md#callback-delivery",
  Effect.gen(function* () {
    const { freshId, inbox } = yield* Gateway
    const name = freshId()
    inbox.answer(name, [500, 404])
    const order = yield* Orders.create("SALE", { server_callback_url: inbox.address(name) })
    yield* Orders.final(order)
    yield* arrived(name)
    const arrivals = yield* arrivedLater(name, 3)
    yield* Expect.that(
      arrivals.length >= 3,
      `a callback that was answered with 500 and 404 came ${arrivals.length} times`
    )
    const ids = new Set(arrivals.map(({ headers }) => headers["webhook-id"]))
    yield* Expect.equal(ids.size, 1, "the number of webhook-ids of one event")
    yield* advance("1h")
    yield* Expect.equal(inbox.arrived(name).length, 3, "the number of deliveries of an acknowledged callback")
  }),
  { alone: true, needs: [Capability.clock, Capability.webhooks] }
)

const ordered = make(
  "ordered",
  "a later event of an order waits until the earlier one is acknowledged",
  "docs/assumptions.md#callback-delivery",
  Effect.gen(function* () {
    const { freshId, inbox } = yield* Gateway
    const name = freshId()
    inbox.answer(name, [500])
    const order = yield* Orders.create("PREAUTH", { server_callback_url: inbox.address(name) })
    yield* Orders.final(order)
    yield* arrived(name)
    const { reply } = yield* Orders.act("CAPTURE", order, "4.00", {}, { server_callback_url: "" })
    yield* Expect.accepted(reply, "capture")
    yield* Orders.final(order)
    const arrivals = yield* arrivedLater(name, 3)
    const types = yield* Effect.forEach(arrivals, (each) => Effect.map(fieldsOf(each), ({ type }) => type))
    yield* Expect.equal(types.join(" "), "preauth preauth capture", "the types of the callbacks in their order")
  }),
  { alone: true, needs: [Capability.clock] }
)

const every = make(
  "every",
  "every final outcome of this run was reported by a callback",
  events,
  Effect.gen(function* () {
    const { inbox, owed } = yield* Gateway
    const isOpen = ([name]: readonly [string, string]) => inbox.arrived(name).length === 0
    for (let pause = 0; pause < 20 && [...owed].some(isOpen); pause += 1) yield* Effect.sleep("100 millis")
    const open = [...owed].filter(isOpen)
    const [first = []] = open
    yield* Expect.that(
      open.length === 0,
      `${open.length} of ${owed.size} outcomes were not reported, the first is ${first.join(": ")}`
    )
    for (const name of owed.keys()) for (const arrival of inbox.arrived(name)) yield* expectSigned(arrival)
  }),
  { alone: true }
)

export const all: ReadonlyArray<Check.Check> = [
  outcome("SALE", "approved"),
  outcome("SALE", "declined"),
  outcome("PREAUTH", "approved"),
  outcome("ACCOUNT_VERIFICATION", "approved"),
  signed,
  followUps,
  retried,
  ordered,
  every
]
