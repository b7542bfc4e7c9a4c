/** How an answer is made true: under contention, in other hands, and against what had ended. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Job } from "../../src/kernel/Job.ts"
import { AnswerLost, NotSent } from "../../src/orders/Acquirer.ts"
import { Order } from "../../src/orders/Order.ts"
import { OrderRequest } from "../../src/orders/OrderRequest.ts"
import * as BankJob from "../../src/orders/outcomes/BankJob.ts"
import { BankTask } from "../../src/orders/outcomes/BankTask.ts"
import * as Inquiry from "../../src/orders/outcomes/Inquiry.ts"
import * as Unexpected from "../../src/orders/outcomes/Unexpected.ts"
import {
  approved,
  begun,
  carryOut,
  creation,
  declined,
  longestProcessingMs,
  order,
  resubmitWithinMs,
  work
} from "./TestCounterparty.ts"
import * as World from "./World.ts"

const { nowMs } = World

const ended = (progress: OrderRequest["progress"], state: Order["state"]) => [
  Decision.put(Order, { ...order, version: 9, state }),
  Decision.put(OrderRequest, { ...creation, progress, finishedAtMs: 1 })
]
const inOtherHands = Decision.put(Job, { ...work, token: "theirs" })

describe("what is heard of bank or rail", () => {
  const listen = (question: Effect.Effect<Inquiry.Answer, { readonly reason: NotSent | AnswerLost }>) =>
    Effect.exit(BankJob.answerOf(question, 1_000))
  it.effect.each([
    ["an answer is one", Effect.succeed(approved), "Approved"],
    [
      "a refused connection proves that nothing was sent",
      Effect.fail({ reason: new NotSent({ message: "refused" }) }),
      "NotSent refused"
    ],
    ["a broken one proves nothing", Effect.fail({ reason: new AnswerLost({ message: "reset" }) }), "Lost reset"],
    ["an adapter that dies proves nothing", Effect.die("bug"), "Lost the adapter died: bug"]
  ] as const)("%s", ([, question, expected]) =>
    Effect.gen(function* () {
      const exit = yield* listen(question)
      assert(Exit.isSuccess(exit))
      const { value } = exit
      assert.strictEqual([value._tag, Inquiry.reasonOf(value) ?? []].flat().join(" "), expected)
    })
  )

  it.effect("nothing, where the gateway is being stopped", () =>
    Effect.gen(function* () {
      const exit = yield* listen(Effect.interrupt)
      assert.isTrue(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
    })
  )

  it.each([
    [approved, "Approved"],
    [{ _tag: "NotFound" }, "NotFound"],
    [{ _tag: "Lost" }, "CannotSay"],
    [{ _tag: "NotSent" }, "CannotSay"]
  ] as const)("of an inquiry that fails, nothing of what it asked about: %s", (answer, expected) =>
    assert.strictEqual(BankJob.inquired(answer)._tag, expected)
  )
})

describe("an item is", () => {
  const late = { ...creation, acceptedAtMs: nowMs - resubmitWithinMs - 1 }
  it.effect.each([
    ["sent, when it is fresh", {}, ["send"], "settled"],
    [
      "inquired about, when somebody had begun it",
      { item: { ...work, openAttempts: 2 }, inquired: approved },
      ["inquire"],
      "settled"
    ],
    ["not sent, when it is too late for that", { item: { ...work, tries: 1 }, request: late }, [], "failed"],
    ["not sent, when another process may hold it", { isLeaseLost: true }, [], "authorizing"],
    ["inquired about first, where its kind wants that", { step: "inquire", inquired: approved }, ["inquire"], "settled"]
  ] as const)("%s", ([, given, request, state]) =>
    Effect.gen(function* () {
      const done = yield* carryOut({ sent: approved, ...given })
      assert.deepStrictEqual([done.requests, done.state], [[...request], state])
    })
  )

  it.effect.each([
    ["names no request", { item: { ...work, subject: "404" } }],
    ["names no order", { request: { ...creation, orderId: "404" } }]
  ] as const)("a defect, when it %s", ([, given]) =>
    Effect.gen(function* () {
      const { requests, exit } = yield* carryOut(given)
      assert(Exit.isFailure(exit))
      assert.include(Cause.pretty(exit.cause), "names no request")
      assert.deepStrictEqual(requests, [])
    })
  )
})

describe("where there is no answer", () => {
  it.effect.each([
    ["what was heard instead stands with the order", { _tag: "Lost", reason: "reset" }, 1],
    ["nothing stands with it where nothing was heard", { _tag: "Lost" }, 0]
  ] as const)("%s", ([, sent, count]) =>
    Effect.gen(function* () {
      const { evidence, progress } = yield* carryOut({ sent })
      assert.lengthOf(evidence, count)
      assert.strictEqual(progress, "unknown")
    })
  )
})

describe("an answer that comes when its item is in other hands changes nothing, and is kept", () => {
  const cases: ReadonlyArray<
    readonly [
      what: string,
      answer: Inquiry.Answer,
      meanwhile: ReadonlyArray<Decision.Write>,
      tasks: ReadonlyArray<string>
    ]
  > = [
    ["an approval of what was approved", approved, ended("approved", "settled"), []],
    ["an approval of what was declined", approved, ended("declined", "declined"), ["bank approved declined open"]],
    ["a decline of what was approved", declined, ended("approved", "settled"), ["bank declined settled open"]],
    ["an approval of what its holder asks for", approved, [], []],
    ["what says nothing, of what was approved", { _tag: "Lost" }, ended("approved", "settled"), []]
  ]
  it.effect.each(cases)("%s", ([, sent, meanwhile, tasks]) =>
    Effect.gen(function* () {
      const done = yield* carryOut({ sent, whileAsked: [...meanwhile, inOtherHands] })
      assert.deepStrictEqual(done.tasks, [...tasks])
      assert.lengthOf(done.evidence, 1)
      // The lost guard, then what is kept: who lost the lease does not try again.
      assert.strictEqual(done.commits, 2)
      assert.strictEqual(done.did.wakes, tasks.length)
      assert.strictEqual(done.scheduler?.token, "theirs")
      assert.isTrue(Exit.isSuccess(done.exit))
    })
  )

  it.effect("once: the task of an answer that came before stays as it is", () =>
    Effect.gen(function* () {
      const output = { source: "bank", reference: "1-sale-0", verdict: "approved", amountMinor: 10_000 } as const
      const task: BankTask = { ...Unexpected.taskOf(order, output, false, 1), state: "closed" }
      const whileAsked = [...ended("declined", "declined"), inOtherHands]
      const { did, evidence, tasks } = yield* carryOut({
        sent: approved,
        whileAsked,
        rows: [Decision.put(BankTask, task)]
      })
      assert.deepStrictEqual([tasks, evidence.length, did.wakes], [["bank approved authorizing closed"], 1, 0])
    })
  )

  it.effect("and is given back at once where the endpoint says so", () =>
    Effect.gen(function* () {
      const whileAsked = [...ended("declined", "declined"), inOtherHands]
      const endpoint = World.endpoint({ unexpectedApproval: "reverse" })
      const { tasks } = yield* carryOut({ sent: approved, whileAsked, endpoint })
      assert.deepStrictEqual(tasks, ["bank approved declined reversing"])
    })
  )
})

describe("an answer to what has ended", () => {
  const over = { order: { ...order, state: "declined" }, sent: approved } as const
  it.effect("is a task, in the commit that ends its item", () =>
    Effect.gen(function* () {
      const { scheduler, commits, did, tasks } = yield* carryOut(over)
      assert.deepStrictEqual([scheduler, commits, did.wakes], [undefined, 1, 1])
      assert.deepStrictEqual(tasks, ["bank approved declined open"])
    })
  )

  it.effect("is one task, where its item went into other hands", () =>
    Effect.gen(function* () {
      const whileAsked = [Decision.put(OrderRequest, { ...creation, progress: "declined" }), inOtherHands]
      const { commits, did, tasks } = yield* carryOut({ ...over, whileAsked })
      assert.deepStrictEqual([commits, did.wakes], [2, 1])
      assert.deepStrictEqual(tasks, ["bank approved declined open"])
    })
  )

  it.effect("is the rail's, of a payout", () =>
    Effect.gen(function* () {
      const { tasks } = yield* carryOut({ ...over, request: { ...creation, action: "pay" } })
      assert.deepStrictEqual(tasks, ["rail approved declined open"])
    })
  )
})

describe("an order that somebody else writes at the same time", () => {
  it.effect("is read and decided anew", () =>
    Effect.gen(function* () {
      const whileAsked = [Decision.put(Order, { ...order, version: 9, email: "new@shop.example" })]
      const { requests, commits, state } = yield* carryOut({ sent: approved, whileAsked })
      assert.deepStrictEqual([requests, commits, state], [["send"], 2, "settled"])
    })
  )

  it.effect("is left to the next holder of its item after fifty times, with the answer kept", () =>
    Effect.gen(function* () {
      const versions = Array.from({ length: 51 }, (_, n) => n + 4)
      const meanwhile = versions.map((version) => [Decision.put(Order, { ...order, version })])
      const { commits, evidence, state } = yield* carryOut({ sent: approved, meanwhile })
      assert.deepStrictEqual([commits, evidence.length, state], [51, 1, "authorizing"])
    })
  )
})

describe("what the bank does not know is sent again, once", () => {
  const unknown = { ...creation, progress: "unknown" } as const
  it.effect.each([
    ["when its processing time is over", begun, ["inquire", "send"], "settled"],
    ["not before", { ...begun, startedAtMs: nowMs - longestProcessingMs + 1 }, ["inquire"], "unknown"]
  ] as const)("%s", ([, item, request, state]) =>
    Effect.gen(function* () {
      const done = yield* carryOut({ request: unknown, item, sent: approved })
      assert.deepStrictEqual([done.requests, done.state], [[...request], state])
    })
  )

  const notFound: Inquiry.Answer = { _tag: "NotFound" }
  it.effect.each([
    ["was lost", [notFound]],
    ["was lost, and then nobody could say", [{ _tag: "CannotSay" }, notFound]],
    ["was lost, and then was not known yet", [notFound, notFound]]
  ] as const)("not while this process knows that its request may be under way: its answer %s", ([, further]) =>
    Effect.gen(function* () {
      const done = yield* carryOut({ sent: { _tag: "Lost" }, further })
      assert.deepStrictEqual([done.requests, done.state], [["send", ...further.map(() => "inquire")], "unknown"])
    })
  )
})
