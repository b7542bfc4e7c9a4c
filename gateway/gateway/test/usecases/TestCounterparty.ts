/** Runs one job against a scripted bank or rail. */
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Evidence } from "../../src/kernel/Evidence.ts"
import { Job } from "../../src/kernel/Job.ts"
import { Store } from "../../src/kernel/Store.ts"
import * as CardAnswer from "../../src/orders/decide/CardAnswer.ts"
import type * as Inquiry from "../../src/orders/decide/Inquiry.ts"
import * as BankJob from "../../src/orders/outcomes/BankJob.ts"
import type * as Counterparty from "../../src/orders/outcomes/Counterparty.ts"
import * as SentTimes from "../../src/orders/outcomes/SentTimes.ts"
import { BankTask } from "../../src/orders/record/BankTask.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { isOfRail, OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import * as PayoutAnswer from "../../src/payouts/decide/PayoutAnswer.ts"
import { job, request, sale } from "../domain/Sample.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

export const resubmitWithinMs = 900_000
export const longestProcessingMs = 1_000
export const approved: Inquiry.Answer = { _tag: "Approved", approvalCode: "A1", processorTxId: "T1" }
export const declined: Inquiry.Answer = { _tag: "Declined", code: 116, message: "Not sufficient funds" }

export const order = sale({ state: "authorizing", authorizedMinor: 0, capturedMinor: 0 })
export const creation = request({ operation: "SALE", action: "sale", sequence: 0, amountMinor: 10_000 })
export const work = job()
/** The job after an earlier attempt, whose processing time is over by the wall clock. */
export const resumed = { ...work, openAttempts: 2, startedAtMs: ScriptedServices.nowMs - longestProcessingMs }

export interface Setup extends ScriptedServices.Script {
  readonly order?: Order
  readonly request?: OrderRequest
  readonly job?: Job
  readonly rows?: ReadonlyArray<Decision.Write>
  /** Rows that other processes write during the request to bank or rail. */
  readonly duringRequest?: ReadonlyArray<Decision.Write>
  readonly sent?: Inquiry.Answer
  readonly inquired?: Inquiry.Answer
  /** The answers to further inquiries, each after an earlier attempt. */
  readonly further?: ReadonlyArray<Inquiry.Answer>
  readonly step?: Counterparty.Step
  /** The answer after the deadline, and the rows that other processes have written by then. */
  readonly late?: { readonly answer: Inquiry.Answer; readonly rows: ReadonlyArray<Decision.Write> }
}

/** Runs one job; returns the requests to bank or rail, and the rows afterwards. */
export const runJob = (setup: Setup) => {
  const recording = ScriptedServices.newRecording()
  const requests: Array<string> = []
  return Effect.gen(function* () {
    const store = yield* Store
    const requestRow = setup.request ?? creation
    const rows = [
      Decision.append(Order, setup.order ?? order),
      Decision.append(OrderRequest, requestRow),
      Decision.append(Job, setup.job ?? work),
      ...(setup.rows ?? [])
    ]
    yield* ScriptedServices.seed(rows, recording)
    const answer = (what: string, of: Inquiry.Answer | undefined) =>
      Effect.gen(function* () {
        requests.push(what)
        yield* ScriptedServices.seed(setup.duringRequest ?? [], recording)
        return of ?? { _tag: "NotFound" as const }
      }).pipe(Effect.provideService(Store, store))
    let { inquired } = setup
    let onLateAnswer: Counterparty.LateAnswerHandler = () => Effect.void
    const counterparty: Counterparty.Counterparty<Omit<Inquiry.JobContext, "job">> = {
      longestProcessingMs: () => longestProcessingMs,
      load: Effect.succeed,
      send: (_, late, checkLease) =>
        Effect.gen(function* () {
          onLateAnswer = late
          yield* checkLease
          return yield* answer("send", setup.sent)
        }),
      inquire: () => Effect.suspend(() => answer("inquire", inquired)),
      reference: ({ request }) => `1-${request.action}-${request.sequence}`,
      amountMinor: () => 10_000,
      settle: (context, received, terms, commit) =>
        commit(
          isOfRail(context.request)
            ? PayoutAnswer.decide({ ...context, request: context.request, payout: undefined }, received, {
                ...terms,
                lateRefusalAfterMs: [],
                approvalUntilMs: undefined
              })
            : CardAnswer.decide(context, received, { ...terms, holdMs: 1 })
        ),
      step: () => setup.step
    }
    const makeHandler = Effect.flatMap(SentTimes.make, (sentTimes) => BankJob.make(sentTimes, counterparty))
    const { run: handle } = yield* ScriptedServices.startedBefore(makeHandler, longestProcessingMs)
    const exit = yield* Effect.exit(handle(setup.job ?? work, store))
    for (const next of setup.further ?? []) {
      inquired = next
      yield* ScriptedServices.seed([Decision.put(Job, resumed)], recording)
      yield* handle(resumed, store)
    }
    if (setup.late !== undefined) {
      yield* ScriptedServices.seed(setup.late.rows, recording)
      yield* onLateAnswer(setup.late.answer)
    }
    const evidence = yield* store.find(Evidence, "order", { equals: ["1"], limit: 10 })
    const tasks = yield* store.find(BankTask, "order", { equals: ["1"], limit: 10 })
    return {
      exit,
      requests,
      commits: recording.decisions.length,
      recording,
      state: (yield* store.load(Order, ["1"]))?.state,
      progress: (yield* store.load(OrderRequest, [requestRow.requestId]))?.progress,
      scheduler: yield* store.load(Job, ["bank:2"]),
      evidence: evidence.map((each) => each.answer),
      tasks: tasks.map((each) => `${each.source} ${each.answer} ${each.orderState} ${each.state}`)
    }
  }).pipe(Effect.provide(ScriptedServices.layer(setup, recording)))
}
