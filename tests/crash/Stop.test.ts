import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Status from "@pay/schema/Status"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Schedule } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import { clientSettings } from "../harness/Credentials.ts"
import * as GatewayProcess from "../harness/GatewayProcess.ts"

const { SALE } = PayApi.operations

const on = <A, E>(baseUrl: string, program: Effect.Effect<A, E, PayClient.PayClient>) =>
  Effect.provide(program, PayClient.layer(clientSettings(baseUrl)), { local: true })

describe("the gateway's program", () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    it.live(
      `answers open requests on ${signal}, accepts no new ones, and has all orders at its next start`,
      () =>
        Effect.gen(function* () {
          const folder = yield* temporaryFolder
          const payment = yield* Effect.fromResult(SALE.decodeFields(Sample.request(SALE)))
          const first = yield* GatewayProcess.app(folder)
          const sold: Array<string> = []
          let refused = ""
          yield* on(
            first.baseUrl,
            Effect.gen(function* () {
              const pay = yield* PayClient.PayClient
              for (let n = 0; ; n++) {
                const client_orderid = `stop-${n}`
                const result = yield* Effect.result(pay.sale({ ...payment, client_orderid }))
                if (result._tag === "Failure") {
                  refused = client_orderid
                  return
                }
                sold.push(client_orderid)
                if (n === 10) yield* first.signal(signal)
              }
            })
          )
          assert.strictEqual(yield* first.ended, 0)

          const second = yield* GatewayProcess.app(folder)
          yield* on(
            second.baseUrl,
            Effect.gen(function* () {
              const pay = yield* PayClient.PayClient
              for (const client_orderid of sold) {
                const { status } = yield* pay.status({ client_orderid }).pipe(
                  Effect.repeat({
                    until: (answer) => Status.isFinal(answer.status),
                    schedule: Schedule.spaced("50 millis")
                  })
                )
                assert.strictEqual(status, "approved")
              }
              // Whatever got no answer was not taken.
              assert.deepInclude(yield* Effect.flip(pay.status({ client_orderid: refused })), {
                _tag: "Refused",
                errorCode: 54
              })
            })
          )
          yield* second.signal(signal)
          assert.strictEqual(yield* second.ended, 0)
        }),
      60_000
    )
  }
})
