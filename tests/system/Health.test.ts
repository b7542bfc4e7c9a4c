import { assert, layer } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Effect } from "effect"
import { request } from "undici"
import * as TestGateway from "../harness/TestGateway.ts"

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const { operatorUrl, publicBaseUrl } = yield* NodeServer
    return yield* Effect.promise(async () => {
      const { body, statusCode } = await request((path === "/metrics" ? operatorUrl : publicBaseUrl) + path, {
        headers
      })
      return { status: statusCode, text: await body.text() }
    })
  })

layer(TestGateway.layer(), { excludeTestServices: true })("the gateway's health", (it) => {
  it.effect("is alive and ready", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* get("/healthz"), { status: 200, text: "ok\n" })
      assert.deepStrictEqual(yield* get("/readyz"), { status: 200, text: "ready\n" })
    })
  )

  it.effect("includes metrics in the Prometheus format", () =>
    Effect.gen(function* () {
      yield* get("/api/v2/nothing/1")
      const { status, text } = yield* get("/metrics")
      assert.strictEqual(status, 200)
      assert.match(text, /^# TYPE pay_requests_total counter$/m)
      assert.match(text, /^pay_requests_total\{merchant="none",operation="none",status="404"\} \d+$/m)
    })
  )

  it.effect("shows no metrics through a proxy or to a page in a browser", () =>
    Effect.gen(function* () {
      for (const name of ["forwarded", "via", "x-forwarded-for", "x-real-ip", "origin", "sec-fetch-site"]) {
        assert.strictEqual((yield* get("/metrics", { [name]: "203.0.113.7" })).status, 403, name)
      }
    })
  )

  it.effect("measures the longest time that the event loop was blocked", () =>
    Effect.gen(function* () {
      const longest = Effect.map(get("/metrics"), ({ text }) =>
        Number(/^pay_event_loop_stall_max_seconds (\S+)$/m.exec(text)?.[1])
      )
      yield* longest
      // What is measured begins at the first tick of the loop after a look.
      for (const ms of [20, 300]) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
        yield* get("/healthz")
      }
      assert.isAtLeast(yield* longest, 0.2)
    })
  )
})
