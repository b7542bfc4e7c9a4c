/** A hashing key that was replaced: requests from before are still known when they come again. */
import { readFileSync, writeFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Agenda } from "@pay/gateway/Agenda"
import * as PayApi from "@pay/schema/PayApi"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect } from "effect"
import * as TestGateway from "./TestGateway.ts"

const { RETURN, SALE } = PayApi.operations

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "pay-review-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** A new current key beside the old one. */
const rotate = (path: string) => {
  const ring = JSON.parse(readFileSync(path, "utf8"))
  ring.hashing = { current: 2, keys: { ...ring.hashing.keys, 2: Buffer.alloc(32, 7).toString("base64") } }
  writeFileSync(path, JSON.stringify(ring))
}

it.live("a sale and a return with a key are replayed after the hashing key was replaced", () =>
  Effect.gen(function* () {
    const dataDirectory = yield* folder
    const play = Effect.gen(function* () {
      const sale = yield* TestGateway.post(SALE, TestGateway.saleFields)
      yield* (yield* Agenda).settled
      const part = {
        login: TestGateway.login,
        client_orderid: TestGateway.saleFields.client_orderid ?? "",
        orderid: String(sale.body["paynet-order-id"]),
        amount: "1.00",
        currency: "USD"
      }
      const back = yield* TestGateway.post(RETURN, part, { headers: { "idempotency-key": "once" } })
      yield* (yield* Agenda).settled
      return [sale, back].map(({ body, status }) => ({ status, ...body, "serial-number": undefined }))
    })
    const gateway = Sandbox.layer({ dataDirectory, port: 0 })
    const before = yield* Effect.provide(play, gateway, { local: true })
    rotate(join(dataDirectory, "keys.json"))
    const after = yield* Effect.provide(play, gateway, { local: true })
    assert.deepStrictEqual(after, before)
    assert.deepStrictEqual(
      after.map(({ status }) => status),
      [200, 200]
    )
  })
)
