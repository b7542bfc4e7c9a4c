/** What a merchant lives through when the gateway's process ends at some write and another one takes over. */
import { assert, describe, it } from "@effect/vitest"
import { Store } from "@pay/gateway/Store"
import { Effect, Layer, type Scope } from "effect"
import * as World from "../harness/World.ts"
import * as StoreFault from "./StoreFault.ts"

type There = Layer.Success<ReturnType<typeof World.gateway>> | Layer.Success<ReturnType<typeof World.outside>>

/** Everything that is told and then looked at; told again, it changes nothing. */
export type Story<E> = Effect.Effect<unknown, E, There | Scope.Scope>

export const doomedBy = (doom: StoreFault.StoreFault, settings?: Around["settings"]) =>
  World.gateway(settings).pipe(Layer.provide(Layer.effect(Store, Effect.map(Store, doom.spoil))))

/** The gateway's settings and its surroundings, if they differ from the usual ones. `outside` is made anew for each process. */
export interface Around {
  readonly settings?: Parameters<typeof World.gateway>[0]
  readonly outside?: () => Parameters<typeof World.outside>[0]
}

/** A gateway until its store dooms it; then another one, to which the merchant tells everything again. */
export const lives = <E>(doom: StoreFault.StoreFault, play: Story<E>, { outside, settings }: Around = {}) =>
  Effect.gen(function* () {
    const over = yield* Effect.raceFirst(
      Effect.provide(Effect.as(play, false), doomedBy(doom, settings), { local: true }),
      Effect.as(doom.over, true)
    )
    if (over) yield* Effect.provide(play, World.gateway(settings), { local: true })
  }).pipe(Effect.provide(World.outside(outside?.()), { local: true }))

/** The play, with its process ended at each of its writes in every way. */
export const suite = <E>(what: string, writes: number, play: Story<E>, around?: Around) =>
  describe(`${what}, interrupted at each write`, () => {
    it.live(`has ${writes} writes`, () =>
      Effect.gen(function* () {
        const doom = StoreFault.make(0, "it dies")
        yield* lives(doom, play, around)
        assert.strictEqual(doom.writes(), writes)
      })
    )

    for (const end of Object.keys(StoreFault.ends) as ReadonlyArray<StoreFault.End>) {
      it.live.each(Array.from({ length: writes }, (_, n) => n + 1))(`ends as usual if at write %i ${end}`, (at) =>
        lives(StoreFault.make(at, end), play, around)
      )
    }
  })
