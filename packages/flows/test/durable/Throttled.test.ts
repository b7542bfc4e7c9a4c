import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as PayClient from "@pay/transport/PayClient"
import * as Wire from "@pay/transport/Wire"
import { Effect, Layer, Redacted } from "effect"
import { temporaryFolder } from "../../../sqlite/test/TemporaryFolder.ts"
import * as CustomerBrowser from "../../src/browser/CustomerBrowser.ts"
import * as Cipher from "../../src/durable/Cipher.ts"
import * as Durable from "../../src/durable/Durable.ts"
import * as FlowPayload from "../../src/engine/FlowPayload.ts"
import { CardSale } from "../../src/payments/CardPayment.ts"
import { PayOutV2 } from "../../src/payments/PayOut.ts"
import { key } from "./Fixture.ts"
import * as VirtualTime from "./VirtualTime.ts"

const { PAYOUT, SALE } = PayApi.operations

/**
 * Accepts so many calls a second of any kind, and answers 429 to all others. It has no protection against repeats: the same
 * payout twice is paid twice.
 */
const limitedGateway = (callsPerSecond: number, nowMs: () => number) => {
  const paid = new Map<string, number>()
  const codes: Array<string> = []
  let second = -1
  let inSecond = 0
  const answer = ({ body, url }: Wire.WireRequest) =>
    Effect.sync((): Wire.WireAnswer => {
      const now = Math.floor(nowMs() / 1000)
      if (now !== second) {
        second = now
        inSecond = 0
      }
      const order = new URLSearchParams(body).get("client_orderid") ?? ""
      const about = { "merchant-order-id": order, "serial-number": crypto.randomUUID() }
      const reply = (status: number, json: object) => ({
        status,
        headers: {},
        body: JSON.stringify({ ...about, ...json })
      })
      if (inSecond === callsPerSecond) {
        const refusal = { type: "error", "error-code": "83", "error-message": "too many requests" }
        return { ...reply(429, refusal), headers: { "retry-after": "1" } }
      }
      inSecond += 1
      const orderId = { "paynet-order-id": order.replace(/\D/g, "") }
      if (url.includes("/status/")) {
        return paid.has(order)
          ? reply(200, { type: "status-response", status: "approved", currency: "USD", ...orderId })
          : reply(400, { type: "validation-error", "error-message": "Unknown order" })
      }
      codes.push(new URLSearchParams(body).get("cvv2") ?? "none")
      paid.set(order, (paid.get(order) ?? 0) + 1)
      return reply(200, { type: "async-response", ...orderId })
    })
  return { answer, codes, paid }
}

/** Durable flows on a file of their own, whose client calls that gateway. */
const engine = Effect.fnUntraced(function* <E, R>(
  { answer }: Pick<ReturnType<typeof limitedGateway>, "answer">,
  flows: Layer.Layer<never, E, R>,
  options: Partial<PayClient.Options> = {}
) {
  const path = join(yield* temporaryFolder, "flows.db")
  const client = PayClient.layerNoDeps({
    baseUrl: "http://localhost",
    login: "shop",
    controlKey: Redacted.make("key"),
    endpointId: "1",
    ...options
  })
  const cipher = yield* Cipher.make({ key })
  return Layer.provideMerge(flows.pipe(Layer.provideMerge(Durable.layer({ path, cipher }))), [
    Layer.provide(client, Wire.layerInProcess(answer)),
    CustomerBrowser.layerNone
  ])
})

const payouts = 100

const payoutOf = (index: number) =>
  Effect.orDie(
    Effect.fromResult(FlowPayload.decode(PayOutV2, { ...Sample.request(PAYOUT), client_orderid: `payout-${index}` }))
  )

const clients = [
  ["a client without a limit of its own", {}],
  ["a client with the gateway's limit", { callsPerSecond: 10 }]
] as const

describe("100 durable payouts at a gateway with a limit of ten calls a second", () => {
  it.effect.each(clients)("are all paid, and none twice: $0", ([, options]) =>
    Effect.gen(function* () {
      const { nowMs, run } = VirtualTime.make()
      const gateway = limitedGateway(10, nowMs)
      const durable = yield* engine(gateway, PayOutV2.layer, options)
      const ends = yield* Effect.gen(function* () {
        const all = Array.from({ length: payouts }, (_, index) => index)
        yield* Effect.forEach(all, (index) => Effect.flatMap(payoutOf(index), (payout) => PayOutV2.start(payout)), {
          concurrency: "unbounded",
          discard: true
        })
        return yield* Effect.forEach(all, (index) => PayOutV2.ended(`payout-${index}`))
      }).pipe(Effect.provide(durable), run)
      const succeeded = ends.filter(({ _tag }) => _tag === "Succeeded").length
      const twice = [...gateway.paid.values()].filter((times) => times > 1).length
      assert.deepStrictEqual(
        { succeeded, paid: gateway.paid.size, twice },
        { succeeded: payouts, paid: payouts, twice: 0 }
      )
    })
  )
})

describe("a durable sale at a gateway that limits its calls", () => {
  it.effect("waits in its first run, and so keeps its security code", () =>
    Effect.gen(function* () {
      const { nowMs, run } = VirtualTime.make()
      const limited = limitedGateway(1, nowMs)
      const { codes, paid } = limited
      const durable = yield* engine(limited, CardSale.layer)
      const sale = (id: string) =>
        Effect.orDie(
          Effect.fromResult(FlowPayload.decode(CardSale, { ...Sample.request(SALE), client_orderid: id, cvv2: "987" }))
        )
      const ends = yield* Effect.gen(function* () {
        const ids = ["sale-1", "sale-2", "sale-3"]
        for (const id of ids) yield* CardSale.start(yield* sale(id))
        return yield* Effect.forEach(ids, (id) => CardSale.ended(id))
      }).pipe(Effect.provide(durable), run)
      assert.deepStrictEqual(
        ends.map(({ _tag }) => _tag),
        ["Succeeded", "Succeeded", "Succeeded"]
      )
      assert.deepStrictEqual([paid.size, ...codes], [3, "987", "987", "987"])
    })
  )
})
