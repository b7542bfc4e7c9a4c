/** Tries that a restored copy does not know: which are asked about, and which of them decides. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Acquirer, AcquirerError, AnswerLost, type InquiryAnswer } from "../../src/orders/Acquirer.ts"
import type * as Inquiry from "../../src/orders/outcomes/Inquiry.ts"
import * as FormerAttempts from "../../src/orders/restored/FormerAttempts.ts"
import { Restoration } from "../../src/orders/restored/Restoration.ts"
import { request, sale } from "../domain/Sample.ts"
import * as World from "./World.ts"

const approved: Inquiry.Answer = { _tag: "Approved", approvalCode: "A1", processorTxId: "T1" }
const declined: Inquiry.Answer = { _tag: "Declined", code: 116, message: "no" }
const longestProcessingMs = 1_000

interface Given {
  readonly restoredMsAgo: number | undefined
  readonly createdAtMs: number
  readonly answers: ReadonlyArray<InquiryAnswer | "lost">
  readonly last: number
  readonly action?: "sale" | "refundThenCancel"
}

const ask = ({ action = "sale", answers, createdAtMs, last, restoredMsAgo }: Given) => {
  const did = World.nothing()
  const requests: Array<string> = []
  const never = () => Effect.die("nothing is asked for")
  const bank = Layer.succeed(Acquirer, {
    capabilities: { longestProcessingMs, deadlineMs: 10_000, transfers: false, eligibility: false },
    authorize: never,
    eligible: never,
    capture: never,
    cancel: never,
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
  const startedAtMs = World.nowMs - (restoredMsAgo ?? 0)
  const copy = Decision.put(Restoration, {
    name: "latest",
    restoredAtMs: 1,
    startedAtMs,
    lastCommitAtMs: 1,
    enumeratedAtMs: 1
  })
  return Effect.gen(function* () {
    yield* World.given(restoredMsAgo === undefined ? [] : [copy], did)
    const tries = yield* FormerAttempts.make
    const result = yield* tries(sale({ createdAtMs }), request({ action, sequence: 0 }), last)
    return { requests, result: result === undefined ? "nothing" : `${result.sequence} ${result.answer._tag}` }
  }).pipe(Effect.provide(Layer.provideMerge(bank, World.layer({}, did))))
}

describe("the later tries of a payment", () => {
  const old = { restoredMsAgo: longestProcessingMs, createdAtMs: 1, last: 2 }
  const notFound = { _tag: "NotFound" } as const
  const cases: ReadonlyArray<readonly [what: string, given: Given, requests: number, result: string]> = [
    ["are asked about up to the one that was approved", { ...old, answers: [approved] }, 1, "1 Approved"],
    ["go on after one that was declined", { ...old, answers: [declined, approved] }, 2, "2 Approved"],
    ["go on after one that never arrived", { ...old, answers: [notFound, approved] }, 2, "2 Approved"],
    ["end with the last", { ...old, answers: [declined, declined, approved] }, 2, "nothing"],
    ["wait for one of which the bank cannot say", { ...old, answers: [{ _tag: "CannotSay" }] }, 1, "1 CannotSay"],
    ["wait for one of which no answer comes", { ...old, answers: ["lost"] }, 1, "1 CannotSay"],
    [
      "wait for one that may still arrive",
      { ...old, restoredMsAgo: longestProcessingMs - 1, answers: [notFound] },
      1,
      "1 CannotSay"
    ],
    [
      "do not wait for one that was declined",
      { ...old, restoredMsAgo: longestProcessingMs - 1, answers: [declined, declined] },
      2,
      "nothing"
    ],
    ["are not there where it has one try", { ...old, last: 0, answers: [] }, 0, "nothing"],
    ["are known of a younger order", { ...old, createdAtMs: World.nowMs, answers: [] }, 0, "nothing"],
    ["are known where there was no restore", { ...old, restoredMsAgo: undefined, answers: [] }, 0, "nothing"]
  ]
  it.effect.each(cases)("%s", ([, given, requestCount, result]) =>
    Effect.gen(function* () {
      const done = yield* ask(given)
      assert.deepStrictEqual([done.requests, done.result], [["1-sale-1", "1-sale-2"].slice(0, requestCount), result])
    })
  )

  it.effect("are refunds first, of a whole return", () =>
    Effect.gen(function* () {
      const { requests } = yield* ask({ ...old, action: "refundThenCancel", answers: [approved] })
      assert.deepStrictEqual(requests, ["1-refund-1"])
    })
  )
})
