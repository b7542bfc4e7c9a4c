/** A merchant's scenario whose gateway process ends at one of its writes, and is replaced by another process. */
import { assert, describe, it } from "@effect/vitest"
import { Store } from "@pay/gateway/Store"
import { Effect, Layer, type Scope } from "effect"
import * as World from "../harness/World.ts"
import * as StoreFault from "./StoreFault.ts"

type GatewayServices = Layer.Success<ReturnType<typeof World.gateway>> | Layer.Success<ReturnType<typeof World.outside>>

/** Requests of a merchant, and assertions about their outcome. It can be run again: repeated requests are replays. */
export type Scenario<E> = Effect.Effect<unknown, E, GatewayServices | Scope.Scope>

/** A gateway whose store has the fault. */
export const gatewayWith = (fault: StoreFault.StoreFault, settings?: Surroundings["settings"]) =>
  World.gateway(settings).pipe(Layer.provide(Layer.effect(Store, Effect.map(Store, fault.spoil))))

/** The gateway's settings and its surroundings, if they differ from the usual ones. `outside` is made again for each process. */
export interface Surroundings {
  readonly settings?: Parameters<typeof World.gateway>[0]
  readonly outside?: () => Parameters<typeof World.outside>[0]
}

/** Runs the scenario on a gateway with the fault. If that ends its process, runs it again on another gateway. */
const runWithFault = <E>(
  fault: StoreFault.StoreFault,
  scenario: Scenario<E>,
  { outside, settings }: Surroundings = {}
) =>
  Effect.gen(function* () {
    const over = yield* Effect.raceFirst(
      Effect.provide(Effect.as(scenario, false), gatewayWith(fault, settings), { local: true }),
      Effect.as(fault.over, true)
    )
    if (over) yield* Effect.provide(scenario, World.gateway(settings), { local: true })
  }).pipe(Effect.provide(World.outside(outside?.()), { local: true }))

/** Tests of the scenario with each fault at each of its writes. */
export const suite = <E>(what: string, writes: number, scenario: Scenario<E>, around?: Surroundings) =>
  describe(`${what}, interrupted at each write`, () => {
    it.live(`has ${writes} writes`, () =>
      Effect.gen(function* () {
        const fault = StoreFault.make(0, "it throws a defect")
        yield* runWithFault(fault, scenario, around)
        assert.strictEqual(fault.writes(), writes)
      })
    )

    for (const end of Object.keys(StoreFault.ends) as ReadonlyArray<StoreFault.End>) {
      it.live.each(Array.from({ length: writes }, (_, n) => n + 1))(`ends as usual if at write %i ${end}`, (at) =>
        runWithFault(StoreFault.make(at, end), scenario, around)
      )
    }
  })
