import { assert, describe, it } from "@effect/vitest"
import type { Answer } from "../src/world/AnswerFacts.ts"
import { Strangers } from "../src/world/Strangers.ts"
import * as WorldShop from "./WorldShop.ts"

const answer = (body: string, status = 200): Answer => ({ status, rawHeaders: [], body: Buffer.from(body) })
const textOf = ({ body }: Answer): string => body.toString()

const own = WorldShop.order([])
const other = WorldShop.order([])

describe("the answer to another customer's request", () => {
  it("is the last one that another order got to the same operation", () => {
    const strangers = new Strangers()
    strangers.keep(other, "SALE", answer("first"))
    strangers.keep(other, "SALE", answer("last"))
    strangers.keep(other, "SALE", answer("refused", 400))
    strangers.keep(other, "STATUS", answer("status"))
    strangers.keep(own, "SALE", answer("own"))
    assert.strictEqual(textOf(strangers.answer(own, "SALE", answer("own"))), "last")
  })

  it.each([
    [
      '{"type":"async-response","paynet-order-id":"19","merchant-order-id":"a1"}',
      '{"type":"async-response","paynet-order-id":"10","merchant-order-id":"strangers-order"}'
    ],
    [
      "type=async-response\n&paynet-order-id=12\n&merchant-order-id=a1\n",
      "type=async-response\n&paynet-order-id=13\n&merchant-order-id=strangers-order\n"
    ]
  ])("is that of a stranger, if no other order asked: %s", (body, strange) => {
    assert.strictEqual(textOf(new Strangers().answer(own, "SALE", answer(body))), strange)
  })

  it("is forgotten with its order", () => {
    const strangers = new Strangers()
    strangers.keep(other, "SALE", answer("other"))
    strangers.forget(other)
    assert.strictEqual(textOf(strangers.answer(own, "SALE", answer("own"))), "own")
  })
})
