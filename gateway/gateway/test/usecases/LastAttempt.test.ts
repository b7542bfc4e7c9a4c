/** A declined scheduled charge whose next attempt is due: the bank may have approved it late. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Job } from "../../src/kernel/Job.ts"
import { Store } from "../../src/kernel/Store.ts"
import { Acquirer, AcquirerError, AnswerLost, type InquiryAnswer } from "../../src/orders/bank/Acquirer.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import * as ChargeOccurrence from "../../src/recurring/ChargeOccurrence.ts"
import { Occurrence, Subscription } from "../../src/recurring/decide/Subscription.ts"
import { job, occurrence, request, sale, subscription } from "../domain/Sample.ts"
import { approved, declined } from "./Bank.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

const dayMs = 86_400_000
const dueAtMs = Date.UTC(2027, 2, 1)
const turn = job({ jobId: "recurring:9", kind: "recurring", subject: "9", leaseUntilMs: dueAtMs + dayMs })
const order = sale({ state: "registered", authorizedMinor: 0, capturedMinor: 0, sequence: 0, errorCode: 116 })
const charge = request({ operation: "RECURRING_CHARGE", action: "sale", sequence: 0 })
const rows = [
  Decision.put(Subscription, subscription({ encryptedPan: ScriptedServices.bytesOf("4444333322221111") })),
  Decision.put(Occurrence, occurrence({ progress: "retrying", nextTryAtMs: dueAtMs })),
  Decision.put(Order, order),
  Decision.put(OrderRequest, charge),
  Decision.put(Job, turn)
]

const never = () => Effect.die("nothing is sent")
const retry = (answer: InquiryAnswer | undefined, nowMs: number) => {
  const recording = ScriptedServices.newRecording()
  const requests: Array<string> = []
  const bank = Layer.succeed(
    Acquirer,
    Acquirer.checked({
      capabilities: { longestProcessingMs: 1_000, deadlineMs: 10_000, transfers: false, eligibility: false },
      ...{ authorize: never, eligible: never, followUp: never },
      inquire: ({ reference }) =>
        Effect.suspend(() => {
          requests.push(reference)
          return answer === undefined
            ? Effect.fail(new AcquirerError({ reason: new AnswerLost({ message: "reset" }) }))
            : Effect.succeed(answer)
        })
    })
  )
  return Effect.gen(function* () {
    const store = yield* Store
    yield* ScriptedServices.seed(rows, recording)
    const handle = yield* ChargeOccurrence.make
    yield* handle(turn)
    const work = yield* store.load(Job, [`bank:${charge.requestId}`])
    return {
      requests,
      progress: (yield* store.load(Occurrence, ["9", 1]))?.progress,
      sequence: (yield* store.load(Order, ["1"]))?.sequence,
      openAttempts: work?.openAttempts
    }
  }).pipe(Effect.provide(bank.pipe(Layer.provideMerge(ScriptedServices.layer({ nowMs }, recording)))))
}

describe("the inquiry before a declined charge is tried again", () => {
  const cases: ReadonlyArray<readonly [string, InquiryAnswer | undefined, string]> = [
    ["leads to the next attempt after a decline", declined, "charging 1 0"],
    ["leads to the next attempt if the bank does not know the charge", { _tag: "NotFound" }, "charging 1 0"],
    ["leads to another inquiry under the same reference after an approval", approved, "charging 0 1"],
    ["is repeated later if the bank cannot give the outcome", { _tag: "CannotSay" }, "retrying 0 "],
    ["is repeated later if the bank does not answer", undefined, "retrying 0 "]
  ]
  it.effect.each(cases)("%s", ([, answer, expected]) =>
    Effect.gen(function* () {
      const done = yield* retry(answer, dueAtMs)
      assert.strictEqual(`${done.progress} ${done.sequence} ${done.openAttempts ?? ""}`, expected)
      assert.deepStrictEqual(done.requests, ["1-sale-0"])
    })
  )

  it.effect.each([
    ["still counts its approval", approved, "charging"],
    ["fails without the bank's answer", undefined, "failed"]
  ] as const)("for a charge after its last day %s", ([, answer, expected]) =>
    Effect.gen(function* () {
      const done = yield* retry(answer, dueAtMs + 40 * dayMs)
      assert.strictEqual(done.progress, expected)
    })
  )
})
