/** Servers on the loopback interface that are closed with the scope, and ports for programs that open theirs themselves. */
import { createServer, type RequestListener } from "node:http"
import type { Server, Socket } from "node:net"
import { Effect } from "effect"

/** Opens the server on a port, by default a free one. Returns the port. Its connections end with the scope too. */
export const listen = Effect.fnUntraced(function* (server: Server, port = 0, address = "127.0.0.1") {
  const sockets = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    sockets.add(socket.on("error", () => undefined).on("close", () => sockets.delete(socket)))
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(port, address, () => resume(Effect.void))),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const socket of sockets) socket.destroy()
      })
  )
  const bound = server.address()
  return typeof bound === "object" && bound !== null ? bound.port : port
})

/** Answers requests on a port, by default a free one. Returns the port. */
export const serve = (listener: RequestListener, port?: number) => listen(createServer(listener), port)

/** A port on which no program listens. */
export const freePort = Effect.scoped(serve(() => undefined))
