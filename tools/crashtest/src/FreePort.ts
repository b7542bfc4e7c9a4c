/** A port on which nobody listens, for a shop that may listen anywhere. */
import { createServer } from "node:net"
import { Effect } from "effect"

export const find: Effect.Effect<number> = Effect.callback((resume) => {
  const server = createServer()
  server.once("error", (error) => resume(Effect.die(error)))
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    server.close(() => resume(Effect.succeed(port)))
  })
})
