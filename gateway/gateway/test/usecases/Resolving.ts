/** Runs the resolution of a request by two operators on a store in memory. */

import { Effect, Exit } from "effect"
import { AuditEntry } from "../../src/kernel/Audit.ts"
import * as Decision from "../../src/kernel/Decision.ts"
import { Job } from "../../src/kernel/Job.ts"
import { Store } from "../../src/kernel/Store.ts"
import { Resolution, type Statement } from "../../src/orders/decide/Resolve.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import * as ResolveOrder from "../../src/reconciliation/ResolveOrder.ts"
import { ResolveRefused } from "../../src/reconciliation/UnknownRequest.ts"
import { OperatorAccount } from "../../src/signin/decide/OperatorAccount.ts"
import { job, request, resolution, sale, statement } from "../domain/Sample.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

export const alice = "operator:alice"
export const bob = "operator:bob"
/** So long ago that the request is not sent again, and only inquiries are made. */
export const acceptedAtMs = ScriptedServices.nowMs - 10_000_000

export const unknown = sale({ state: "unknown", authorizedMinor: 0, capturedMinor: 0 })
export const creation: OrderRequest = {
  ...request({ sequence: 0, amountMinor: 10_000, progress: "unknown", acceptedAtMs }),
  operation: "SALE",
  action: "sale"
}
export const proposal = resolution()
export const work = job({ token: null, openAttempts: 0 })

export interface Setup extends ScriptedServices.Script {
  readonly order?: Order
  readonly requests?: ReadonlyArray<OrderRequest>
  /** Null if there is no job for the request any more. */
  readonly job?: Job | null
  readonly proposal?: Resolution
  readonly operators?: ReadonlyArray<OperatorAccount>
}

type Use = (
  resolve: Effect.Success<typeof ResolveOrder.make>
) => Effect.Effect<{ readonly resolution: Resolution }, unknown>

export const resolve = (setup: Setup, use: Use) => {
  const recording = ScriptedServices.newRecording()
  return Effect.gen(function* () {
    const store = yield* Store
    const jobs = setup.job === null ? [] : [Decision.append(Job, setup.job ?? work)]
    const requests = (setup.requests ?? [creation]).map((each) => Decision.append(OrderRequest, each))
    const existing = setup.proposal === undefined ? [] : [Decision.append(Resolution, setup.proposal)]
    yield* ScriptedServices.seed(
      [
        Decision.append(Order, setup.order ?? unknown),
        ...requests,
        ...jobs,
        ...existing,
        ...(setup.operators ?? []).map((each) => Decision.append(OperatorAccount, each))
      ],
      recording
    )
    const exit = yield* Effect.exit(use(yield* ResolveOrder.make))
    const failure = Exit.isFailure(exit) ? yield* Effect.flip(exit) : undefined
    const refused = failure instanceof ResolveRefused ? failure.message : failure
    const audit = yield* store.find(AuditEntry, "at", { limit: 10 })
    return {
      recording,
      refused,
      resolution: Exit.isSuccess(exit) ? exit.value.resolution : undefined,
      state: (yield* store.load(Order, ["1"]))?.state,
      records: yield* store.find(OrderRequest, "order", { equals: ["1"], limit: 10 }),
      audit: audit.map(({ action, outcome }) => `${action} ${outcome}`)
    }
  }).pipe(Effect.provide(ScriptedServices.layer(setup, recording)))
}

export const propose = (setup: Setup, changes: Partial<Statement> = {}, requestId?: string) =>
  resolve(setup, (use) => use.propose({ orderId: "1", requestId, actor: alice }, { ...statement, ...changes }))
export const confirm = (setup: Setup, actor: "operator:alice" | "operator:bob" = bob, of: Resolution = proposal) =>
  resolve({ proposal, ...setup }, (use) =>
    use.confirm({ orderId: "1", requestId: undefined, actor }, { as: of.outcome, digest: ResolveOrder.digestOf(of) })
  )

export const later = { ...creation, requestId: "5", sequence: 1_000 }
export const many = Array.from({ length: 1_000 }, (_, sequence) => ({
  ...creation,
  requestId: `many-${sequence}`,
  sequence,
  progress: "declined" as const
}))
export const nothing = "nothing of this order is unknown: there is nothing to settle by hand"
export const changed = "it has changed meanwhile: look at the order, then ask again"
