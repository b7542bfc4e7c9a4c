/** How an answer is applied: under contention, after another process took the job, and after the order ended. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Job } from "../../src/kernel/Job.ts"
import { AnswerLost, NotSent } from "../../src/orders/bank/Acquirer.ts"
import * as Inquiry from "../../src/orders/decide/Inquiry.ts"
import * as Unexpected from "../../src/orders/decide/Unexpected.ts"
import * as BankJob from "../../src/orders/outcomes/BankJob.ts"
import { BankTask } from "../../src/orders/record/BankTask.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import * as ScriptedServices from "./ScriptedServices.ts"
import {
  approved,
  creation,
  declined,
  longestProcessingMs,
  order,
  resubmitWithinMs,
  resumed,
  runJob,
  work
} from "./TestCounterparty.ts"

const { nowMs } = ScriptedServices

const ended = (progress: OrderRequest["progress"], state: Order["state"]) => [
  Decision.put(Order, { ...order, version: 9, state }),
  Decision.put(OrderRequest, { ...creation, progress, finishedAtMs: 1 })
]
const inOtherHands = Decision.put(Job, { ...work, token: "theirs" })

describe("the result of a request to bank or rail", () => {
  const ask = (question: Effect.Effect<Inquiry.Answer, { readonly reason: NotSent | AnswerLost }>) =>
    Effect.exit(BankJob.answerOf(question, 1_000))
  it.effect.each([
    ["is the answer", Effect.succeed(approved), "Approved"],
    [
      "is 'not sent' after a refused connection",
      Effect.fail({ reason: new NotSent({ message: "refused" }) }),
      "NotSent refused"
    ],
    ["is 'lost' after a broken connection", Effect.fail({ reason: new AnswerLost({ message: "reset" }) }), "Lost reset"]
  ] as const)("%s", ([, question, expected]) =>
    Effect.gen(function* () {
      const exit = yield* ask(question)
      assert(Exit.isSuccess(exit))
      const { value } = exit
      assert.strictEqual([value._tag, Inquiry.reasonOf(value) ?? []].flat().join(" "), expected)
    })
  )

  it.effect("is an interruption when the gateway stops", () =>
    Effect.gen(function* () {
      const exit = yield* ask(Effect.interrupt)
      assert.isTrue(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
    })
  )

  it.each([
    [approved, "Approved"],
    [{ _tag: "NotFound" }, "NotFound"],
    [{ _tag: "Lost" }, "CannotSay"],
    [{ _tag: "NotSent" }, "CannotSay"]
  ] as const)("leaves the outcome open if an inquiry fails: %s", (answer, expected) =>
    assert.strictEqual(BankJob.inquired(answer)._tag, expected)
  )
})

describe("a job for bank or rail", () => {
  const late = { ...creation, acceptedAtMs: nowMs - resubmitWithinMs - 1 }
  it.effect.each([
    ["is sent at its first attempt", {}, ["send"], "settled"],
    [
      "causes an inquiry if an earlier attempt may have sent it",
      { job: { ...work, openAttempts: 2 }, inquired: approved },
      ["inquire"],
      "settled"
    ],
    ["is not sent after the time in which it may be sent", { job: { ...work, tries: 1 }, request: late }, [], "failed"],
    ["is not sent if its lease may be lost", { isLeaseLost: true }, [], "authorizing"],
    [
      "causes an inquiry first if its kind requires one",
      { step: "inquire", inquired: approved },
      ["inquire"],
      "settled"
    ]
  ] as const)("%s", ([, setup, request, state]) =>
    Effect.gen(function* () {
      const done = yield* runJob({ sent: approved, ...setup })
      assert.deepStrictEqual([done.requests, done.state], [[...request], state])
    })
  )

  it.effect.each([
    ["names no request", { job: { ...work, subject: "404" } }],
    ["names no order", { request: { ...creation, orderId: "404" } }]
  ] as const)("is a defect if it %s", ([, setup]) =>
    Effect.gen(function* () {
      const { requests, exit } = yield* runJob(setup)
      assert(Exit.isFailure(exit))
      assert.include(Cause.pretty(exit.cause), "names no request")
      assert.deepStrictEqual(requests, [])
    })
  )
})

describe("a request without an answer", () => {
  it.effect.each([
    ["stores the reason with its order", { _tag: "Lost", reason: "reset" }, 1],
    ["stores nothing if no reason is known", { _tag: "Lost" }, 0]
  ] as const)("%s", ([, sent, count]) =>
    Effect.gen(function* () {
      const { evidence, progress } = yield* runJob({ sent })
      assert.lengthOf(evidence, count)
      assert.strictEqual(progress, "unknown")
    })
  )
})

describe("an answer after another process took the job", () => {
  const cases: ReadonlyArray<
    readonly [
      what: string,
      answer: Inquiry.Answer,
      meanwhile: ReadonlyArray<Decision.Write>,
      tasks: ReadonlyArray<string>
    ]
  > = [
    ["an approval of an approved request", approved, ended("approved", "settled"), []],
    ["an approval of a declined request", approved, ended("declined", "declined"), ["bank approved declined open"]],
    ["a decline of an approved request", declined, ended("approved", "settled"), ["bank declined settled open"]],
    ["an approval of an open request", approved, [], []],
    ["a lost answer to an approved request", { _tag: "Lost" }, ended("approved", "settled"), []]
  ]
  it.effect.each(cases)("changes nothing and is stored: %s", ([, sent, meanwhile, tasks]) =>
    Effect.gen(function* () {
      const done = yield* runJob({ sent, duringRequest: [...meanwhile, inOtherHands] })
      assert.deepStrictEqual(done.tasks, [...tasks])
      assert.lengthOf(done.evidence, 1)
      // The commit with the lost guard, then the one that stores the answer: a process without the lease does not try again.
      assert.strictEqual(done.commits, 2)
      assert.strictEqual(done.recording.wakes, tasks.length)
      assert.strictEqual(done.scheduler?.token, "theirs")
      assert.isTrue(Exit.isSuccess(done.exit))
    })
  )

  it.effect("leaves the task of an earlier answer as it is", () =>
    Effect.gen(function* () {
      const output = { source: "bank", reference: "1-sale-0", verdict: "approved", amountMinor: 10_000 } as const
      const task: BankTask = { ...Unexpected.taskOf(order, output, false, 1), state: "closed" }
      const duringRequest = [...ended("declined", "declined"), inOtherHands]
      const { recording, evidence, tasks } = yield* runJob({
        sent: approved,
        duringRequest,
        rows: [Decision.put(BankTask, task)]
      })
      assert.deepStrictEqual([tasks, evidence.length, recording.wakes], [["bank approved authorizing closed"], 1, 0])
    })
  )

  it.effect.each([
    ["gives the money back at once if the endpoint is configured so", false, "bank approved declined reversing"],
    [
      "waits for an operator if the gateway from before a restore may have given it back",
      true,
      "bank approved declined open"
    ]
  ] as const)("%s", ([, isCopy, expected]) =>
    Effect.gen(function* () {
      const duringRequest = [...ended("declined", "declined"), inOtherHands]
      const endpoint = ScriptedServices.endpoint({ unexpectedApproval: "reverse" })
      const { tasks } = yield* runJob({ sent: approved, duringRequest, endpoint, isCopy })
      assert.deepStrictEqual(tasks, [expected])
    })
  )
})

describe("an answer to an order that has ended", () => {
  const over = { order: { ...order, state: "declined" }, sent: approved } as const
  it.effect("opens a task in the commit that ends the job", () =>
    Effect.gen(function* () {
      const { scheduler, commits, recording, tasks } = yield* runJob(over)
      assert.deepStrictEqual([scheduler, commits, recording.wakes], [undefined, 1, 1])
      assert.deepStrictEqual(tasks, ["bank approved declined open"])
    })
  )

  it.effect("opens one task if another process took the job", () =>
    Effect.gen(function* () {
      const duringRequest = [Decision.put(OrderRequest, { ...creation, progress: "declined" }), inOtherHands]
      const { commits, recording, tasks } = yield* runJob({ ...over, duringRequest })
      assert.deepStrictEqual([commits, recording.wakes], [2, 1])
      assert.deepStrictEqual(tasks, ["bank approved declined open"])
    })
  )

  it.effect("opens a task for the rail if it is a payout", () =>
    Effect.gen(function* () {
      const { tasks } = yield* runJob({ ...over, request: { ...creation, action: "pay" } })
      assert.deepStrictEqual(tasks, ["rail approved declined open"])
    })
  )
})

describe("an answer to an order that another process writes at the same time", () => {
  it.effect("is applied to the order after it is read again", () =>
    Effect.gen(function* () {
      const duringRequest = [Decision.put(Order, { ...order, version: 9, email: "new@shop.example" })]
      const { requests, commits, state } = yield* runJob({ sent: approved, duringRequest })
      assert.deepStrictEqual([requests, commits, state], [["send"], 2, "settled"])
    })
  )

  it.effect("is stored and left to the next holder of the job after fifty attempts", () =>
    Effect.gen(function* () {
      const versions = Array.from({ length: 51 }, (_, n) => n + 4)
      const meanwhile = versions.map((version) => [Decision.put(Order, { ...order, version })])
      const { commits, evidence, state } = yield* runJob({ sent: approved, meanwhile })
      assert.deepStrictEqual([commits, evidence.length, state], [51, 1, "authorizing"])
    })
  )
})

describe("a request that the bank does not know", () => {
  const unknown = { ...creation, progress: "unknown" } as const
  it.effect.each([
    ["is sent again once its processing time is over", resumed, ["inquire", "send"], "settled"],
    [
      "is not sent again before its processing time is over",
      { ...resumed, startedAtMs: nowMs - longestProcessingMs + 1 },
      ["inquire"],
      "unknown"
    ]
  ] as const)("%s", ([, job, request, state]) =>
    Effect.gen(function* () {
      const done = yield* runJob({ request: unknown, job, sent: approved })
      assert.deepStrictEqual([done.requests, done.state], [[...request], state])
    })
  )

  const notFound: Inquiry.Answer = { _tag: "NotFound" }
  it.effect.each([
    ["was lost", [notFound]],
    ["was lost, and the inquiry had no answer", [{ _tag: "CannotSay" }, notFound]],
    ["was lost, and the inquiry found nothing", [notFound, notFound]]
  ] as const)("is not sent again while it may be under way: its answer %s", ([, further]) =>
    Effect.gen(function* () {
      const done = yield* runJob({ sent: { _tag: "Lost" }, further })
      assert.deepStrictEqual([done.requests, done.state], [["send", ...further.map(() => "inquire")], "unknown"])
    })
  )
})
