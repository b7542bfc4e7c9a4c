/** Merchants' servers on loopback addresses, which end with the scope of the test. */
import { createServer, type IncomingMessage, type RequestListener } from "node:http"
import { createServer as createSecureServer, type ServerOptions } from "node:https"
import { createServer as createRawServer, type Server, type Socket } from "node:net"
import { Deferred, Effect } from "effect"
import { listen } from "../../../../packages/schema/test/Loopback.ts"

/** Opens the server and counts its connections. `dropped` completes when one has ended. */
const counted = Effect.fnUntraced(function* (
  server: Server,
  requests: ReadonlyArray<IncomingMessage>,
  address?: string,
  port?: number
) {
  const dropped = yield* Deferred.make<void>()
  let connections = 0
  server.on("connection", (socket: Socket) => {
    connections += 1
    socket.once("close", () => Deferred.doneUnsafe(dropped, Effect.void))
  })
  return {
    port: yield* listen(server, port, address),
    requests,
    connections: () => connections,
    dropped: Deferred.await(dropped)
  }
})

const recording = (requests: Array<IncomingMessage>, answer: RequestListener): RequestListener => {
  return (request, response) => {
    requests.push(request)
    answer(request, response)
  }
}

export const ok: RequestListener = (_, response) => void response.end("OK")

export const http = (answer: RequestListener = ok, address?: string, port?: number) => {
  const requests: Array<IncomingMessage> = []
  // The server ends no connection by itself.
  return counted(createServer({ keepAliveTimeout: 600_000 }, recording(requests, answer)), requests, address, port)
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
  const server = counted(createSecureServer(options, recording(requests, answer)), requests)
  return Effect.map(server, (loopback) => ({ ...loopback, serverNames }))
}

export const tcp = (answer: (socket: Socket) => void) => counted(createRawServer(answer), [])
