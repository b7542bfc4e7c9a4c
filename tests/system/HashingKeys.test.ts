import { assert, it } from "@effect/vitest"
import { Scheduler } from "@pay/gateway/Scheduler"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as HostedPage from "../harness/HostedPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as Copies from "./Copies.ts"

const { PREAUTH, RETURN, SALE, TDS_UPLOAD_CRES_RESULT } = PayApi.operations
const { endpoints, login } = TestGateway

it.live("a sale and a return with an Idempotency-Key are replays after a rotation of the hashing key", () =>
  Effect.gen(function* () {
    const dataDirectory = yield* temporaryFolder
    const play = Effect.gen(function* () {
      const sale = yield* TestGateway.post(SALE, TestGateway.saleFields)
      yield* (yield* Scheduler).settled
      const part = {
        login,
        client_orderid: TestGateway.saleFields.client_orderid ?? "",
        orderid: String(sale.body["paynet-order-id"]),
        amount: "1.00",
        currency: "USD"
      }
      const back = yield* TestGateway.post(RETURN, part, { headers: { "idempotency-key": "once" } })
      yield* (yield* Scheduler).settled
      return [sale, back].map(({ body, status }) => ({ status, ...body, "serial-number": undefined }))
    })
    const gateway = Sandbox.layer({ dataDirectory, port: 0 })
    const before = yield* Effect.provide(play, gateway, { local: true })
    Copies.rotateHashing(dataDirectory)
    const after = yield* Effect.provide(play, gateway, { local: true })
    assert.deepStrictEqual(after, before)
    assert.deepStrictEqual(
      after.map(({ status }) => status),
      [200, 200]
    )
  })
)

it.live("a repeated request for a hosted page returns the same page after a rotation of the hashing key", () =>
  Effect.gen(function* () {
    const dataDirectory = yield* temporaryFolder
    const ask = HostedPage.open("page-again").pipe(
      Effect.provide(Sandbox.layer({ dataDirectory, port: 0 }), { local: true })
    )
    const before = yield* ask
    Copies.rotateHashing(dataDirectory)
    const after = yield* ask
    assert.strictEqual(after.reply.status, 200)
    assert.deepStrictEqual([after.names, new URL(after.url).pathname], [before.names, new URL(before.url).pathname])
  })
)

it.live("a repeated 3-D Secure upload is answered as before after a rotation of the hashing key", () =>
  Effect.gen(function* () {
    const dataDirectory = yield* temporaryFolder
    const gateway = Sandbox.layer({ dataDirectory, port: 0 })
    const upload = (fields: Readonly<Record<string, string>>) =>
      TestGateway.post(TDS_UPLOAD_CRES_RESULT, fields, { endpointId: endpoints.threedsMerchant })
    const first = Effect.gen(function* () {
      const scheduler = yield* Scheduler
      const { play } = yield* ThreeDSControl
      const { body } = yield* TestGateway.post(
        PREAUTH,
        { ...TestGateway.saleFields, ...Sample.browser, redirect_url: "https://shop.example/back" },
        { endpointId: endpoints.threedsMerchant }
      )
      yield* scheduler.settled
      const orderid = String(body["paynet-order-id"])
      const carried = yield* Effect.orDie(play(orderid, "pass"))
      assert(carried._tag === "CRes")
      const names = { login, "client-order-id": TestGateway.saleFields.client_orderid ?? "", orderid }
      const fields = { ...names, cRes: carried.cres }
      assert.strictEqual((yield* upload(fields)).status, 200)
      yield* scheduler.settled
      return fields
    })
    const fields = yield* Effect.provide(first, gateway, { local: true })
    Copies.rotateHashing(dataDirectory)
    const again = yield* Effect.provide(upload(fields), gateway, { local: true })
    assert.deepStrictEqual([again.status, again.body["paynet-order-id"]], [200, fields.orderid])
  })
)
