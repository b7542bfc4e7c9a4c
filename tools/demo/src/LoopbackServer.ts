/** A server on the loopback interface. */
import { createServer, type RequestListener } from "node:http"
import { Effect, Schema } from "effect"

/** The port cannot be listened on. */
export class PortTaken extends Schema.TaggedError<PortTaken>()("PortTaken", { message: Schema.String }) {}

/** Serves until the scope ends. Port 0 selects a free port. Returns the address. */
export const serve = Effect.fnUntraced(function* (port: number, listener: RequestListener) {
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => createServer(listener)),
    (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  return yield* Effect.callback<string, PortTaken>((resume) => {
    server.once("error", ({ message }) => resume(Effect.fail(new PortTaken({ message }))))
    server.listen(port, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(`http://127.0.0.1:${typeof address === "object" ? address?.port : port}`))
    })
  })
})
