/** A reversal whose outcome only a person can learn, and what two people state of it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as Decision from "../../src/kernel/Decision.ts"
import { Job } from "../../src/kernel/Job.ts"
import { Store } from "../../src/kernel/Store.ts"
import { Acquirer, AcquirerError, AnswerLost, type Way } from "../../src/orders/bank/Acquirer.ts"
import * as Unexpected from "../../src/orders/decide/Unexpected.ts"
import * as ReverseAnswer from "../../src/orders/outcomes/ReverseAnswer.ts"
import { BankTask, type State } from "../../src/orders/record/BankTask.ts"
import { Order } from "../../src/orders/record/Order.ts"
import * as ManageTasks from "../../src/reconciliation/ManageTasks.ts"
import { HeldJob } from "../../src/restore/HeldJob.ts"
import { job, sale } from "../domain/Sample.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

const { nowMs } = ScriptedServices
const statement = { source: "bank", reference: "1-sale-0", verdict: "approved", amountMinor: 10_000 } as const
const order = sale({ state: "declined", sequence: 2 })
const reversing: BankTask = { ...Unexpected.taskOf(order, statement, true, nowMs), reversingAtMs: nowMs }
const work = job({ jobId: `reversal:${reversing.taskId}`, kind: "reversal", subject: reversing.taskId })
const unanswered = "1-refund-3.unknown"
const alice = "operator:alice"
const never = () => Effect.die("only reversals are expected")

/** A bank that has these ways for refunds, and whose answers to them are lost. */
const bankOf = (ways: ReadonlyArray<Way>, calls: Array<string>) =>
  Acquirer.checked({
    capabilities: {
      ...{ longestProcessingMs: 1_000, deadlineMs: 10_000, transfers: false, eligibility: false },
      unknownOutcomes: { refund: ways }
    },
    ...{ authorize: never, eligible: never, inquire: never },
    followUp: (kind, { reference }) =>
      Effect.suspend(() => {
        calls.push(`${kind} ${reference}`)
        return Effect.fail(new AcquirerError({ reason: new AnswerLost({ message: "cut" }) }))
      }),
    reverse: ({ reference }) =>
      Effect.sync(() => {
        calls.push(`reverse ${reference}`)
        return { _tag: "Reversed" as const }
      })
  })

const person: ReadonlyArray<Way> = [{ by: "person" }]

/** Sends the reversal, runs its job at these times after it, and then does the rest. */
const afterLostAnswer = <A, E>(
  ways: ReadonlyArray<Way>,
  rest: (
    tasks: Effect.Success<typeof ManageTasks.make>,
    run: Effect.Effect<void, never, Store>,
    calls: ReadonlyArray<string>
  ) => Effect.Effect<A, E, Store>,
  minutes: ReadonlyArray<number> = [1, 2]
) => {
  const calls: Array<string> = []
  const recording = ScriptedServices.newRecording()
  return Effect.gen(function* () {
    const rows = [Decision.append(Order, order), Decision.append(BankTask, reversing), Decision.append(Job, work)]
    yield* ScriptedServices.seed(rows, recording)
    const store = yield* Store
    const handle = yield* ReverseAnswer.make
    const tasks = yield* ManageTasks.make
    const leased = Effect.gen(function* () {
      const due = yield* store.load(Job, [work.jobId])
      if (due === undefined) return
      const leasedJob = { ...due, token: work.token, leaseUntilMs: work.leaseUntilMs }
      yield* ScriptedServices.seed([Decision.put(Job, leasedJob)], recording)
      yield* handle(leasedJob)
    }).pipe(Effect.orDie)
    yield* leased
    for (const minute of minutes) {
      yield* TestClock.setTime(nowMs + minute * 60_000)
      yield* leased
    }
    return yield* rest(tasks, leased, calls)
  }).pipe(
    Effect.provide(
      Layer.provideMerge(
        Layer.sync(Acquirer, () => bankOf(ways, calls)),
        ScriptedServices.layer({}, recording)
      )
    )
  )
}

const statesOf = (...taskIds: ReadonlyArray<string>) =>
  Effect.flatMap(Store, (store) =>
    Effect.forEach(taskIds, (taskId) =>
      Effect.map(store.load(BankTask, [taskId]), (task) => task && `${task.state} ${task.closedBy}`)
    )
  )

describe("a reversal whose answer is lost, at a bank that answers no inquiries", () => {
  const cases: ReadonlyArray<
    readonly [what: string, ways: ReadonlyArray<Way>, calls: ReadonlyArray<string>, state: State, task: boolean]
  > = [
    ["has a task of its own, and is not sent again", person, ["refund 1-refund-3"], "reversing", true],
    [
      "is sent again within the bank's window, and then has a task",
      [{ by: "resend", windowMs: 150_000 }],
      ["refund 1-refund-3", "refund 1-refund-3"],
      "reversing",
      true
    ],
    [
      "is made ineffective where the bank can do that, and waits for an operator",
      [{ by: "reversal" }],
      ["refund 1-refund-3", "reverse 1-refund-3"],
      "open",
      false
    ]
  ]
  it.effect.each(cases)("%s", ([, ways, expected, state, hasTask]) =>
    afterLostAnswer(ways, (_, __, calls) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(calls, [...expected])
        assert.deepStrictEqual(yield* statesOf(reversing.taskId, unanswered), [
          `${state} null`,
          hasTask ? "open null" : undefined
        ])
      })
    )
  )
})

describe("what two people state of a reversal", () => {
  const later = TestClock.setTime(nowMs + 3_600_000)
  it.effect.each([
    ["approved", "reversed gateway", undefined],
    ["declined", "open null", "refund 1-refund-4"]
  ] as const)("%s: its task is %s", ([as, state, again]) =>
    afterLostAnswer(
      person,
      (tasks, run, calls) =>
        Effect.gen(function* () {
          const store = yield* Store
          const dueAtMs = Effect.map(store.load(Job, [work.jobId]), (due) => due?.dueAtMs)
          assert.isAbove((yield* dueAtMs) ?? 0, nowMs + 90 * 60_000)
          yield* tasks.answer(alice, unanswered, { as, note: "Ms Smith" })
          assert.strictEqual(yield* dueAtMs, nowMs + 90 * 60_000)
          yield* run
          assert.deepStrictEqual(yield* statesOf(reversing.taskId, unanswered), [state, `closed ${alice}`])
          assert.isUndefined(yield* store.load(Job, [work.jobId]))
          yield* Effect.ignore(tasks.reverse(alice, reversing.taskId, "again"))
          yield* run
          assert.deepStrictEqual(calls, ["refund 1-refund-3", ...(again === undefined ? [] : [again])])
        }),
      [1, 2, 10, 90]
    )
  )

  const refusals: ReadonlyArray<
    readonly [
      what: string,
      act: (tasks: Effect.Success<typeof ManageTasks.make>) => Effect.Effect<unknown, unknown>,
      message: string
    ]
  > = [
    [
      "the answer is refused while the request may still arrive",
      (tasks) => tasks.answer(alice, unanswered, { as: "declined", note: "seen" }),
      "the request may still arrive: state this 15 minutes after the task was opened (orders.resubmitWithinMs)"
    ],
    [
      "the answer about another task is refused",
      (tasks) => tasks.answer(alice, "1-capture-1.approved", { as: "declined", note: "seen" }),
      "the task does not wait for an answer: reverse or close it"
    ],
    [
      "the approval of a payment is refused without its code",
      (tasks) => Effect.andThen(later, tasks.answer(alice, "9-authorize-0.unknown", { as: "approved", note: "seen" })),
      "give the approval code that the bank named"
    ],
    [
      "the task is not closed without an answer",
      (tasks) => tasks.close(alice, unanswered, "seen"),
      `the gateway waits for the outcome of this request: state it (pay tasks answer ${unanswered})`
    ],
    [
      "the task is not reversed",
      (tasks) => tasks.reverse(alice, unanswered, "seen"),
      `the gateway waits for the outcome of this request: state it (pay tasks answer ${unanswered})`
    ],
    [
      "another reversal is refused before it, also if its task is open",
      (tasks) => tasks.reverse(alice, "1-capture-2.approved", "seen"),
      `the gateway waits for the outcome of this request: state it (pay tasks answer ${unanswered})`
    ]
  ]
  it.effect.each(refusals)("%s", ([, act, message]) =>
    afterLostAnswer(person, (tasks) =>
      Effect.gen(function* () {
        const store = yield* Store
        const open = (reference: string, verdict: "approved" | "unknown") =>
          Unexpected.taskOf(order, { ...statement, reference, verdict }, false, nowMs)
        const restored = { ...open("1-capture-2", "approved"), reversalReference: "1-refund-3" } as const
        const others = [open("1-capture-1", "approved"), open("9-authorize-0", "unknown"), restored]
        yield* store.commit({ guards: [], writes: others.map((each) => Decision.put(BankTask, each)) })
        const failure = yield* Effect.flip(act(tasks))
        assert.strictEqual(failure instanceof ManageTasks.TaskRefused ? failure.message : failure, message)
      })
    )
  )

  it.effect("make the held job of a restored copy due", () =>
    afterLostAnswer(person, (tasks) =>
      Effect.gen(function* () {
        const store = yield* Store
        const task = Unexpected.taskOf(order, { ...statement, reference: "7-sale-0", verdict: "unknown" }, false, nowMs)
        const waitingJob = job({
          jobId: "recurring:7",
          kind: "recurring",
          subject: "7",
          token: null,
          dueAtMs: nowMs + 86_400_000
        })
        const row = { jobId: waitingJob.jobId, kind: waitingJob.kind, subject: "7", dueAtMs: 1, taskId: task.taskId }
        const writes = [Decision.put(BankTask, task), Decision.put(Job, waitingJob), Decision.put(HeldJob, row)]
        yield* store.commit({ guards: [], writes })
        yield* later
        yield* tasks.answer(alice, task.taskId, { as: "declined", note: "seen" })
        assert.strictEqual((yield* store.load(Job, [waitingJob.jobId]))?.dueAtMs, nowMs + 3_600_000)
      })
    )
  )
})
