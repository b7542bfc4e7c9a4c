/** The files of `deploy/`, installed in a clean folder as the pages for operators say, and a gateway for real money on them. */
import { spawn, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import * as ProductionProcess from "@pay/server/ProductionProcess"
import { ConfigProvider, Deferred, Effect, Fiber, Layer, Logger } from "effect"
import { inProcess } from "../../apps/cli/test/InProcess.ts"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"

const root = join(import.meta.dirname, "../../deploy")

export const path = (name: string): string => join(root, name)

export const read = (name: string): string => readFileSync(path(name), "utf8")

interface Ended {
  readonly code: number | null
  readonly text: string
}

/** Runs a program to its end. Returns `undefined` where the machine does not have it. */
export const ran = (
  program: string,
  args: ReadonlyArray<string>,
  env: NodeJS.ProcessEnv = process.env
): Promise<Ended | undefined> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { env })
    let text = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (text += String(part)))
    child.on("error", (error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? resolve(undefined) : reject(error)))
    child.on("close", (code) => resolve({ code, text }))
  })

/** Says in the title of a test that a program is not on this machine, and that the test therefore shows nothing. */
export const unless = (program: string): string =>
  spawnSync("which", [program]).status === 0 ? "" : ` (${program} is not on this machine: nothing was tried)`

const freePort = Effect.callback<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    server.close(() => resume(Effect.succeed(port)))
  })
})

/** The example and its adapter in a clean folder, with new keys, and the settings that differ on a machine of tests. */
export const installed = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  for (const name of ["gateway.json", "adapter"]) cpSync(path(name), join(folder, name), { recursive: true })
  const file = join(folder, "gateway.json")
  const { listen, ...others } = JSON.parse(readFileSync(file, "utf8"))
  writeFileSync(file, JSON.stringify({ ...others, listen: { ...listen, drainMs: 0 } }))
  mkdirSync(join(folder, "witness"), { mode: 0o700 })
  const keys = join(folder, "keys.json")
  yield* Effect.promise(() => inProcess(["keyring", "new", keys], {}))
  const environment = {
    PAY_DATA: join(folder, "data"),
    PAY_WITNESS: join(folder, "witness/pay.witness"),
    PAY_KEY_RING: keys,
    PAY_PORT: String(yield* freePort),
    PAY_OPERATOR_PORT: String(yield* freePort)
  }
  return { freePort: yield* freePort, folder, file, environment }
})

/** Starts it in this process, with a new store, until the scope ends. */
export const started = ({ environment, file }: Effect.Success<typeof installed>) =>
  Effect.gen(function* () {
    const ready = yield* Deferred.make<ProductionProcess.Started>()
    const running = yield* Effect.forkScoped(
      ProductionProcess.run((report) => Deferred.succeed(ready, report), { isNew: true }).pipe(
        Effect.provide(
          Layer.mergeAll(
            NodeServices.layer,
            Logger.layer([]),
            ConfigProvider.layer(ConfigProvider.fromEnvRecord({ ...environment, PAY_CONFIG: file }))
          )
        )
      )
    )
    return yield* Effect.raceFirst(Deferred.await(ready), Fiber.join(running))
  })
