/** The checks of idempotency and of isolation report each kind of wrong answer. */
import { Balance, Order } from "@pay/gateway/Entities"
import { assert, describe, it } from "vitest"
import type { Change, Row } from "../ShadowStore.ts"
import * as Idempotency from "./Idempotency.ts"
import * as Isolation from "./Isolation.ts"

const exchange = {
  ...{ login: "m", target: "/api/v2/capture/1", path: "/api/v2/capture", body: "a=1&control=x", status: 200 },
  ...{ headers: { "Idempotency-Key": "k" }, answer: '{"type":"async-response","serial-number":"1","end-point-id":"1"}' }
}

describe("the check of idempotency", () => {
  it("accepts a repeated answer with another serial number, and reports any other difference", () => {
    const again = (status: number, answer: string) => Idempotency.repeated(exchange, { status, answer }).length
    assert.strictEqual(again(200, exchange.answer.replace('"1"', '"2"')), 0)
    assert.strictEqual(again(200, exchange.answer.replace('point-id":"1"', 'point-id":"2"')), 1)
    assert.strictEqual(again(400, exchange.answer), 1)
  })

  it("reports a repeat with other content that is accepted", () => {
    assert.strictEqual(Idempotency.differed(exchange, { status: 200, answer: "" }).length, 1)
    assert.strictEqual(Idempotency.differed(exchange, { status: 400, answer: "" }).length, 0)
  })

  it("repeats only requests that the gateway can recognize as repeats", () => {
    assert.isTrue(Idempotency.isRepeatable(exchange))
    assert.isFalse(Idempotency.isRepeatable({ ...exchange, headers: {} }))
    assert.isFalse(Idempotency.isRepeatable({ ...exchange, status: 400 }))
    assert.isTrue(Idempotency.isRepeatable({ ...exchange, headers: {}, path: "/api/v2/sale" }))
  })
})

describe("the check of isolation", () => {
  const change = (entity: Change["entity"], after: Row): Change => ({
    ...{ entity, key: "1", how: "Put", before: undefined, after, isSure: true }
  })

  it("reports a commit that changes rows of two merchants", () => {
    const own = change(Order, { merchantId: "m" })
    assert.deepStrictEqual(Isolation.ofCommit([own, change(Balance, { account: "m/1/USD/authorised" })]), [])
    assert.match(Isolation.ofCommit([own, change(Order, { merchantId: "n" })]).join(), /rows of m and n/)
    assert.match(
      Isolation.ofCommit([own, change(Balance, { account: "n/1/USD/authorised" })]).join(),
      /rows of m and n/
    )
  })

  it("reports a foreign order whose answer differs from that of an unknown order", () => {
    const unknown = { status: 400, answer: '{"serial-number":"1","error-code":"54"}' }
    assert.deepStrictEqual(
      Isolation.answered("17", { ...unknown, answer: unknown.answer.replace("1", "2") }, unknown),
      []
    )
    assert.strictEqual(Isolation.answered("17", { status: 400, answer: '{"error-code":"55"}' }, unknown).length, 1)
    assert.strictEqual(Isolation.answered("17", { status: 200, answer: "" }, { status: 200, answer: "" }).length, 1)
  })
})
