/** Real servers on loopback addresses, which end with the scope of the test. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import { createServer as createSecureServer, type ServerOptions } from "node:https"
import type { AddressInfo, Server, Socket } from "node:net"
import { createServer as createRawServer } from "node:net"
import { Deferred, Effect, type Scope } from "effect"

export interface Loopback {
  readonly port: number
  readonly requests: ReadonlyArray<IncomingMessage>
  readonly connections: () => number
  /** Completes when a connection has ended. */
  readonly dropped: Effect.Effect<void>
}

const listen = (
  server: Server,
  address: string,
  port: number,
  requests: ReadonlyArray<IncomingMessage>
): Effect.Effect<Loopback, never, Scope.Scope> =>
  Effect.gen(function* () {
    const dropped = yield* Deferred.make<void>()
    const sockets = new Set<Socket>()
    let connections = 0
    server.on("connection", (socket: Socket) => {
      connections += 1
      sockets.add(socket)
      socket.on("error", () => {})
      socket.once("close", () => Deferred.doneUnsafe(dropped, Effect.void))
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(port, address, () => resume(Effect.void))),
      () =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          for (const socket of sockets) socket.destroy()
        })
    )
    return {
      port: portOf(server.address()),
      requests,
      connections: () => connections,
      dropped: Deferred.await(dropped)
    }
  })

const portOf = (address: string | AddressInfo | null): number =>
  address !== null && typeof address === "object" ? address.port : 0

const recording = (requests: Array<IncomingMessage>, answer: RequestListener): RequestListener => {
  return (request: IncomingMessage, response: ServerResponse) => {
    requests.push(request)
    answer(request, response)
  }
}

export const ok: RequestListener = (_, response) => void response.end("OK")

export const http = (answer: RequestListener = ok, address = "127.0.0.1", port = 0) => {
  const requests: Array<IncomingMessage> = []
  // The server ends no connection by itself.
  return listen(createServer({ keepAliveTimeout: 600_000 }, recording(requests, answer)), address, port, requests)
}

/** `pem`: private key and certificate; `serverNames`: what clients sent as SNI. */
export const https = (pem: Buffer, answer: RequestListener = ok) => {
  const requests: Array<IncomingMessage> = []
  const serverNames: Array<string> = []
  const options: ServerOptions = {
    key: pem,
    cert: pem,
    SNICallback: (name, done) => {
      serverNames.push(name)
      done(null)
    }
  }
  const server = listen(createSecureServer(options, recording(requests, answer)), "127.0.0.1", 0, requests)
  return Effect.map(server, (loopback) => ({ ...loopback, serverNames }))
}

export const tcp = (answer: (socket: Socket) => void) => listen(createRawServer(answer), "127.0.0.1", 0, [])
