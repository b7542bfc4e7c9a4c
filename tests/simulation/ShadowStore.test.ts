/** The shadow store contains what was committed, and reports where the store differs. */
import * as Decision from "@pay/gateway/Decision"
import { Nonce } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as StoreMemory from "@pay/gateway/StoreMemory"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import * as ShadowStore from "./ShadowStore.ts"

const nonce = (usedAtMs: number) => ({ consumerKey: "m", nonce: "n", usedAtMs })
const write = (usedAtMs: number) => ({ guards: [], writes: [Decision.put(Nonce, nonce(usedAtMs))] })
const changed = 'nonces ["m","n"]'

const inStore = <A, E>(work: (store: Store["Service"], committed: ShadowStore.ShadowStore) => Effect.Effect<A, E>) =>
  Effect.runPromise(
    Effect.flatMap(Store, (store) => work(store, ShadowStore.make())).pipe(Effect.provide(StoreMemory.layer))
  )

describe("the shadow store", () => {
  it("reports each change to observers, with the row before it", () =>
    inStore(
      Effect.fnUntraced(function* (store, committed) {
        const messages: Array<unknown> = []
        committed.observe((changes) => messages.push(...changes.map(({ after, before }) => [before, after])))
        yield* committed.watch(store).commit(write(1))
        yield* committed.watch(store).commit(write(2))
        assert.deepStrictEqual(messages, [
          [undefined, nonce(1)],
          [nonce(1), nonce(2)]
        ])
        assert.deepStrictEqual(committed.rows(Nonce), [nonce(2)])
        assert.deepStrictEqual(yield* committed.differences(store, "all"), [])
      })
    ))

  it.each(["all", "recent"] as const)("reports rows of the store that differ: %s rows", (which) =>
    inStore(
      Effect.fnUntraced(function* (store, committed) {
        yield* committed.watch(store).commit(write(1))
        yield* store.commit(write(2))
        assert.deepStrictEqual(yield* committed.differences(store, which), [
          `${changed} has another usedAtMs than was committed`
        ])
        yield* committed.reread(store)
        assert.deepStrictEqual(yield* committed.differences(store, "all"), [])
        yield* committed.watch(store).commit(write(3))
        yield* store.commit({ guards: [], writes: [Decision.remove(Nonce, ["m", "n"])] })
        assert.deepStrictEqual(yield* committed.differences(store, which), [`${changed} is lost`])
      })
    )
  )

  it("reads the store again after a commit with an unknown outcome", () =>
    inStore(
      Effect.fnUntraced(function* (store, committed) {
        const messages: Array<boolean> = []
        committed.observe((changes) => messages.push(...changes.map(({ isSure }) => isSure)))
        const interrupted = { ...store, commit: () => Effect.andThen(store.commit(write(1)), Effect.interrupt) }
        yield* Effect.exit(committed.watch(interrupted).commit(write(1)))
        yield* committed.watch(store).commit(write(2))
        assert.deepStrictEqual(messages, [false])
        yield* Effect.exit(committed.watch(interrupted).commit(write(1)))
        assert.deepStrictEqual(yield* committed.differences(store, "recent"), [])
        assert.deepStrictEqual(committed.rows(Nonce), [nonce(1)])
      })
    ))
})
