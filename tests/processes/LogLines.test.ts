/** The lines that a gateway's process writes: a text, and fields by which one order, merchant or process is found. */
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Sandbox from "@pay/server/Sandbox"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Schedule, Schema } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as CallbackServer from "../harness/CallbackServer.ts"
import { clientSettings } from "../harness/Credentials.ts"
import * as GatewayProcess from "../harness/GatewayProcess.ts"
import * as Http from "../harness/Http.ts"

const { SALE } = PayApi.operations

const Line = Schema.Struct({
  message: Schema.String,
  level: Schema.String,
  timestamp: Schema.String,
  process: Schema.String,
  version: Schema.String
})
const readLine = Schema.decodeUnknownSync(Line)

/** A gateway that logs at this level, and what it has written so far. */
const gateway = Effect.fnUntraced(function* (level: string) {
  const lines: Array<string> = []
  const folder = yield* temporaryFolder
  const { baseUrl } = yield* GatewayProcess.app(folder, {
    env: { PAY_LOG_LEVEL: level },
    onLine: (line) => void lines.push(line)
  })
  /** Waits for a line with these words. */
  const until = (words: ReadonlyArray<string>) =>
    Effect.suspend(() => {
      const written = lines.find((line) => words.every((word) => line.includes(word)))
      return written === undefined ? Effect.fail("not yet") : Effect.sync(() => Http.json(written))
    }).pipe(Effect.retry(Schedule.spaced("20 millis")), Effect.orDie)
  const operators = String((yield* until(["is ready"])).operators)
  const setLevel = (to: string) =>
    Http.send(`${operators}/operator/logs/level`, { method: "POST", body: JSON.stringify({ level: to }) })
  return { baseUrl, lines, operators, setLevel, until }
})

describe("the lines of a gateway's process", () => {
  it.live(
    "name merchant, operation and both numbers of the order in request, job and callback",
    () =>
      Effect.gen(function* () {
        const { baseUrl, lines, operators, setLevel, until } = yield* gateway("debug")
        const shop = yield* CallbackServer.open({})
        const payment = yield* Effect.fromResult(SALE.decodeFields(Sample.request(SALE)))
        const sell = (client_orderid: string, url = shop.url()) =>
          Effect.gen(function* () {
            const pay = yield* PayClient.PayClient
            return yield* pay.sale({ ...payment, client_orderid, server_callback_url: url })
          }).pipe(Effect.provide(PayClient.layer(clientSettings(baseUrl)), { local: true }))
        yield* sell("lines-1")
        const merchant = Sandbox.merchant.login
        const callback = yield* until(["A callback was delivered", "lines-1"])
        const about = { merchant, order_id: callback.order_id, client_order_id: "lines-1" }
        const table = [
          ["A request was answered", { ...about, operation: "SALE", address: "127.0.0.1", status: 200 }],
          ["Bank or rail answered", { ...about, operation: "SALE", answer: "Approved" }],
          ["A callback was delivered", { ...about, result: "200" }]
        ] as const
        for (const [message, fields] of table) assert.deepInclude(yield* until([message, "lines-1"]), fields, message)
        assert.include(yield* until(["A request was answered"]), { key: `${merchant}/control-1` })

        for (const line of lines) {
          const { process } = readLine(Http.json(line))
          assert.match(process, /:\d+$/)
          assert.notInclude(line, "fiberId")
          assert.notInclude(line, "annotations")
        }

        assert.strictEqual((yield* setLevel("warning")).status, 200)
        const { length } = lines
        yield* sell("lines-2")
        assert.strictEqual((yield* setLevel("debug")).status, 200)
        yield* sell("lines-3")
        yield* until(["A request was answered", "lines-3"])
        assert.isEmpty(lines.slice(length).filter((line) => line.includes("lines-2") && line.includes("was answered")))
        assert.strictEqual((yield* setLevel("loud")).status, 400)
        const audit = yield* Http.send(`${operators}/operator/audit?subject=process:${callback.process}`)
        assert.include(audit.text, '"detail":{"from":"warning","to":"debug"}')
        assert.include(audit.text, '"detail":{"from":"debug","to":"warning"}')
        const requests = Http.json((yield* Http.send(`${operators}/operator/requests?key=${merchant}/control-1`)).text)
        assert.include(JSON.stringify(requests), '"address":"127.0.0.1"')
        assert.include(JSON.stringify(requests), "lines-1")
      }),
    60_000
  )
})
