/** The check of secrets reports card numbers and security codes in clear text. */
import { Card, Order, OrderRequest } from "@pay/gateway/Entities"
import { assert, describe, it } from "vitest"
import type { Change, Row } from "../ShadowStore.ts"
import * as Secrets from "./Secrets.ts"

const number = "4444333322221111"
const change = (entity: Change["entity"], after: Row): Change => ({
  ...{ entity, key: "17", how: "Put", before: undefined, after, isSure: true }
})
const gone = () => false
const ended = change(OrderRequest, { action: "sale", progress: "approved", orderId: "17" })

describe("the check of secrets", () => {
  it.each([
    ["the answer of /api/v2/sale", `{"card":"${number}"}`, "card number"],
    ["the log", `level=INFO message="cvv2=123"`, "security code"],
    ["the log", `{"cvv2":"123"}`, "security code"]
  ])("reports a secret in %s: %s", (where, text, what) => {
    assert.match(Secrets.inText(where, text).join(), new RegExp(what))
  })

  it.each([
    ["text", change(Order, { description: `paid with ${number}` })],
    ["bytes", change(Card, { encryptedPan: Buffer.from(number) })]
  ])("reports a card number in clear text in a row: %s", (_, each) => {
    assert.match(Secrets.ofCommit([each], gone).join(), /card number in clear text/)
  })

  it("reports a security code that is kept after its authorization", () => {
    assert.match(Secrets.ofCommit([ended], () => true).join(), /is kept after request 17/)
  })

  it("accepts encrypted card numbers and erased security codes", () => {
    assert.deepStrictEqual(Secrets.ofCommit([ended, change(Card, { encryptedPan: new Uint8Array(40) })], gone), [])
    assert.deepStrictEqual(Secrets.inText("an answer", '{"bin":"444433","last-four-digits":"1111"}'), [])
  })
})
