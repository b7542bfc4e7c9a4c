/** What all tests of the promises of engines share. Each row runs on each engine. */
import { describe, it } from "@effect/vitest"
import { Effect, Layer, Schedule, type Scope } from "effect"
import type * as ExecutionStatus from "../../src/engine/ExecutionStatus.ts"
import { FlowEngine, type OpenExecution } from "../../src/engine/FlowEngine.ts"
import { Charge, clientOf, OfMerchant, Pair, Parcel, World } from "./Charge.ts"
import { type Name, on } from "./Engines.ts"

export type Program = Effect.Effect<void, unknown, FlowEngine | World | Scope.Scope>

export const id = "e-1"
export const waiting = { id, waits: "signal" } as const
export const signal = Effect.flatMap(FlowEngine, (engine) => engine.signal(`news:${id}`, "good"))
type Tag = ExecutionStatus.ExecutionStatus<unknown, unknown>["_tag"]
export const often = Schedule.spaced("5 millis")

export const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, { onFailure: ({ _tag }) => _tag, onSuccess: (value) => String(value) })
export const ended = (value: string) => ({ _tag: "Succeeded" as const, value })

/** Waits until the latest attempt has this status. */
export const until = (tag: Tag, of = id) =>
  Effect.repeat(Effect.retry(Charge.poll(of), { while: ({ _tag }) => _tag === "NotStarted", schedule: often }), {
    schedule: often,
    until: ({ _tag }) => _tag === tag
  })

export const idsOf = (state: OpenExecution["state"]) =>
  Effect.flatMap(FlowEngine, (engine) =>
    Effect.map(engine.list({ state, limit: 10 }), (page) => page.map((execution) => execution.id))
  )

export const fork = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.forkScoped(effect, { startImmediately: true })

const flows = Layer.mergeAll(
  Charge.layer,
  Pair.layer,
  Parcel.layer,
  Layer.provide(OfMerchant.layer, clientOf("shop-1")),
  Layer.provide(OfMerchant.layer, clientOf("shop-2"))
)

const names: ReadonlyArray<Name> = ["memory", "file", "cluster"]

/** Tests each row on each engine. */
export const onEachEngine = (group: string, rows: Readonly<Record<string, Program>>) => {
  for (const name of names) {
    describe.concurrent(`${group} on the engine of ${name}`, () => {
      for (const [row, program] of Object.entries(rows)) {
        it.live(row, () => Effect.scoped(on(name, flows)(program)).pipe(Effect.provide(World.layer)))
      }
    })
  }
}
