/** The simulated banks as a process of their own, for several gateways of a sandbox. */
import { mkdirSync } from "node:fs"
import * as WorldServer from "@pay/sandbox/WorldServer"
import * as Port from "@pay/schema/Port"
import { Config, Effect } from "effect"
import * as Sandbox from "./Sandbox.ts"

const settings = Config.all({
  folder: Config.withDefault(Config.String("PAY_DATA"), ".data/world"),
  port: Port.config("PAY_PORT", 8090)
})

/** The address of the simulated banks after their start, and the folder of their files. */
export interface Started {
  readonly url: string
  readonly folder: string
}

/** Runs the simulated banks until they are interrupted. Calls `onStart` once they accept requests of gateways. */
export const run = <E, R>(onStart: (started: Started) => Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const { folder, port } = yield* settings
    yield* Effect.sync(() => mkdirSync(folder, { recursive: true, mode: 0o700 }))
    return yield* Effect.gen(function* () {
      const { url } = yield* WorldServer.WorldServer
      yield* onStart({ url, folder })
      return yield* Effect.never
    }).pipe(Effect.provide(WorldServer.layer({ port, ...Sandbox.worldFiles(folder) })))
  })
