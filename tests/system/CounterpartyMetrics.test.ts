import { assert, layer } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Scheduler } from "@pay/gateway/Scheduler"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as Http from "../harness/Http.ts"
import * as TestGateway from "../harness/TestGateway.ts"

const { SALE } = PayApi.operations

const sale = Effect.fnUntraced(function* (name: string, amount: string) {
  yield* TestGateway.post(SALE, {
    ...TestGateway.saleFields,
    client_orderid: name,
    amount,
    server_callback_url: "http://127.0.0.1:9/callback"
  })
  const scheduler = yield* Scheduler
  yield* scheduler.settled
})

/** The value of the line of this metric that has all these words. */
const value = (text: string, ...words: ReadonlyArray<string>): number | undefined => {
  const line = text.split("\n").find((each) => !each.startsWith("#") && words.every((word) => each.includes(word)))
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(" ") + 1))
}

layer(TestGateway.layer(), { excludeTestServices: true })("the metrics of a gateway", (it) => {
  it.effect("say who approved, who was not reached, and for which merchant", () =>
    Effect.gen(function* () {
      const { operatorUrl } = yield* NodeServer
      yield* sale("counted-1", "10.42")
      yield* sale("counted-2", "10.42")
      const { text } = yield* Http.send(`${operatorUrl}/metrics`)
      const bank = 'counterparty="acquirer"'
      assert.deepStrictEqual(
        [
          value(text, "pay_counterparty_requests_total", bank, 'method="authorize"', 'outcome="approved"'),
          value(text, "pay_counterparty_seconds_count", bank, 'method="authorize"'),
          value(text, "pay_counterparty_in_flight", bank),
          value(text, "pay_counterparty_oldest_seconds", bank),
          value(text, "pay_processing_requests"),
          value(text, "pay_requests_total", `merchant="${TestGateway.login}"`, 'operation="SALE"', 'status="200"'),
          value(text, "pay_request_seconds_count", 'operation="SALE"')
        ],
        [2, 2, 0, 0, 0, 2, 2]
      )
      assert.strictEqual(
        value(text, 'counterparty="callbacks"', 'host="127.0.0.1:9"', 'outcome="not-sent"'),
        2,
        text
          .split("\n")
          .filter((line) => line.includes("callbacks"))
          .join("\n")
      )
    })
  )
})
