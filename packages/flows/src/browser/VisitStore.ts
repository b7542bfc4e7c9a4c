/**
 * The store of the page that the browser of each order opens next. This module keeps it in memory. `@pay/flows/durable/WebFile`
 * keeps it in a file. Durable flows need the file: they send a browser to a page only once, even if the process ends. Implement it to
 * use your own database.
 */
import { Effect, Schema } from "effect"
import * as Recent from "../engine/Recent.ts"
import type { Visit } from "./CustomerBrowser.ts"

/** The store of visits could not be read or written. */
export class VisitStoreError extends Schema.TaggedError<VisitStoreError>()("VisitStoreError", {
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `the next page of a browser could not be stored: ${this.cause}`
  }
}

/** Storage for the next visit of each order's browser. */
export interface VisitStore {
  /** Stores the visit of its order. An earlier visit of the same order is replaced. */
  readonly put: (visit: Visit) => Effect.Effect<void, VisitStoreError>
  readonly find: (clientOrderId: string) => Effect.Effect<Visit | undefined, VisitStoreError>
  /** Drops the visit of the order. With `only`, which `find` returned, it is dropped only if no other has replaced it. */
  readonly drop: (clientOrderId: string, only?: Visit) => Effect.Effect<void, VisitStoreError>
}

/**
 * Number of visits that are kept. Beyond it the oldest visits are dropped, and their orders end as `Abandoned` when the gateway's
 * time limit is reached.
 */
export const mostVisits = 10_000

/** Makes a store in memory. Its content is lost when the process ends. */
export const makeMemory = (most = mostVisits): VisitStore => {
  const visits = new Recent.Recent<Visit>(most)
  return {
    put: (visit) => Effect.sync(() => visits.set(visit.clientOrderId, { ...visit })),
    find: (clientOrderId) => Effect.sync(() => visits.get(clientOrderId)),
    drop: (clientOrderId, only) =>
      Effect.sync(() => {
        if (only === undefined || visits.get(clientOrderId) === only) visits.delete(clientOrderId)
      })
  }
}
