/** What the bank gets with each request: terminal, statement text, customer, the bank's own identifier of the payment, and times. */
import { assert, describe, it } from "@effect/vitest"
import type { Acquirer, Adapter, Inquiry } from "@pay/gateway/Acquirer"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Effect } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as Credentials from "../harness/Credentials.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as World from "../harness/World.ts"

const { usd } = Credentials.endpoints

type Placed = Pick<Inquiry, "descriptor" | "processorTxId" | "reference" | "requestedAtMs" | "terminal">

/** What a call carried of the terminal and its place. */
interface Received {
  readonly descriptor: string | undefined
  readonly reference: string
  readonly requestedAtMs: number | undefined
  readonly mid: string | undefined
  readonly bankId?: string | undefined
}

const recording = () => {
  const received: Array<Received> = []
  const customers: Array<unknown> = []
  const add = ({ descriptor, reference, requestedAtMs, terminal }: Omit<Placed, "processorTxId">, bankId?: string) =>
    received.push({ descriptor, reference, requestedAtMs, mid: terminal?.mid, ...(bankId && { bankId }) })
  const spoilBank = (bank: Acquirer["Service"]): Adapter => ({
    ...bank,
    authorize: (request) => {
      add(request)
      customers.push({ ...request.customer, initiator: request.initiator })
      return bank.authorize(request)
    },
    followUp: (kind, request) => {
      add(request, request.original.processorTxId)
      return bank.followUp(kind, request)
    },
    inquire: (inquiry) => {
      add(inquiry, inquiry.original?.processorTxId)
      return bank.inquire(inquiry)
    }
  })
  return { customers, received, spoilBank }
}

const terminals = [
  { mid: "MID-EUR", currencies: ["EUR"] },
  { mid: "MID-USD", tid: "T1", currencies: ["USD"], descriptor: "SHOP*USD" },
  { mid: "MID-REST" }
] as const

describe("the terminal of a payment", () => {
  it.effect(
    "is the first one for the currency; follow-ups and inquiries carry it with the bank's own identifier",
    () => {
      const { received, spoilBank } = recording()
      return Effect.gen(function* () {
        const order = yield* ClientMerchant.create("PREAUTH")
        yield* World.settled
        const bankId = (yield* ClientMerchant.status(order))["processor-tx-id"]
        yield* (yield* SandboxControl).forOrder(order.orderid, "capture", { delivery: { _tag: "AnswerLost" } })
        yield* ClientMerchant.act("CAPTURE", order)
        yield* World.pass("5 seconds")
        const { requestedAtMs: ofPayment } = received[0] ?? {}
        const { requestedAtMs: ofCapture } = received[1] ?? {}
        const place = { descriptor: "SHOP*USD", mid: "MID-USD" }
        const capture = { ...place, reference: `${order.orderid}-capture-1`, bankId, requestedAtMs: ofCapture }
        assert.deepStrictEqual(received, [
          { ...place, reference: `${order.orderid}-authorize-0`, requestedAtMs: ofPayment },
          capture,
          // The inquiry names the time of the request, not its own.
          capture
        ])
        assert.isDefined(ofPayment)
        assert.strictEqual((yield* ClientMerchant.status(order)).descriptor, "SHOP*USD")
      }).pipe(
        Effect.provide(
          World.layer({
            spoilBank,
            merchants: Merchants.both({ [usd]: { currencies: ["USD", "EUR"], terminals } })
          })
        )
      )
    }
  )

  it.effect("stays that of its creation when the configuration has another one", () => {
    const { received, spoilBank } = recording()
    const world = World.outside({ spoilBank })
    const endpoint = (mid: string) => Merchants.both({ [usd]: { terminals: [{ mid }] } })
    return Effect.gen(function* () {
      const order = yield* ClientMerchant.create("SALE").pipe(
        Effect.tap(World.settled),
        Effect.provide(World.gateway({}, endpoint("OLD")))
      )
      yield* ClientMerchant.act("RETURN", order).pipe(
        Effect.tap(World.settled),
        Effect.provide(World.gateway({}, endpoint("NEW")))
      )
      assert.deepStrictEqual(
        received.map(({ mid, reference }) => `${reference} ${mid}`),
        [`${order.orderid}-sale-0 OLD`, `${order.orderid}-refund-1 OLD`]
      )
    }).pipe(Effect.provide(world))
  })

  it.effect("is absent without a configured one, and the endpoint's descriptor is sent", () => {
    const { received, spoilBank } = recording()
    return Effect.gen(function* () {
      yield* ClientMerchant.create("SALE")
      yield* World.settled
      assert.deepInclude(received[0], { descriptor: "SANDBOX USD", mid: undefined })
    }).pipe(Effect.provide(World.layer({ spoilBank })))
  })
})

describe("the customer of a payment", () => {
  it.effect("is passed to the bank with name, address, e-mail, phone and IP address", () => {
    const { customers, spoilBank } = recording()
    return Effect.gen(function* () {
      yield* ClientMerchant.create("SALE", {
        ...{ first_name: "John", last_name: "Smith", address1: "1600 Main Street", city: "Los Angeles" },
        ...{ zip_code: "90001", country: "US", state: "CA" },
        ...{ email: "john@shop.example", phone: "+12125550123", ipaddress: "203.0.113.7" }
      })
      yield* World.settled
      assert.deepStrictEqual(customers, [
        {
          email: "john@shop.example",
          phone: "+12125550123",
          ipAddress: "203.0.113.7",
          billing: {
            ...{ firstName: "John", lastName: "Smith", street: "1600 Main Street", city: "Los Angeles" },
            ...{ postalCode: "90001", country: "US", state: "CA" }
          },
          initiator: "cardholder"
        }
      ])
    }).pipe(Effect.provide(World.layer({ spoilBank })))
  })
})
