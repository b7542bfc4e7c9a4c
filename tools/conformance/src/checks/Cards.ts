/** Checks of stored cards, transfers, hosted pages and recurring payments. */
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as Capability from "../Capability.ts"
import * as Check from "../Check.ts"
import * as Customer from "../Customer.ts"
import type { Fields } from "../Draft.ts"
import * as Expect from "../Expect.ts"
import { advance, call, Gateway } from "../Gateway.ts"
import * as Orders from "../Orders.ts"
import * as Samples from "../Samples.ts"

const operations = PayApi.operations

const make = (
  id: string,
  title: string,
  clause: Check.Clause,
  names: ReadonlyArray<PayApi.Name>,
  program: Check.Program,
  more: Partial<Check.Check> = {}
): Check.Check =>
  Check.make({
    id,
    title,
    clause,
    ...more,
    needs: [...names.flatMap((name) => Capability.operation(operations[name])), ...(more.needs ?? [])],
    program
  })

const endpoints = "docs/specification.md#endpoints"
const names = "docs/specification.md#resources"

const approved = Effect.fnUntraced(function* (name: PayApi.Name, changes: Fields = {}) {
  const body = yield* Orders.final(yield* Orders.create(name, changes))
  yield* Expect.equal(body.status, "approved", `the status of ${operations[name].command}`)
})

const cards: ReadonlyArray<Check.Check> = [
  make(
    "card/info",
    "get-card-info returns the first and last digits and the expiry of a stored card",
    names,
    ["CARDREF", "CARDINFO"],
    Effect.gen(function* () {
      const { settings } = (yield* Gateway).facts
      const id = yield* Orders.storedCard
      const reply = yield* call(operations.CARDINFO, { login: settings.login, cardrefid: id })
      const body = yield* Expect.answered(operations.CARDINFO, reply)
      const { credit_card_number = "", expire_year } = yield* Orders.card("approved")
      yield* Expect.equal(body.bin, credit_card_number.slice(0, 6), "bin")
      yield* Expect.equal(body["last-four-digits"], credit_card_number.slice(-4), "last-four-digits")
      yield* Expect.equal(Expect.textOf(body, "expire-year"), expire_year, "expire-year")
      yield* Expect.that(!reply.text.includes(credit_card_number), "the answer has the card number")
    })
  ),
  make(
    "card/rebill",
    "a rebill charges a stored card",
    endpoints,
    ["CARDREF", "REBILL"],
    Effect.gen(function* () {
      yield* approved("REBILL", { cardrefid: yield* Orders.storedCard })
    })
  ),
  make(
    "card/unknown",
    "a card reference that does not exist is refused",
    "docs/assumptions.md#order-of-refusals",
    ["CARDINFO", "REBILL"],
    Effect.gen(function* () {
      for (const operation of [operations.CARDINFO, operations.REBILL]) {
        const reply = yield* call(operation, yield* Samples.request(operation, { cardrefid: "1" }))
        yield* Expect.refused(reply, "cardNotFound", undefined, `${operation.command} of no card`)
      }
    })
  ),
  make(
    "card/declined",
    "the card of a declined payment is not stored",
    "docs/assumptions.md#stored-cards",
    ["CARDREF"],
    Effect.gen(function* () {
      const { settings } = (yield* Gateway).facts
      const order = yield* Orders.settled("SALE", "declined", "declined")
      const fields = { login: settings.login, client_orderid: order.clientOrderId, orderid: order.orderId }
      yield* Expect.refused(yield* call(operations.CARDREF, fields), "orderState", undefined, "of a declined payment")
    }),
    { needs: [Capability.card("declined")] }
  ),
  make(
    "transfer/card",
    "a transfer from card to card ends approved",
    "docs/specification.md#signing-examples",
    ["TRANSFER_V4"],
    approved("TRANSFER_V4"),
    {
      needs: [Capability.recipient("paidCard")]
    }
  ),
  make(
    "transfer/eligibility",
    "a card that can send money is eligible",
    "docs/specification.md#signing-examples",
    ["PAN_ELIGIBILITY_SEND", "CARDREF"],
    Effect.gen(function* () {
      yield* approved("PAN_ELIGIBILITY_SEND", { "sending-card-ref-id": yield* Orders.storedCard })
    })
  )
]

const page = (
  name: "SALEFORM" | "PREAUTHFORM" | "PAYMENTFORM",
  action: Customer.Action,
  expected: string
): Check.Check =>
  make(
    `hosted/${operations[name].command}-${action}`,
    `the hosted page of ${operations[name].command} with the customer's action "${action}" ends ${expected}`,
    "docs/assumptions.md#hosted-pages",
    [name],
    Effect.gen(function* () {
      const fields = yield* Samples.request(operations[name])
      const reply = yield* call(operations[name], fields)
      yield* Expect.accepted(reply, operations[name].command)
      const order = {
        clientOrderId: fields.client_orderid ?? "",
        orderId: yield* Expect.text(reply, "paynet-order-id"),
        fields
      }
      const {
        card_printed_name,
        credit_card_number,
        cvv2,
        expire_month,
        expire_year = ""
      } = yield* Orders.card("approved")
      const filled = {
        number: credit_card_number ?? "",
        expiry: `${expire_month}/${expire_year.slice(-2)}`,
        code: cvv2 ?? "",
        holder: card_printed_name ?? "",
        action: "pay"
      }
      yield* Customer.walk(yield* Expect.text(reply, "redirect-url"), action, undefined, filled)
      yield* Expect.equal((yield* Orders.final(order)).status, expected, "the status")
    })
  )

const changed = Effect.fnUntraced(function* (id: string, changes: Fields) {
  const { settings } = (yield* Gateway).facts
  const fields = { login: settings.login, "recurring-payment-id": id, ...changes }
  return yield* call(operations.UPDATE_RP_V4, fields)
})

const process = Effect.fnUntraced(function* (id: string) {
  return yield* call(
    operations.PROCESS_RP_V4,
    yield* Samples.request(operations.PROCESS_RP_V4, { "recurring-payment-id": id })
  )
})

const recurring: ReadonlyArray<Check.Check> = [
  make(
    "recurring/charge",
    "a charge outside the schedule of a recurring payment is a separate order",
    "docs/assumptions.md#schedules",
    ["CREATE_RP_V4", "PROCESS_RP_V4"],
    Effect.gen(function* () {
      const { first, id } = yield* Orders.subscribed()
      const reply = yield* process(id)
      yield* Expect.accepted(reply, "process-recurring-payment")
      const orderId = yield* Expect.text(reply, "paynet-order-id")
      yield* Expect.that(orderId !== first.orderId, "the charge is answered with the first order")
      const order = { clientOrderId: yield* Expect.text(reply, "merchant-order-id"), orderId }
      yield* Expect.equal((yield* Orders.final(order)).status, "approved", "the status of the charge")
    })
  ),
  make(
    "recurring/cancel",
    "a cancelled recurring payment is not charged",
    "docs/assumptions.md#schedules",
    ["CREATE_RP_V4", "PROCESS_RP_V4", "UPDATE_RP_V4"],
    Effect.gen(function* () {
      const { id } = yield* Orders.subscribed()
      for (const change of ["pause", "resume", "cancel"]) yield* Expect.accepted(yield* changed(id, { change }), change)
      yield* Expect.refusedSomehow(yield* process(id), "a charge of a cancelled recurring payment")
      yield* Expect.refusedSomehow(
        yield* changed(id, { change: "resume" }),
        "a resumed recurring payment after its end"
      )
    })
  ),
  make(
    "recurring/schedule",
    "a charge of the schedule moves next-charge-date to the next day",
    "docs/assumptions.md#schedules",
    ["CREATE_RP_V4"],
    Effect.gen(function* () {
      const { first } = yield* Orders.subscribed({ period: "daily", interval: "1" })
      const dayOf = Effect.map(Orders.status(first), (body) => Expect.textOf(body, "next-charge-date") ?? "")
      const before = yield* dayOf
      const start = (yield* Orders.status(first))["paynet-processing-date"]
      yield* Expect.that(
        before > String(start).slice(0, 10),
        `the next charge is on ${before}, the first was ${String(start)}`
      )
      yield* advance("2d")
      const after = yield* dayOf
      yield* Expect.that(after > before, `two days later the next charge is on ${after}, as before`)
    }),
    { alone: true, needs: [Capability.clock] }
  )
]

export const all: ReadonlyArray<Check.Check> = [
  ...cards,
  page("SALEFORM", "pass", "approved"),
  page("PREAUTHFORM", "pass", "approved"),
  page("PAYMENTFORM", "pass", "approved"),
  page("SALEFORM", "cancel", "declined"),
  ...recurring
]
