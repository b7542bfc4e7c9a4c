/** The store on PostgreSQL keeps the contract of every store, alone and shared by two processes. */
import { describe, expect, it } from "@effect/vitest"
import { put } from "@pay/gateway/Decision"
import { Job } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { Deferred, Effect } from "effect"
import * as Contract from "./Contract.ts"

/** A store that alternates between two stores from call to call. */
const alternating = ({ one, other }: Contract.Stores["Service"]): Store["Service"] => {
  let turn = 0
  const next = () => (turn++ % 2 === 0 ? one : other)
  return Store.of({
    exclusive: false,
    load: (entity, values, unique) => next().load(entity, values, unique),
    find: (entity, index, range) => next().find(entity, index, range),
    claimDue: (claim) => next().claimDue(claim),
    commit: (decision) => next().commit(decision)
  })
}

Contract.tests("the store's contract on PostgreSQL", Contract.direct)

Contract.tests(
  "the store's contract on PostgreSQL, with calls alternating between two processes",
  Contract.direct,
  alternating
)

describe("a job that one process commits", () => {
  it.live("wakes the other processes", () =>
    Effect.gen(function* () {
      const { one, other } = yield* Contract.Stores
      const woken = yield* Deferred.make<void>()
      const job: Job = {
        ...{ jobId: "1", kind: "bank", subject: "1", merchantId: "", dueAtMs: 1, tries: 0 },
        ...{ token: null, leaseUntilMs: 0, openAttempts: 0, startedAtMs: null }
      }
      other.onDue?.(() => Deferred.doneUnsafe(woken, Effect.void))
      yield* one.commit({ guards: [], writes: [put(Job, job)] })
      yield* Deferred.await(woken)
      expect(yield* other.load(Job, ["1"])).toBeDefined()
    }).pipe(Effect.provide(Contract.layer(Contract.direct)))
  )
})
