/**
 * A port on which nobody listens, for a shop that may listen anywhere. It is below those that systems give to outgoing connections:
 * one of these could take it while the shop is restarted.
 */
import { randomInt } from "node:crypto"
import { createServer } from "node:net"
import { Effect } from "effect"

const [lowest, highest] = [20_000, 32_000]
const mostTries = 100

const isFree = (port: number): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    const server = createServer()
    server.once("error", () => resume(Effect.succeed(false)))
    server.listen(port, "127.0.0.1", () => server.close(() => resume(Effect.succeed(true))))
  })

export const find: Effect.Effect<number> = Effect.gen(function* () {
  for (let left = mostTries; left > 0; left -= 1) {
    const port = randomInt(lowest, highest)
    if (yield* isFree(port)) return port
  }
  return yield* Effect.die(new Error(`no port between ${lowest} and ${highest} is free`))
})
