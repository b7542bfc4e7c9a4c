/** A store with something around each of its calls: a wait, a failure, the end of its process. */
import { Store, type StoreUnavailable } from "@pay/gateway/Store"
import type { Effect } from "effect"

type Shelf = Store["Service"]

/** The store as it is called by a process that nobody wakes: it looks for itself for what is due. */
export const around = (
  store: Shelf,
  each: <A, E>(call: Effect.Effect<A, E | StoreUnavailable>) => Effect.Effect<A, E | StoreUnavailable>,
  exclusive: boolean = store.exclusive
): Shelf =>
  Store.of({
    exclusive,
    load: (entity, values, unique) => each(store.load(entity, values, unique)),
    find: (entity, index, range) => each(store.find(entity, index, range)),
    claimDue: (claim) => each(store.claimDue(claim)),
    commit: (decision) => each(store.commit(decision))
  })
