/** Follow-ups of an order: what is committed, under which guards, and the response to a repetition. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import { preauth, sale } from "../domain/Sample.ts"
import { guardsOf, keysOf, rowsOf } from "../domain/Written.ts"
import { act, check, checked, type Name, names, part, type Setup, whole } from "./Acting.ts"
import * as Calls from "./Calls.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

describe("an accepted follow-up", () => {
  const approval = ScriptedServices.endpoint({ payoutApproval: true })
  const pay = Calls.call("PAYOUT_V4_PAY", names)
  const payout = { order: checked, rows: [Decision.append(OrderRequest, check)] }
  const cases: ReadonlyArray<
    readonly [
      what: string,
      name: Name,
      call: Calls.Sent,
      setup: Setup,
      guards: ReadonlyArray<string>,
      rows: ReadonlyArray<string>
    ]
  > = [
    ["commits only to the order that was read", "CAPTURE", Calls.call("CAPTURE", part), {}, ["orders 1 v3"], ["bank"]],
    [
      "commits only if its idempotency key is unused",
      "CAPTURE",
      Calls.call("CAPTURE", part, { idempotencyKey: "k" }),
      {},
      ["orders 1 v3", "no requests idempotency shop,CAPTURE,1,k"],
      ["bank"]
    ],
    [
      "has a job for the rail if it pays a checked payout, which no longer lapses",
      "PAYOUT_V4_PAY",
      pay,
      payout,
      ["orders 1 v3"],
      ["rail", "-lapse:1"]
    ],
    [
      "waits for a second approver where the endpoint requires one",
      "PAYOUT_V4_PAY",
      pay,
      { ...payout, endpoint: approval, claim: { token: "mine", leaseUntilMs: 9 } },
      ["orders 1 v3"],
      ["approval", "lapse:1"]
    ]
  ]
  it.effect.each(cases)("%s", ([, name, call, setup, guards, rows]) =>
    Effect.gen(function* () {
      const { decision, recording, requests, text } = yield* act(name, call, setup)
      assert.match(text, /^accepted /)
      const requestId = requests.at(-1)?.requestId
      const written = keysOf(decision).map((row) =>
        row.replace(`:${requestId}`, "").replace("jobs ", "").replace("approvals 1", "approval")
      )
      assert.deepStrictEqual(written, ["orders 1", `requests ${requestId}`, ...rows])
      assert.deepStrictEqual(guardsOf(decision), [...guards])
      assert.deepStrictEqual(recording.started, [])
    })
  )

  it.effect.each([
    ["yes in the older dialect", "pairs", /^accepted /],
    ["no in another dialect", "json", /is cancelled as a whole/]
  ] as const)("can return an uncaptured hold with its whole amount: %s", ([, dialect, expected]) =>
    Effect.gen(function* () {
      const { text } = yield* act("RETURN", Calls.call("RETURN", { ...part, amount: "100.00" }, { dialect }))
      assert.match(text, expected)
    })
  )

  it.effect("starts its job at once in a process that takes jobs", () =>
    Effect.gen(function* () {
      const { recording } = yield* act("CAPTURE", Calls.call("CAPTURE", part), {
        claim: { token: "mine", leaseUntilMs: 9 }
      })
      assert.deepStrictEqual(
        recording.started.map(({ kind, token }) => [kind, token]),
        [["bank", "mine"]]
      )
    })
  )

  it.effect.each([
    ["at its own server_callback_url", {}, "https://shop.example/a"],
    [
      "at the notify_url of the request otherwise",
      { server_callback_url: "", notify_url: "https://shop.example/b" },
      "https://shop.example/b"
    ],
    ["not at an address of its own without either", { server_callback_url: "" }, null]
  ] as const)("has its callback sent %s", ([, fields, expected]) =>
    Effect.gen(function* () {
      const { decision } = yield* act("CAPTURE", Calls.call("CAPTURE", { ...part, ...fields }))
      assert.strictEqual(rowsOf(decision, "requests")[0]?.callbackUrl, expected)
    })
  )
})

describe("a follow-up is refused", () => {
  const yen = { order: preauth({ currency: "JPY" }) }
  const exact = { endpoint: ScriptedServices.endpoint({ actingControl: "amount" }) }
  const cases: ReadonlyArray<
    readonly [what: string, fields: Readonly<Record<string, string>>, setup: Setup, expected: RegExp]
  > = [
    ["for an unknown order", { client_orderid: "INV-2" }, {}, /not found|no such|unknown/i],
    ["in another currency", { currency: "EUR" }, {}, /currency/i],
    ["with more decimals than its currency has", { amount: "40.50", currency: "JPY" }, yen, /amount/i],
    [
      "with a callback address that may not be called",
      { server_callback_url: "https://127.0.0.1/" },
      {},
      /server_callback_url/
    ],
    ["if the state of the order does not allow it", {}, { order: sale() }, /^Only a preauth can be captured/],
    [
      "without an amount if the endpoint requires one",
      { amount: "", currency: "" },
      exact,
      /^Parameter amount is required/
    ]
  ]
  it.effect("without an amount outside of the older dialect, even if its control covers the amount of the order", () =>
    Effect.gen(function* () {
      const { text } = yield* act("CAPTURE", Calls.call("CAPTURE", whole, { signsOrderAmount: true }), exact)
      assert.match(text, /^Parameter amount is required/)
    })
  )

  it.effect.each(cases)("%s", ([, fields, setup, expected]) =>
    Effect.gen(function* () {
      const { recording, text } = yield* act("CAPTURE", Calls.call("CAPTURE", { ...part, ...fields }), setup)
      assert.match(text, expected)
      assert.deepStrictEqual(recording.decisions, [])
    })
  )
})

describe("a repeated follow-up", () => {
  const capture = Calls.call("CAPTURE", part)
  const all = Calls.call("CAPTURE", { ...part, amount: "100.00" })
  const keyed = (idempotencyKey: string) => Calls.call("CAPTURE", part, { idempotencyKey })
  const pay = (idempotencyKey?: string) => Calls.call("PAYOUT_V4_PAY", names, { idempotencyKey })
  const payout = { order: checked, rows: [Decision.append(OrderRequest, check)] }
  const otherKey = "is a new follow-up under another idempotency key"
  const cases: ReadonlyArray<readonly [what: string, name: Name, call: Calls.Sent, setup: Setup, expected: RegExp]> = [
    ["gets the same response under its idempotency key", "CAPTURE", keyed("k"), { before: [keyed("k")] }, /^accepted /],
    [otherKey, "CAPTURE", keyed("l"), { before: [keyed("k")] }, /^accepted /],
    [
      "is refused under its idempotency key with other content",
      "CAPTURE",
      Calls.call("CAPTURE", { ...part, amount: "1.00" }, { idempotencyKey: "k" }),
      { before: [keyed("k")] },
      /Idempotency-Key/i
    ],
    [
      "is refused as ambiguous without an idempotency key",
      "CAPTURE",
      capture,
      { before: [capture] },
      /^An equal capture was accepted/
    ],
    [
      "is refused as ambiguous for the whole amount, too, outside of the older dialect",
      "CAPTURE",
      all,
      { before: [all] },
      /^An equal capture was accepted/
    ],
    [
      "gets the same response if its operation happens once",
      "PAYOUT_V4_PAY",
      pay(),
      { ...payout, before: [pay()] },
      /^accepted /
    ],
    [
      "gets the same response if its operation happens once, under another key",
      "PAYOUT_V4_PAY",
      pay("l"),
      { ...payout, before: [pay("k")] },
      /^accepted /
    ],
    [
      "is recognized before it is validated",
      "CAPTURE",
      keyed("k"),
      { before: [keyed("k")], isReplay: true },
      /^accepted /
    ],
    [
      "is new for an unknown order",
      "CAPTURE",
      Calls.call("CAPTURE", { ...part, client_orderid: "INV-2" }),
      { isReplay: true },
      /^new$/
    ],
    ["is new if it was not accepted before", "CAPTURE", capture, { isReplay: true }, /^new$/]
  ]
  it.effect("is not taken for one of the whole amount if its amount does not fit the currency", () =>
    Effect.gen(function* () {
      const before = [Calls.call("CAPTURE", whole)]
      const wrong = Calls.call("CAPTURE", { ...part, amount: "40.50", currency: "JPY" })
      const setup = { order: preauth({ currency: "JPY" }), before, isReplay: true }
      assert.strictEqual((yield* act("CAPTURE", wrong, setup)).text, "new")
    })
  )

  it.effect.each(cases)("%s", ([what, name, call, setup, expected]) =>
    Effect.gen(function* () {
      const { recording, text } = yield* act(name, call, setup)
      assert.match(text, expected)
      assert.lengthOf(recording.decisions, what === otherKey ? 1 : 0)
    })
  )
})
