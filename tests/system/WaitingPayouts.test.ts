import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Approver from "../harness/Approver.ts"
import { ask } from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"

const { endpoints, login } = TestGateway

const listed = Effect.fnUntraced(function* (more = "", merchant = login) {
  const { body, status, text } = yield* ask("GET", `/operator/payouts?merchant=${merchant}&state=waiting${more}`)
  assert.strictEqual(status, 200, text)
  const { next, payouts } = body
  assert(Array.isArray(payouts))
  return { next, payouts, orders: payouts.map(({ order }) => order) }
})

layer(TestGateway.layer(), { excludeTestServices: true })("an approver's list of waiting payouts", (it) => {
  it.effect("has each payout until it is decided or lapses, from the oldest, in pages", () =>
    Effect.gen(function* () {
      const question = TestPayouts.made("PAYOUT", TestPayouts.plain, { endpointId: endpoints.approval })
      const made: Array<string> = []
      for (const _ of [1, 2, 3, 4]) {
        made.push((yield* question).orderid)
        yield* TestMerchant.pass("1 second")
      }
      yield* TestPayouts.made("PAYOUT", TestPayouts.plain)
      const [one = "", two = "", three = "", four = ""] = made
      const all = yield* listed()
      assert.deepStrictEqual(all.orders, made)
      assert.isUndefined(all.next)
      assert.deepStrictEqual(all.payouts[0], (yield* Approver.look(one)).body)
      assert.containsAllKeys(all.payouts[0], ["asked", "expires"])
      const first = yield* listed("&limit=3")
      assert.deepStrictEqual(first.orders, [one, two, three])
      assert.deepStrictEqual((yield* listed(`&after=${first.next}`)).orders, [four])
      const own = yield* Approver.list()
      assert.deepStrictEqual([own.status, own.body], [200, { payouts: all.payouts }])
      const page = yield* Approver.list({}, { limit: "1", after: String(first.next) })
      assert.deepStrictEqual(page.body.payouts, all.payouts.slice(3))
      yield* Approver.decide(one, "approve")
      yield* Approver.decide(three, "reject")
      assert.deepStrictEqual((yield* listed()).orders, [two, four])
      assert.deepStrictEqual((yield* listed("", "nobody")).orders, [])
      yield* TestMerchant.pass("1 day")
      assert.deepStrictEqual((yield* listed()).orders, [])
    })
  )

  it.effect.each([
    ["", "state is needed"],
    ["?state=waiting&merchant=", "merchant must be a value with a length of at least 1"],
    ["?merchant=a", "state is needed"],
    ["?merchant=a&state=decided", 'state must be \\"waiting\\"'],
    ["?merchant=a&state=waiting&limit=0", "limit is a number from 1 to 1000"],
    ["?merchant=a&state=waiting&after=x", "after is not the next of a page"],
    ["?merchant=a&merchant=b&state=waiting", "merchant is given twice"],
    ["?merchant=a&state=waiting&sort=up", "sort is not a parameter of this operation"]
  ] as const)("is refused for the query %s", ([query, says]) =>
    Effect.gen(function* () {
      const { status, text } = yield* ask("GET", `/operator/payouts${query}`)
      assert.strictEqual(status, 400)
      assert.include(text, says)
    })
  )
})
