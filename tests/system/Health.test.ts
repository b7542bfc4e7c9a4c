import { assert, layer } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Effect } from "effect"
import { request } from "undici"
import * as TestGateway from "./TestGateway.ts"

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const { host, port } = yield* NodeServer
    return yield* Effect.promise(async () => {
      const { body, statusCode } = await request(`http://${host}:${port}${path}`, { headers })
      return { status: statusCode, text: await body.text() }
    })
  })

layer(TestGateway.layer(), { excludeTestServices: true })("what an operator sees", (it) => {
  it.effect("alive and ready", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* get("/healthz"), { status: 200, text: "ok\n" })
      assert.deepStrictEqual(yield* get("/readyz"), { status: 200, text: "ready\n" })
    })
  )

  it.effect("numbers, in the words of Prometheus, for this machine only", () =>
    Effect.gen(function* () {
      yield* get("/api/v2/nothing/1")
      const { status, text } = yield* get("/metrics")
      assert.strictEqual(status, 200)
      assert.match(text, /^# TYPE pay_requests_total counter$/m)
      assert.match(text, /^pay_requests_total\{status="404"\} \d+$/m)
      assert.strictEqual((yield* get("/metrics", { "x-forwarded-for": "203.0.113.7" })).status, 404)
    })
  )
})
