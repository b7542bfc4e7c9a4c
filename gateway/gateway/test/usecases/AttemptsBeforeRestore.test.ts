/** Attempts that a restored copy may lack: which cause an inquiry, and which one gives the outcome. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Acquirer, AcquirerError, AnswerLost, type InquiryAnswer } from "../../src/orders/Acquirer.ts"
import type * as Inquiry from "../../src/orders/outcomes/Inquiry.ts"
import * as AttemptsBeforeRestore from "../../src/orders/restored/AttemptsBeforeRestore.ts"
import { Restoration } from "../../src/orders/restored/Restoration.ts"
import { request, sale } from "../domain/Sample.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

const approved: Inquiry.Answer = { _tag: "Approved", approvalCode: "A1", processorTxId: "T1" }
const declined: Inquiry.Answer = { _tag: "Declined", code: 116, message: "no" }
const longestProcessingMs = 1_000

interface Setup {
  readonly restoredMsAgo: number | undefined
  readonly createdAtMs: number
  readonly answers: ReadonlyArray<InquiryAnswer | "lost">
  readonly last: number
  readonly action?: "sale" | "refundThenVoid"
}

const ask = ({ action = "sale", answers, createdAtMs, last, restoredMsAgo }: Setup) => {
  const recording = ScriptedServices.newRecording()
  const requests: Array<string> = []
  const never = () => Effect.die("only inquiries are expected")
  const bank = Layer.succeed(
    Acquirer,
    Acquirer.checked({
      capabilities: { longestProcessingMs, deadlineMs: 10_000, transfers: false, eligibility: false },
      authorize: never,
      eligible: never,
      capture: never,
      void: never,
      refund: never,
      inquire: (reference) =>
        Effect.suspend(() => {
          const answer = answers[requests.length] ?? "lost"
          requests.push(reference)
          return answer === "lost"
            ? Effect.fail(new AcquirerError({ reason: new AnswerLost({ message: "reset" }) }))
            : Effect.succeed(answer)
        })
    })
  )
  const startedAtMs = ScriptedServices.nowMs - (restoredMsAgo ?? 0)
  const copy = Decision.put(Restoration, {
    name: "latest",
    version: 1,
    restoredAtMs: 1,
    startedAtMs,
    lastCommitAtMs: 1,
    enumeratedAtMs: 1
  })
  return Effect.gen(function* () {
    yield* ScriptedServices.seed(restoredMsAgo === undefined ? [] : [copy], recording)
    const laterAttempts = yield* AttemptsBeforeRestore.make
    const result = yield* laterAttempts(sale({ createdAtMs }), request({ action, sequence: 0 }), last)
    return { requests, result: result === undefined ? "nothing" : `${result.sequence} ${result.answer._tag}` }
  }).pipe(Effect.provide(Layer.provideMerge(bank, ScriptedServices.layer({}, recording))))
}

describe("inquiries for the later attempts of a payment after a restore", () => {
  const old = { restoredMsAgo: longestProcessingMs, createdAtMs: 1, last: 2 }
  const notFound = { _tag: "NotFound" } as const
  const cases: ReadonlyArray<readonly [what: string, setup: Setup, requests: number, result: string]> = [
    ["end with an approved attempt", { ...old, answers: [approved] }, 1, "1 Approved"],
    ["continue after a declined attempt", { ...old, answers: [declined, approved] }, 2, "2 Approved"],
    [
      "continue after an attempt that the bank does not know",
      { ...old, answers: [notFound, approved] },
      2,
      "2 Approved"
    ],
    ["end with the last attempt", { ...old, answers: [declined, declined, approved] }, 2, "nothing"],
    [
      "wait at an attempt whose outcome the bank cannot give",
      { ...old, answers: [{ _tag: "CannotSay" }] },
      1,
      "1 CannotSay"
    ],
    ["wait at an attempt without an answer", { ...old, answers: ["lost"] }, 1, "1 CannotSay"],
    [
      "wait at an unknown attempt that the bank may still receive",
      { ...old, restoredMsAgo: longestProcessingMs - 1, answers: [notFound] },
      1,
      "1 CannotSay"
    ],
    [
      "do not wait at a declined attempt",
      { ...old, restoredMsAgo: longestProcessingMs - 1, answers: [declined, declined] },
      2,
      "nothing"
    ],
    ["are not made for a payment with one attempt", { ...old, last: 0, answers: [] }, 0, "nothing"],
    ["are not made for a younger order", { ...old, createdAtMs: ScriptedServices.nowMs, answers: [] }, 0, "nothing"],
    ["are not made without a restore", { ...old, restoredMsAgo: undefined, answers: [] }, 0, "nothing"]
  ]
  it.effect.each(cases)("%s", ([, setup, requestCount, result]) =>
    Effect.gen(function* () {
      const done = yield* ask(setup)
      assert.deepStrictEqual([done.requests, done.result], [["1-sale-1", "1-sale-2"].slice(0, requestCount), result])
    })
  )

  it.effect("name the refund for a return of the whole amount", () =>
    Effect.gen(function* () {
      const { requests } = yield* ask({ ...old, action: "refundThenVoid", answers: [approved] })
      assert.deepStrictEqual(requests, ["1-refund-1"])
    })
  )
})
