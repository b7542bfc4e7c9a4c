/** Follow-ups of an order as they are taken: what is committed, under which guards, and what is told of a repetition. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import type { Call } from "../../src/merchants/Call.ts"
import { OrderRequest } from "../../src/orders/OrderRequest.ts"
import { preauth, sale } from "../domain/Sample.ts"
import { guardsOf, keysOf, rowsOf } from "../domain/Written.ts"
import { act, check, checked, type Given, type Name, names, part, whole } from "./Acting.ts"
import * as Calls from "./Calls.ts"
import * as World from "./World.ts"

describe("a follow-up is accepted", () => {
  const approval = World.endpoint({ payoutApproval: true })
  const pay = Calls.call("PAYOUT_V4_PAY", names)
  const payout = { order: checked, rows: [Decision.append(OrderRequest, check)] }
  const cases: ReadonlyArray<
    readonly [
      what: string,
      name: Name,
      call: Call,
      given: Given,
      guards: ReadonlyArray<string>,
      rows: ReadonlyArray<string>
    ]
  > = [
    [
      "as long as the order is the one that was read",
      "CAPTURE",
      Calls.call("CAPTURE", part),
      {},
      ["orders 1 v3"],
      ["bank"]
    ],
    [
      "and its key is bound to it alone",
      "CAPTURE",
      Calls.call("CAPTURE", part, { idempotencyKey: "k" }),
      {},
      ["orders 1 v3", "no requests idempotency shop,CAPTURE,1,k"],
      ["bank"]
    ],
    [
      "and goes to the rail, of a payout, whose check no longer lapses",
      "PAYOUT_V4_PAY",
      pay,
      payout,
      ["orders 1 v3"],
      ["rail", "-lapse:1"]
    ],
    [
      "and waits for a second person, where the endpoint wants one",
      "PAYOUT_V4_PAY",
      pay,
      { ...payout, endpoint: approval, claim: { token: "mine", leaseUntilMs: 9 } },
      ["orders 1 v3"],
      ["approval", "lapse:1"]
    ]
  ]
  it.effect.each(cases)("%s", ([, name, call, given, guards, rows]) =>
    Effect.gen(function* () {
      const { decision, did, requests, text } = yield* act(name, call, given)
      assert.match(text, /^accepted /)
      const its = requests.at(-1)?.requestId
      const written = keysOf(decision).map((row) =>
        row.replace(`:${its}`, "").replace("agenda ", "").replace("approvals 1", "approval")
      )
      assert.deepStrictEqual(written, ["orders 1", `requests ${its}`, ...rows])
      assert.deepStrictEqual(guardsOf(decision), [...guards])
      assert.deepStrictEqual(did.started, [])
    })
  )

  it.effect.each([
    ["in the older dialect", "pairs", /^accepted /],
    ["in no other", "json", /is cancelled as a whole/]
  ] as const)("with the amount of the whole hold, to return it: %s", ([, dialect, expected]) =>
    Effect.gen(function* () {
      const { text } = yield* act("RETURN", Calls.call("RETURN", { ...part, amount: "100.00" }, { dialect }))
      assert.match(text, expected)
    })
  )

  it.effect("and carried out at once by a process that takes work", () =>
    Effect.gen(function* () {
      const { did } = yield* act("CAPTURE", Calls.call("CAPTURE", part), { claim: { token: "mine", leaseUntilMs: 9 } })
      assert.deepStrictEqual(
        did.started.map(({ kind, token }) => [kind, token]),
        [["bank", "mine"]]
      )
    })
  )

  it.effect.each([
    ["at its own address", {}, "https://shop.example/a"],
    [
      "else at the order's",
      { server_callback_url: "", notify_url: "https://shop.example/b" },
      "https://shop.example/b"
    ],
    ["nowhere by itself", { server_callback_url: "" }, null]
  ] as const)("and told %s", ([, fields, expected]) =>
    Effect.gen(function* () {
      const { decision } = yield* act("CAPTURE", Calls.call("CAPTURE", { ...part, ...fields }))
      assert.strictEqual(rowsOf(decision, "requests")[0]?.callbackUrl, expected)
    })
  )
})

describe("a follow-up is refused", () => {
  const yen = { order: preauth({ currency: "JPY" }) }
  const exact = { endpoint: World.endpoint({ actingControl: "amount" }) }
  const cases: ReadonlyArray<
    readonly [what: string, fields: Readonly<Record<string, string>>, given: Given, expected: RegExp]
  > = [
    ["of an order that is not there", { client_orderid: "INV-2" }, {}, /not found|no such|unknown/i],
    ["in another currency", { currency: "EUR" }, {}, /currency/i],
    ["with an amount that is none of its currency", { amount: "40.50", currency: "JPY" }, yen, /amount/i],
    [
      "with an address that may not be called",
      { server_callback_url: "https://127.0.0.1/" },
      {},
      /server_callback_url/
    ],
    ["where the order does not allow it", {}, { order: sale() }, /^Only a preauth can be captured/],
    [
      "without an amount, where the endpoint wants one",
      { amount: "", currency: "" },
      exact,
      /^Parameter amount is required/
    ]
  ]
  it.effect.each(cases)("%s", ([, fields, given, expected]) =>
    Effect.gen(function* () {
      const { did, text } = yield* act("CAPTURE", Calls.call("CAPTURE", { ...part, ...fields }), given)
      assert.match(text, expected)
      assert.deepStrictEqual(did.decisions, [])
    })
  )
})

describe("a follow-up that comes again", () => {
  const capture = Calls.call("CAPTURE", part)
  const keyed = (idempotencyKey: string) => Calls.call("CAPTURE", part, { idempotencyKey })
  const pay = (idempotencyKey?: string) => Calls.call("PAYOUT_V4_PAY", names, { idempotencyKey })
  const payout = { order: checked, rows: [Decision.append(OrderRequest, check)] }
  const cases: ReadonlyArray<readonly [what: string, name: Name, call: Call, given: Given, expected: RegExp]> = [
    ["under its key is answered again", "CAPTURE", keyed("k"), { before: [keyed("k")] }, /^accepted /],
    ["under another key is another one", "CAPTURE", keyed("l"), { before: [keyed("k")] }, /^accepted /],
    [
      "under its key with other content is refused",
      "CAPTURE",
      Calls.call("CAPTURE", { ...part, amount: "1.00" }, { idempotencyKey: "k" }),
      { before: [keyed("k")] },
      /Idempotency-Key/i
    ],
    ["without a key may be either", "CAPTURE", capture, { before: [capture] }, /^An equal capture was accepted/],
    [
      "and can be done once only is answered again",
      "PAYOUT_V4_PAY",
      pay(),
      { ...payout, before: [pay()] },
      /^accepted /
    ],
    [
      "and can be done once only is answered again, under whatever key",
      "PAYOUT_V4_PAY",
      pay("l"),
      { ...payout, before: [pay("k")] },
      /^accepted /
    ],
    [
      "is known before anything else is looked at",
      "CAPTURE",
      keyed("k"),
      { before: [keyed("k")], isReplay: true },
      /^accepted /
    ],
    [
      "is new where the order is not known",
      "CAPTURE",
      Calls.call("CAPTURE", { ...part, client_orderid: "INV-2" }),
      { isReplay: true },
      /^new$/
    ],
    ["is new where it did not come before", "CAPTURE", capture, { isReplay: true }, /^new$/]
  ]
  it.effect("is no whole one where its amount is none of its currency", () =>
    Effect.gen(function* () {
      const before = [Calls.call("CAPTURE", whole)]
      const wrong = Calls.call("CAPTURE", { ...part, amount: "40.50", currency: "JPY" })
      const given = { order: preauth({ currency: "JPY" }), before, isReplay: true }
      assert.strictEqual((yield* act("CAPTURE", wrong, given)).text, "new")
    })
  )

  it.effect.each(cases)("%s", ([what, name, call, given, expected]) =>
    Effect.gen(function* () {
      const { did, text } = yield* act(name, call, given)
      assert.match(text, expected)
      assert.lengthOf(did.decisions, what.endsWith("another one") ? 1 : 0)
    })
  )
})
