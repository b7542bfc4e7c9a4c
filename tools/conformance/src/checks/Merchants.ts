/** Checks of limits and endpoints, and that answers contain no information about another merchant. */
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Redacted } from "effect"
import * as Capability from "../Capability.ts"
import * as Check from "../Check.ts"
import type { Fields, Options } from "../Draft.ts"
import * as Expect from "../Expect.ts"
import { call, Gateway } from "../Gateway.ts"
import * as Orders from "../Orders.ts"
import * as Samples from "../Samples.ts"

const { SALE, STATUS } = PayApi.operations
const information = "docs/assumptions.md#order-of-refusals"

const make = (
  id: string,
  title: string,
  clause: Check.Clause,
  needs: ReadonlyArray<Capability.Capability>,
  program: Check.Program
): Check.Check => Check.make({ id, title, clause, needs, program })

const limits: ReadonlyArray<Check.Check> = [
  make(
    "limit/filtered",
    "a payment above the endpoint's limit ends filtered",
    "docs/assumptions.md#risk-rules",
    [Capability.limited],
    Effect.gen(function* () {
      const { limited } = (yield* Gateway).facts.settings
      if (limited === undefined) return
      const order = yield* Orders.create("SALE", { amount: limited.above }, { endpointId: limited.endpoint })
      yield* Expect.equal((yield* Orders.final(order)).status, "filtered", "the status")
    })
  ),
  make(
    "limit/currency",
    "a currency that the endpoint does not have is refused, and makes no order",
    "docs/assumptions.md#risk-rules",
    [],
    Effect.gen(function* () {
      const { settings } = (yield* Gateway).facts
      const fields = yield* Samples.request(SALE, { currency: settings.currency === "KWD" ? "CHF" : "KWD" })
      yield* Expect.refused(yield* call(SALE, fields), "currencyNotEnabled", "currency", "with another currency")
      yield* Orders.free(fields.client_orderid ?? "", "a refused sale")
    })
  ),
  make(
    "limit/expired",
    "an expired card is refused, and makes no order",
    "docs/assumptions.md#card-data",
    [],
    Effect.gen(function* () {
      const fields = yield* Samples.request(SALE, { expire_month: "12", expire_year: "2020" })
      yield* Expect.refused(yield* call(SALE, fields), "cardExpired", undefined, "with an expired card")
      yield* Orders.free(fields.client_orderid ?? "", "a refused sale")
    })
  ),
  make(
    "limit/amount",
    "amounts in any form other than digits with one decimal point are refused",
    "docs/assumptions.md#amounts",
    [],
    Effect.gen(function* () {
      for (const amount of [
        "0",
        "0.00",
        "-1.00",
        "+1.00",
        "1e3",
        "1,00",
        "1.",
        ".5",
        "10.421",
        "999999999999999999.99",
        "٣"
      ]) {
        const reply = yield* call(SALE, yield* Samples.request(SALE, { amount }))
        yield* Expect.refusedSomehow(reply, `with the amount ${amount}`)
      }
      for (const amount of ["7", "7.1", "7.10", "07.100"]) {
        const reply = yield* call(SALE, yield* Samples.request(SALE, { amount }))
        yield* Expect.accepted(reply, `a sale of ${amount}`)
      }
    })
  ),
  make(
    "limit/group",
    "an endpoint group accepts a payment, and the answer names the chosen endpoint",
    "docs/assumptions.md#endpoint-groups",
    [Capability.group],
    Effect.gen(function* () {
      const { endpoint, group = "" } = (yield* Gateway).facts.settings
      const fields = yield* Samples.request(SALE)
      const body = yield* Expect.accepted(yield* call(SALE, fields, { endpointId: group }), "a sale at the group")
      yield* Expect.equal(Expect.textOf(body, "end-point-id"), endpoint, "the endpoint that took it")
      const wrong = yield* call(SALE, yield* Samples.request(SALE), { endpointId: group, key: "another key" })
      yield* Expect.refused(wrong, "authenticationFailed", undefined, "at the group, with another key")
    })
  )
]

/** The login of the other merchant, and the options that sign with the other merchant's key. */
const asOther = Effect.gen(function* () {
  const { other } = (yield* Gateway).facts.settings
  const options: Options =
    other === undefined ? {} : { endpointId: other.endpoint, key: Redacted.value(other.controlKey) }
  return { login: other?.login ?? "", options }
})

const isolated = (name: "STATUS" | Orders.FollowUp): Check.Check =>
  make(
    `merchants/${name.toLowerCase()}`,
    `${name.toLowerCase()} is refused in the same way for another merchant's order, for ids of two orders, and for an unknown order`,
    information,
    [Capability.otherMerchant],
    Effect.gen(function* () {
      const { freshId } = yield* Gateway
      const operation = PayApi.operations[name]
      const order = yield* Orders.settled("PREAUTH")
      const another = yield* Orders.settled("PREAUTH")
      const { login, options } = yield* asOther
      const named = (changes: Fields) => ({ client_orderid: order.clientOrderId, orderid: order.orderId, ...changes })
      const ask = (changes: Fields) => call(operation, { login, ...named(changes) }, options)
      const unknown = yield* ask({ client_orderid: freshId(), orderid: "123456" })
      yield* Expect.refused(unknown, "orderNotFound", undefined, "an unknown order")
      for (const changes of [{}, { orderid: another.orderId }]) {
        const reply = yield* ask(changes)
        yield* Expect.equal(
          Expect.comparable(reply),
          Expect.comparable(unknown),
          "the answer about another merchant's order"
        )
      }
      const { settings } = (yield* Gateway).facts
      const mismatch = yield* call(operation, { login: settings.login, ...named({ orderid: another.orderId }) })
      yield* Expect.equal(
        Expect.comparable(mismatch),
        Expect.comparable(unknown),
        "the answer to the ids of two orders"
      )
      yield* Orders.expectState(order, "approved preauth 10.42 0.00 0.00 10.42", "after another merchant's request")
    })
  )

const merchants: ReadonlyArray<Check.Check> = [
  ...(["STATUS", "CAPTURE", "VOID", "RETURN"] as const).map(isolated),
  make(
    "merchants/names",
    "two merchants may use the same client_orderid for two orders",
    information,
    [Capability.otherMerchant],
    Effect.gen(function* () {
      const own = yield* Orders.settled("SALE")
      const { login, options } = yield* asOther
      const fields = yield* Samples.request(SALE, { client_orderid: own.clientOrderId, amount: "3.00" })
      const reply = yield* call(SALE, fields, options)
      yield* Expect.accepted(reply, "the other merchant's sale")
      const id = yield* Expect.text(reply, "paynet-order-id")
      yield* Expect.that(id !== own.orderId, "the other merchant's sale is answered with the first one's order")
      const status = yield* call(STATUS, { login, client_orderid: own.clientOrderId }, options)
      yield* Expect.equal(
        Expect.textOf(yield* Expect.accepted(status), "paynet-order-id"),
        id,
        "the order of the other"
      )
    })
  ),
  make(
    "merchants/endpoint",
    "another merchant's endpoint is refused in the same way as a wrong signature",
    information,
    [Capability.otherMerchant],
    Effect.gen(function* () {
      const { other } = (yield* Gateway).facts.settings
      const fields = yield* Samples.request(SALE)
      const wrong = yield* call(SALE, fields, { key: "another key" })
      const theirs = yield* call(SALE, fields, { endpointId: other?.endpoint ?? "" })
      yield* Expect.equal(
        Expect.comparable(theirs),
        Expect.comparable(wrong),
        "the answer at another merchant's endpoint"
      )
    })
  )
]

export const all: ReadonlyArray<Check.Check> = [...limits, ...merchants]
