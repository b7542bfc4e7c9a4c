/** Reports about broken connections (docs/decisions/public-reports-inputs.md), where no other test has the same input. */
import * as Net from "node:net"
import { assert, layer } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import { RailControl } from "@pay/sandbox/RailControl"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as PayClient from "@pay/transport/PayClient"
import { Context, Effect, Layer } from "effect"
import { freePort, listen } from "../../packages/schema/test/Loopback.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import { clientSettings } from "../harness/Credentials.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

type Break = "before" | "within" | "after" | "silent" | "in the answer" | "idle"

/** A proxy that breaks one request of a connection, and counts the requests that it has seen. */
class BreakingProxy extends Context.Service<
  BreakingProxy,
  {
    readonly breakNext: (at: Break) => void
    readonly requests: () => number
  }
>()("tests/BreakingProxy") {}

const port = await Effect.runPromise(freePort)
const publicBaseUrl = `http://127.0.0.1:${port}`

/** Hands on what the client sends, unless the request is to be broken. */
const proxy = Layer.effect(
  BreakingProxy,
  Effect.gen(function* () {
    const gateway = yield* NodeServer
    let next: Break | undefined
    let requests = 0
    const server = Net.createServer((client) => {
      const upstream = Net.connect(gateway.port, gateway.host).on("error", () => client.destroy())
      let place: Break | undefined
      const isNow = (at: Break) => place === at
      client.on("data", (bytes: Buffer) => {
        if (bytes.toString("latin1").startsWith("POST ")) {
          requests += 1
          place = next
          next = undefined
        }
        if (isNow("before") || isNow("idle")) return void client.resetAndDestroy()
        if (!isNow("within")) return void upstream.write(bytes)
        upstream.write(bytes.subarray(0, bytes.length - 9), () => upstream.destroy())
        client.destroy()
      })
      upstream.on("data", (bytes: Buffer) => {
        if (isNow("silent")) return
        if (isNow("after")) return void client.destroy()
        if (isNow("in the answer")) return void client.end(bytes.subarray(0, bytes.length - 9))
        client.write(bytes)
      })
      client.on("close", () => upstream.destroy()).on("error", () => upstream.destroy())
    })
    yield* listen(server, port)
    return {
      breakNext: (at) => {
        next = at
        requests = 0
      },
      requests: () => requests
    }
  })
)

const world = Layer.provideMerge(
  Layer.mergeAll(proxy, PayClient.layer(clientSettings(publicBaseUrl))),
  TestGateway.layer({ settings: { publicBaseUrl } })
)

const breaks: ReadonlyArray<Break> = ["before", "within", "after", "silent", "in the answer", "idle"]

/** The fields of a request that moves 10.42, or 2.00 of it. */
const two = { amount: "2.00", currency: "USD" }
const requests = {
  SALE: Effect.sync(() => ({ ...Sample.request(PayApi.operations.SALE), client_orderid: TestMerchant.freshId() })),
  CAPTURE: Effect.map(TestMerchant.order("PREAUTH"), (order) => ({ ...order, ...two })),
  RETURN: Effect.map(TestMerchant.order("SALE"), (order) => ({ ...order, ...two })),
  REBILL: Effect.gen(function* () {
    const pay = yield* PayClient.PayClient
    const { "card-ref-id": cardrefid = "" } = yield* pay.cardref(yield* TestMerchant.order("SALE"))
    return { ...Sample.request(PayApi.operations.REBILL), client_orderid: TestMerchant.freshId(), cardrefid }
  }),
  PAYOUT_V4: Effect.sync(() => ({
    "client-order-id": TestMerchant.freshId(),
    account_number: "DE89370400440532013000",
    ...two
  }))
} as const

/** How often bank and rail have booked this kind of request for an order. */
const booked = Effect.fnUntraced(function* (name: keyof typeof requests, orderid: string) {
  if (name === "PAYOUT_V4") {
    const rail = yield* RailControl
    return (yield* rail.books.ofOrder(orderid)).length
  }
  const lines = yield* ClientMerchant.atBank({ orderid, client_orderid: "" })
  const kind = { SALE: "authorize", REBILL: "authorize", CAPTURE: "capture", RETURN: "refund" }[name]
  assert.notInclude(lines.join(), "again")
  return lines.filter((line) => line.startsWith(kind)).length
})

layer(world, { excludeTestServices: true })("a request that moves money", (it) => {
  for (const name of ["SALE", "CAPTURE", "RETURN", "REBILL", "PAYOUT_V4"] as const) {
    it.effect(`is sent once by each call and booked once by two, wherever its connection breaks: ${name}`, () =>
      Effect.gen(function* () {
        const pay = yield* PayClient.PayClient
        const { breakNext, requests: sent } = yield* BreakingProxy
        const operation: Operation = PayApi.operations[name]
        for (const at of breaks) {
          const texts = { ...(yield* requests[name]), login: TestGateway.login }
          const request = yield* Effect.fromResult(operation.decodeFields(texts))
          if (at === "idle") yield* pay.status({ client_orderid: (yield* TestMerchant.order("SALE")).client_orderid })
          breakNext(at)
          const error = yield* Effect.flip(
            pay.call(operation, request, at === "silent" ? { deadline: "300 millis" } : {})
          )
          assert.deepStrictEqual([error._tag, sent()], ["OutcomeUnknown", 1], at)
          yield* TestMerchant.settled
          const key = error._tag === "OutcomeUnknown" ? error.idempotencyKey : undefined
          const again = key === undefined ? {} : { idempotencyKey: key }
          const { orderid } = yield* ClientMerchant.send(name, texts, again)
          yield* TestMerchant.settled
          assert.strictEqual(yield* booked(name, orderid), 1, at)
        }
        yield* TestMerchant.assertClean
      })
    )
  }
})
