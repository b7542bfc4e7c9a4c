/** Servers on the loopback interface that are closed with the scope, and ports for programs that open theirs themselves. */
import { createServer, type RequestListener, Server } from "node:http"
import { Effect } from "effect"

/** Answers requests on a port, by default a free one. Returns the port. */
export const serve = Effect.fnUntraced(function* (listener: RequestListener | Server, port = 0) {
  const server = listener instanceof Server ? listener : createServer(listener)
  yield* Effect.callback<void>((resume) => {
    server.listen(port, "127.0.0.1", () => resume(Effect.void))
  })
  yield* Effect.addFinalizer(() =>
    Effect.callback<void>((resume) => {
      server.close(() => resume(Effect.void))
      server.closeAllConnections()
    })
  )
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : port
})

/** A free port. */
export const freePort = Effect.scoped(serve((_, response) => response.end()))
