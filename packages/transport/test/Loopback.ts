/** Servers on real loopback sockets that live as long as the test's scope. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http"
import { createServer as createSecureServer } from "node:https"
import * as Net from "node:net"
import { Effect, type Scope } from "effect"

const listening = <S extends Net.Server>(
  open: () => S,
  release: (server: S) => void
): Effect.Effect<S, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<S>((resume) => {
      const server = open()
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => release(server))
  )

export const portOf = (server: Net.Server): number => {
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("not listening")
  return address.port
}

export interface Received {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** A `node:http` server; `answer` runs once the request has been read to its end. */
export const http = (
  answer: (received: Received, response: ServerResponse) => void,
  options: { readonly keepAliveTimeout?: number } = {}
): Effect.Effect<{ readonly server: Server; readonly url: string }, never, Scope.Scope> => {
  const listener: RequestListener = (request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text
    })
    request.on("end", () =>
      answer({ method: request.method, path: request.url, headers: request.headers, body }, response)
    )
  }
  return Effect.map(
    listening(
      () => createServer(options, listener),
      (server) => {
        server.close()
        server.closeAllConnections()
      }
    ),
    (server) => ({ server, url: `http://127.0.0.1:${portOf(server)}` })
  )
}

/** A `node:https` server that answers everything with one text. */
export const https = (
  identity: { readonly cert: string; readonly key: string },
  answer: string
): Effect.Effect<string, never, Scope.Scope> =>
  Effect.map(
    listening(
      () => createSecureServer(identity, (_request, response) => response.end(answer)),
      (server) => {
        server.close()
        server.closeAllConnections()
      }
    ),
    (server) => `https://127.0.0.1:${portOf(server)}`
  )

/** A bare TCP server: the test decides about every byte. */
export const tcp = (onSocket: (socket: Net.Socket) => void): Effect.Effect<number, never, Scope.Scope> => {
  const open = new Set<Net.Socket>()
  const accept = (socket: Net.Socket) => {
    open.add(socket.on("error", () => undefined).on("close", () => open.delete(socket)))
    onSocket(socket)
  }
  return Effect.map(
    listening(
      () => Net.createServer(accept),
      (server) => {
        server.close()
        for (const socket of open) socket.destroy()
      }
    ),
    portOf
  )
}

/** A port on which nobody listens. */
export const closedPort: Effect.Effect<number> = Effect.scoped(
  Effect.map(
    listening(
      () => Net.createServer(),
      (server) => server.close()
    ),
    portOf
  )
)
