/** A store with something around each of its calls: a wait, a failure, the end of its process. */
import { Store, type StoreUnavailable } from "@pay/gateway/Store"
import type { Effect } from "effect"

type StoreService = Store["Service"]

/** Wraps each call of the store. The result has no notifications of jobs: a process on it polls for due jobs. */
export const around = (
  store: StoreService,
  each: <A, E>(call: Effect.Effect<A, E | StoreUnavailable>) => Effect.Effect<A, E | StoreUnavailable>,
  exclusive: boolean = store.exclusive
): StoreService =>
  Store.of({
    exclusive,
    load: (entity, values, unique) => each(store.load(entity, values, unique)),
    find: (entity, index, range) => each(store.find(entity, index, range)),
    claimDue: (claim) => each(store.claimDue(claim)),
    commit: (decision) => each(store.commit(decision))
  })
