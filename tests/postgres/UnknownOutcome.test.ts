/** The answer to a request whose commit has an unknown outcome, and the effect of its repetition. */
import { assert, layer } from "@effect/vitest"
import { Order } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Redacted, Schedule } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as GatewayProcess from "../harness/GatewayProcess.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Sales from "./Sales.ts"
import * as TcpProxy from "./TcpProxy.ts"

const { CAPTURE, SALE } = PayApi.operations
/** Part of the statement that commits. */
const commit = "pay.commit_"
const soon = Schedule.spaced("20 millis")

const sell = (client_orderid: string) => TestGateway.post(SALE, { ...Sample.request(SALE), client_orderid })

/** Repeats the request until it is accepted: for a moment after it is back the database may not be reached on each connection. */
const untilTaken = <E, R>(request: Effect.Effect<TestGateway.Reply, E, R>) =>
  Effect.repeat(request, { schedule: soon, until: ({ status }) => status === 200 })

const summary = ({ body, status }: TestGateway.Reply) => [status, body["error-code"]]

const refused = { unknown: [500, "84"], unavailable: [503, "85"] }

/** The kinds of requests that the bank has of the order, and how each was answered. */
const atBank = Effect.fnUntraced(function* (orderId: string) {
  const { books } = yield* SandboxControl
  return (yield* books.ofOrder(orderId)).map(
    ({ answer, repeats, request }) => `${request.kind} ${request.amountMinor} ${answer._tag} ${repeats}`
  )
})

/** A gateway whose database is behind a proxy. */
const behindProxy = <A, E, R>(program: (proxy: TcpProxy.TcpProxy) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const url = new URL(yield* (yield* Sales.Databases).make)
    const proxy = yield* TcpProxy.make(Number(url.port))
    url.port = `${proxy.port}`
    const folder = yield* temporaryFolder
    const database = { url: Redacted.make(url.href), statementTimeoutMs: 1000, connectTimeoutMs: 2000 }
    return yield* TestGateway.quietly(folder, { database, bank: GatewayProcess.bank })(program(proxy))
  })

layer(Sales.Databases.layer, { excludeTestServices: true })("a request whose commit is not answered", (it) => {
  it.effect.each(["before", "during", "after"] as const)(
    "is answered 500 (later requests 503), and repeated makes one order, charged once: cut %s execution",
    (moment) =>
      behindProxy((proxy) =>
        Effect.gen(function* () {
          yield* TestGateway.untilReadiness(200)
          const cut = yield* proxy.cutAt(moment, commit, "refuse", "doubtful")
          assert.deepStrictEqual(summary(yield* sell("doubtful")), refused.unknown)
          yield* cut
          yield* proxy.refuse
          assert.deepStrictEqual(summary(yield* sell("later")), refused.unavailable)
          if (moment === "after") yield* TestGateway.untilReadiness(503)
          yield* proxy.accept
          if (moment === "after") yield* TestGateway.untilReadiness(200)
          const orderId = TestMerchant.text(yield* untilTaken(sell("doubtful")), "paynet-order-id")
          assert.strictEqual(TestMerchant.text(yield* untilTaken(sell("doubtful")), "paynet-order-id"), orderId)
          yield* TestMerchant.pass("5 minutes")
          assert.deepStrictEqual(yield* atBank(orderId), ["authorize 1042 Approved 0"])
          const store = yield* Store
          assert.lengthOf(yield* store.find(Order, "key", { limit: 10 }), 1)
        })
      )
  )

  it.effect("is executed once under its Idempotency-Key", () =>
    behindProxy((proxy) =>
      Effect.gen(function* () {
        const { client_orderid, orderid } = yield* TestMerchant.order("PREAUTH")
        yield* TestMerchant.settled
        const fields = { login: TestGateway.login, client_orderid, orderid, amount: "4.00", currency: "USD" }
        const capture = TestGateway.post(CAPTURE, fields, { headers: { "idempotency-key": "doubtful" } })
        const cut = yield* proxy.cutAt("after", commit, "refuse", "doubtful")
        assert.deepStrictEqual(summary(yield* capture), refused.unknown)
        yield* cut
        yield* proxy.refuse
        assert.deepStrictEqual(summary(yield* capture), refused.unavailable)
        yield* proxy.accept
        const first = yield* untilTaken(capture)
        const again = yield* untilTaken(capture)
        assert.strictEqual(TestMerchant.text(again, "paynet-order-id"), TestMerchant.text(first, "paynet-order-id"))
        yield* TestMerchant.pass("5 minutes")
        const status = yield* TestMerchant.status({ client_orderid, orderid })
        assert.strictEqual(status["captured-amount"], "4.00")
        assert.deepStrictEqual(yield* atBank(orderid), ["authorize 1042 Approved 0", "capture 400 Approved 0"])
      })
    )
  )
})
