/** One item of the agenda, carried out against a bank or a rail by script. */
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Evidence } from "../../src/kernel/Evidence.ts"
import { Job } from "../../src/kernel/Job.ts"
import { Store } from "../../src/kernel/Store.ts"
import { Order } from "../../src/orders/Order.ts"
import { isOfRail, OrderRequest } from "../../src/orders/OrderRequest.ts"
import * as BankJob from "../../src/orders/outcomes/BankJob.ts"
import { BankTask } from "../../src/orders/outcomes/BankTask.ts"
import * as CardAnswer from "../../src/orders/outcomes/CardAnswer.ts"
import type * as Inquiry from "../../src/orders/outcomes/Inquiry.ts"
import * as PayoutAnswer from "../../src/payouts/PayoutAnswer.ts"
import { item, request, sale } from "../domain/Sample.ts"
import * as World from "./World.ts"

export const resubmitWithinMs = 900_000
export const longestProcessingMs = 1_000
export const approved: Inquiry.Answer = { _tag: "Approved", approvalCode: "A1", processorTxId: "T1" }
export const declined: Inquiry.Answer = { _tag: "Declined", code: 116, message: "Not sufficient funds" }

export const order = sale({ state: "authorizing", authorizedMinor: 0, capturedMinor: 0 })
export const creation = request({ operation: "SALE", action: "sale", sequence: 0, amountMinor: 10_000 })
export const work = item()
/** Begun before, so long ago that by the wall clock its processing time is over. */
export const begun = { ...work, openAttempts: 2, startedAtMs: World.nowMs - longestProcessingMs }

export interface Given extends World.Script {
  readonly order?: Order
  readonly request?: OrderRequest
  readonly item?: Job
  readonly rows?: ReadonlyArray<Decision.Write>
  /** What others write while bank or rail is asked. */
  readonly whileAsked?: ReadonlyArray<Decision.Write>
  readonly sent?: Inquiry.Answer
  readonly inquired?: Inquiry.Answer
  /** What it is told when it inquires again and again, each time about an item that was begun before. */
  readonly further?: ReadonlyArray<Inquiry.Answer>
  readonly step?: BankJob.Step
  /** What is answered when nobody waits for it any more, and what others have written by then. */
  readonly late?: { readonly answer: Inquiry.Answer; readonly rows: ReadonlyArray<Decision.Write> }
}

/** Carries one item out; answers what was asked for, and what is kept afterwards. */
export const carryOut = (given: Given) => {
  const did = World.nothing()
  const requests: Array<string> = []
  return Effect.gen(function* () {
    const store = yield* Store
    const its = given.request ?? creation
    const rows = [
      Decision.append(Order, given.order ?? order),
      Decision.append(OrderRequest, its),
      Decision.append(Job, given.item ?? work),
      ...(given.rows ?? [])
    ]
    yield* World.given(rows, did)
    const answer = (what: string, of: Inquiry.Answer | undefined) =>
      Effect.gen(function* () {
        requests.push(what)
        yield* World.given(given.whileAsked ?? [], did)
        return of ?? { _tag: "NotFound" as const }
      }).pipe(Effect.provideService(Store, store))
    let { inquired } = given
    let hear: BankJob.Late = () => Effect.void
    const making = BankJob.make<Omit<Inquiry.JobContext, "item">>({
      longestProcessingMs,
      load: Effect.succeed,
      send: (_, late, checkLease) =>
        Effect.gen(function* () {
          hear = late
          yield* checkLease
          return yield* answer("send", given.sent)
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
      step: () => given.step
    })
    const handle = yield* World.longAgo(making, longestProcessingMs)
    const exit = yield* Effect.exit(handle(given.item ?? work, store))
    for (const next of given.further ?? []) {
      inquired = next
      yield* World.given([Decision.put(Job, begun)], did)
      yield* handle(begun, store)
    }
    if (given.late !== undefined) {
      yield* World.given(given.late.rows, did)
      yield* hear(given.late.answer)
    }
    const evidence = yield* store.find(Evidence, "order", { equals: ["1"], limit: 10 })
    const tasks = yield* store.find(BankTask, "order", { equals: ["1"], limit: 10 })
    return {
      exit,
      requests,
      commits: did.decisions.length,
      did,
      state: (yield* store.load(Order, ["1"]))?.state,
      progress: (yield* store.load(OrderRequest, [its.requestId]))?.progress,
      scheduler: yield* store.load(Job, ["bank:2"]),
      evidence: evidence.map((each) => each.answer),
      tasks: tasks.map((each) => `${each.source} ${each.answer} ${each.orderState} ${each.state}`)
    }
  }).pipe(Effect.provide(World.layer(given, did)))
}
