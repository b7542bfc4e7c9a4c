/** When a flow relies on what the gateway does beyond the specification: only once it was said, and as long as it is. */
import { assert, describe, it } from "@effect/vitest"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import { Effect, Schema } from "effect"
import * as Flow from "../src/Flow.ts"
import { Capture, Refund, Void } from "../src/OrderAction.ts"
import * as Steps from "../src/Steps.ts"
import { Rebill } from "../src/StoredCard.ts"
import * as Script from "./Script.ts"

const { stands, taken, unheardOf } = Script

const announced = (say: Script.Say): Script.Say =>
  typeof say === "string" ? say : { ...say, announces: GatewayProfile.format(GatewayProfile.ours) }

const preauth = stands("approved", { "transaction-type": "preauth", "captured-amount": "0.00" })
const captured = stands("approved", { "transaction-type": "capture", "captured-amount": "4.00" })
const capture = Flow.run(Capture, {
  ...{ clientOrderId: "o-1", orderId: "7", name: "part-1" },
  ...{ amount: "4.00", currency: "USD" }
})
const charge = Flow.run(Rebill, Script.charge)
const paid = stands("approved")

type Row = readonly [story: string, says: ReadonlyArray<Script.Say>, status: ReadonlyArray<Script.Say>, end: string]

const captures: ReadonlyArray<readonly [...Row, requests: string]> = [
  [
    "keys were announced before it was sent, and again before it is repeated",
    ["lost", announced(taken)],
    [announced(preauth), announced(preauth), announced(captured)],
    "approved",
    "status capture status capture status"
  ],
  ["nobody has announced keys", ["lost"], [preauth, preauth], "NeedsAPerson", "status capture status"],
  ["nobody has, and the amounts tell", ["lost"], [preauth, captured], "approved", "status capture status"],
  [
    "the gateway has lost the ability since",
    ["lost"],
    [announced(preauth), preauth],
    "NeedsAPerson",
    "status capture status"
  ],
  ["the gateway has gained it since", ["lost"], [preauth, announced(preauth)], "NeedsAPerson", "status capture status"],
  [
    "it is announced where the question could not be answered at first",
    [announced(taken)],
    ["lost", "lost", announced(captured)],
    "approved",
    "status status status capture status"
  ],
  [
    "accepted is not done where nothing tells what has moved",
    [taken],
    [stands("approved")],
    "NeedsAPerson",
    "status capture status status"
  ],
  [
    "a refusal is no proof while the question after it has no answer",
    [Script.refuses(1)],
    [preauth, "lost", captured],
    "approved",
    "status capture status status"
  ],
  [
    "a refusal after which nobody ever answers",
    [Script.refuses(1)],
    [preauth, "lost"],
    "NeedsAPerson",
    `status capture${" status".repeat(30)}`
  ]
]

const context = stands("approved", { "transaction-type": "preauth" })
const back = (amount: string) =>
  stands("approved", { "transaction-type": "reversal", "total-reversal-amount": amount, currency: "USD" })
const order = { clientOrderId: "o-1", orderId: "7" }
const returned = Flow.run(Refund, { ...order, name: "return-1", amount: "2.00", currency: "USD", comment: "x" })
const release = Flow.run(Void, { ...order, comment: "x" })

/** How the order stands before the request and after it was accepted. */
const accepted: ReadonlyArray<
  readonly [story: string, flow: typeof returned, before: Script.Say, after: Script.Say, end: string]
> = [
  [
    "a capture of which only the type tells",
    capture,
    context,
    stands("approved", { "transaction-type": "capture" }),
    "approved"
  ],
  [
    "a capture of a hold that was released",
    capture,
    context,
    stands("approved", { "transaction-type": "cancel" }),
    "NeedsAPerson"
  ],
  [
    "a capture, and another amount was captured",
    capture,
    preauth,
    stands("approved", { "transaction-type": "capture", "captured-amount": "3.00" }),
    "NeedsAPerson"
  ],
  [
    "a release of a hold that was captured",
    release,
    context,
    stands("approved", { "transaction-type": "capture" }),
    "NeedsAPerson"
  ],
  ["a release", release, context, stands("approved", { "transaction-type": "cancel" }), "approved"],
  ["a return", returned, back("1.00"), back("3.00"), "approved"],
  ["a return, and another amount was given back", returned, back("1.00"), back("2.50"), "NeedsAPerson"]
]

describe("accepted by a gateway without keys, while somebody else acts on the order:", () => {
  for (const [story, flow, before, after, end] of accepted) {
    it.effect(`${story}: ${end}`, () =>
      Effect.gen(function* () {
        const script = { capture: [taken], return: [taken], void: [taken], status: [before, after] }
        assert.strictEqual((yield* Script.play(script, flow, {}, {})).end, end)
      })
    )
  }
})

describe("a capture", () => {
  for (const [story, says, status, end, request] of captures) {
    it.effect(`${story}: ${end}`, () =>
      Effect.gen(function* () {
        const played = yield* Script.play({ capture: says, status }, capture, {}, {})
        assert.strictEqual(played.end, end)
        assert.strictEqual(played.requests.join(" "), request)
        // Sent with a key, whoever honours it.
        const sent = played.keys.filter((_, index) => played.requests[index] === "capture")
        assert.deepStrictEqual([...new Set(sent)], ["o-1%2Fpart-1:capture"])
      })
    )
  }
})

/** Two processes: the first dies when this step has been done and not been recorded. */
const inTwoProcesses = (at: string) => {
  const journal = new Map<string, unknown>()
  const runAs = (run: string, dies: boolean): Steps.Shape => ({
    ...Steps.makeMemory(),
    run,
    step: (name, { success }, effect) =>
      Effect.suspend(() =>
        journal.has(name)
          ? Effect.orDie(Schema.decodeUnknownEffect(success)(journal.get(name)))
          : Effect.tap(effect, (value) =>
              dies && name === at
                ? Effect.die("killed")
                : Effect.orDie(Effect.map(Schema.encodeEffect(success)(value), (json) => journal.set(name, json)))
            )
      )
  })
  return Effect.andThen(
    Effect.exit(Effect.provideService(capture, Steps.Steps, runAs("first", true))),
    capture.pipe(
      Effect.provideService(Steps.Steps, runAs("second", false)),
      Effect.provideService(Flow.IsResumed, true)
    )
  )
}

const deaths: ReadonlyArray<
  readonly [story: string, at: string, status: ReadonlyArray<Script.Say>, end: string, requests: string]
> = [
  [
    "to a gateway with keys, and it still has them",
    "capture",
    [announced(preauth), announced(preauth), announced(captured)],
    "approved",
    "status capture status capture status"
  ],
  [
    "to a gateway with keys, which it has no more",
    "capture",
    [announced(preauth), preauth],
    "NeedsAPerson",
    "status capture status"
  ],
  [
    "to a gateway without keys, which has them now",
    "capture 1",
    [preauth, announced(preauth)],
    "NeedsAPerson",
    "status capture status"
  ]
]

describe("a capture that was sent by a process that died", () => {
  for (const [story, at, status, end, request] of deaths) {
    it.effect(`${story}: ${end}`, () =>
      Effect.gen(function* () {
        const played = yield* Script.play({ capture: [taken], status }, inTwoProcesses(at), {}, {})
        assert.strictEqual(played.end, end)
        assert.strictEqual(played.requests.join(" "), request)
      })
    )
  }
})

const charges: ReadonlyArray<readonly [...Row, requests: string]> = [
  [
    "of a gateway not heard of yet it is looked for first",
    [taken],
    [unheardOf, paid],
    "approved",
    "status make-rebill status"
  ],
  ["what is there is not made", [], [paid, paid], "approved", "status status"],
  [
    "an order of another kind is not the charge",
    [],
    [stands("approved", { "transaction-type": "payout", amount: "1.00" })],
    "NeedsAPerson",
    "status"
  ],
  [
    "a word for its kind that nobody knows says nothing",
    [],
    [stands("approved", { "transaction-type": "debit", amount: "1.00" })],
    "approved",
    "status status"
  ],
  [
    "a refusal is no proof while the question after it has no answer",
    [Script.refuses(1)],
    [Script.refuses(1), "lost", paid],
    "approved",
    "status make-rebill status status status"
  ],
  ["nothing is made where nobody can be asked", [], ["lost"], "Unreachable", "status"],
  [
    "a refusal that says nothing leaves it open",
    ["lost"],
    [Script.refuses(1)],
    "StillUnknown",
    `status make-rebill${" status".repeat(7)}`
  ],
  [
    "what is refused the second time was taken the first time",
    [Script.refuses(1)],
    [Script.refuses(1), paid],
    "approved",
    "status make-rebill status status"
  ],
  [
    "where nothing is found, twice, it is sent again",
    ["lost", announced(taken)],
    [announced(unheardOf), announced(unheardOf), announced(unheardOf), announced(paid)],
    "approved",
    "status make-rebill status status make-rebill status"
  ]
]

describe("a charge", () => {
  for (const [story, says, status, end, request] of charges) {
    it.effect(`${story}: ${end}`, () =>
      Effect.gen(function* () {
        const played = yield* Script.play({ "make-rebill": says, status }, charge, {}, {})
        assert.strictEqual(played.end, end)
        assert.strictEqual(played.requests.join(" "), request)
      })
    )
  }

  it.effect("run twice at the same time in one process is one", () =>
    Effect.gen(function* () {
      const both = Effect.map(Effect.all([charge, charge], { concurrency: 2 }), ([one]) => one)
      const played = yield* Script.play({ "make-rebill": [taken], status: ["notSent", unheardOf, paid] }, both, {}, {})
      assert.strictEqual(played.requests.join(" "), "status status make-rebill status")
    })
  )
})
