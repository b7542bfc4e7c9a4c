/** The reads of a store that one request makes by itself, without the jobs that run meanwhile. */
import { Store } from "@pay/gateway/Store"
import { Context, Effect } from "effect"

/** The reads so far, each as its entity, with the index of a search, and with the values that it names. */
interface Reads {
  readonly rows: Array<{ readonly entity: string; readonly key: string }>
}

const Reading = Context.Reference<Reads | undefined>("StoreReads", { defaultValue: () => undefined })

const noted = (entity: string, index: string | undefined, values: unknown) =>
  Effect.map(Reading, (reads) => {
    const name = index === undefined ? entity : `${entity} by ${index}`
    reads?.rows.push({ entity: name, key: `${name} ${JSON.stringify(values)}` })
  })

/** Between a gateway and its store. After each read other requests have their turn. */
export const watched = (store: Store["Service"]): Store["Service"] =>
  Store.of({
    ...store,
    load: (entity, values, unique) =>
      Effect.andThen(
        noted(entity.name, unique === "key" ? undefined : unique, values),
        Effect.tap(store.load(entity, values, unique), Effect.yieldNow)
      ),
    find: (entity, index, range) =>
      Effect.andThen(
        noted(entity.name, index, [range.equals, range.from]),
        Effect.tap(store.find(entity, index, range), Effect.yieldNow)
      )
  })

/** Runs a request. Returns what it read, in this order, and whether it read something twice. */
export const of = Effect.fnUntraced(function* <A, E, R>(request: Effect.Effect<A, E, R>) {
  const reads: Reads = { rows: [] }
  const answer = yield* Effect.provideService(request, Reading, reads)
  const keys = reads.rows.map(({ key }) => key)
  return {
    answer,
    reads: reads.rows.map(({ entity }) => entity).join(", "),
    twice: keys.filter((key, at) => keys.indexOf(key) < at)
  }
})
