/**
 * A proxy in front of the gateway, on this machine only. Requests of operations are given to a handler, which may break the
 * connection in any way. Pages, which customers open, are passed on as they are.
 */
import * as Http from "node:http"
import * as Net from "node:net"
import type { Settings } from "@pay/gateway/Settings"
import { Data, Effect, FiberSet, type Scope } from "effect"
import type { Answer } from "./AnswerFacts.ts"
import * as ProxyHeaders from "./ProxyHeaders.ts"
import type { Received } from "./RequestFacts.ts"
import { WorldFailed } from "./World.ts"

/** The connection to the gateway broke before there was an answer. */
export class GatewayBroke extends Data.TaggedError("GatewayBroke")<{ readonly message: string }> {}

/** One request of the shop, and what can happen to it. */
export interface Exchange {
  readonly received: Received
  /** Passes a request on, and returns the answer. */
  readonly pass: (request: Received) => Effect.Effect<Answer, GatewayBroke>
  /** Passes the first part of the request on, and breaks the connection to the gateway. */
  readonly passPart: Effect.Effect<void>
  /** Completes when the whole answer is on its way, or the shop has left. */
  readonly reply: (answer: Answer) => Effect.Effect<void>
  /** Sends the first half of the answer, and breaks the connection. */
  readonly replyPart: (answer: Answer) => Effect.Effect<void>
  /** Breaks the connection to the shop without an answer. */
  readonly breakOff: Effect.Effect<void>
}

/** The gateway's own limits. A body that is longer is passed on without the handler, and refused by the gateway. */
export type Limits = Pick<
  Settings,
  "maxBodyBytes" | "connections" | "idleConnectionMs" | "headersTimeoutMs" | "bodyTimeoutMs"
>

/** What the proxy serves. */
export interface Service {
  readonly handle: (exchange: Exchange) => Effect.Effect<void>
  /** Whether the handler gets the requests with this target. */
  readonly isOperation: (target: string) => boolean
  /** The port of the gateway now. */
  readonly port: () => number
}

export interface FaultProxy {
  readonly port: number
  /** Begins to serve. Connections are broken before. */
  readonly serve: (service: Service) => void
  /** Refuses connections, and closes those that are open, while the effect runs. */
  readonly refusing: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

const host = "127.0.0.1"
/** Connections to the gateway at once. Further requests wait. */
const gatewayConnections = 1024

/** Lets `act` write an answer. Completes when it is written, or the connection is gone. */
const writing = (response: Http.ServerResponse, act: (socket: Net.Socket) => void): Effect.Effect<void> =>
  Effect.callback((resume) => {
    // A response gets its own socket only when the one before it on the connection is written.
    const { socket } = response.req
    if (response.destroyed || socket.destroyed) return resume(Effect.void)
    const done = () => {
      socket.off("close", done)
      resume(Effect.void)
    }
    socket.once("close", done)
    response.once("finish", done).once("close", done)
    act(socket)
  })

const replying = (response: Http.ServerResponse, answer: Answer): Effect.Effect<void> =>
  writing(response, () => {
    response.writeHead(answer.status, ProxyHeaders.ofAnswer(answer))
    response.end(answer.body)
  })

const replyingPart = (response: Http.ServerResponse, answer: Answer): Effect.Effect<void> =>
  writing(response, (socket) => {
    response.writeHead(answer.status, ProxyHeaders.ofAnswer(answer))
    response.write(answer.body.subarray(0, Math.floor(answer.body.length / 2)), () => socket.destroy())
  })

const passing = (request: Received, agent: Http.Agent, port: number): Effect.Effect<Answer, GatewayBroke> =>
  Effect.callback((resume) => {
    const fail = ({ message }: Error) => resume(Effect.fail(new GatewayBroke({ message })))
    const { body, method, target: path } = request
    const headers = ProxyHeaders.ofRequest(request, body.length)
    const sent = Http.request({ host, port, agent, method, path, headers }, (answer) => {
      const chunks: Array<Buffer> = []
      answer.on("data", (chunk: Buffer) => chunks.push(chunk))
      answer.once("error", fail)
      answer.once("end", () =>
        resume(
          Effect.succeed({
            status: answer.statusCode ?? 0,
            rawHeaders: answer.rawHeaders,
            body: Buffer.concat(chunks)
          })
        )
      )
    })
    sent.once("error", fail)
    sent.end(body)
  })

const passingPart = (request: Received, port: number): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const { body, method, target } = request
    const head = `${method} ${target} HTTP/1.1\r\n${ProxyHeaders.written(ProxyHeaders.ofRequest(request, body.length))}`
    const bytes = Buffer.concat([Buffer.from(head, "latin1"), body])
    const cutAt = body.length === 0 ? head.length / 2 : head.length + body.length / 2
    const socket = Net.connect(port, host)
    socket.once("error", () => socket.destroy()).once("close", () => resume(Effect.void))
    socket.write(bytes.subarray(0, Math.floor(cutAt)), () => socket.destroy())
  })

/** Passes a request on while it arrives, and the answer while it comes. `begun` is the part of the body that has arrived. */
const stream = (
  request: Http.IncomingMessage,
  response: Http.ServerResponse,
  begun: ReadonlyArray<Buffer>,
  agent: Http.Agent,
  port: number
): void => {
  const { method, rawHeaders, url: path } = request
  const headers = ProxyHeaders.ofRequest({ rawHeaders })
  const sent = Http.request({ host, port, agent, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, ProxyHeaders.ofStream(answer.rawHeaders))
    answer.pipe(response)
    answer.once("error", () => response.destroy())
  })
  sent.once("error", () => response.destroy())
  response.once("close", () => {
    if (!response.writableFinished) sent.destroy()
  })
  for (const chunk of begun) sent.write(chunk)
  request.pipe(sent)
}

/** Opens the server on its port. A port of 0 becomes a free one. */
const listening = (server: Http.Server, port: number): Effect.Effect<number, WorldFailed> =>
  Effect.callback((resume) => {
    const fail = ({ message }: Error) =>
      resume(Effect.fail(new WorldFailed({ message: `the proxy cannot listen: ${message}` })))
    server.once("error", fail)
    server.listen(port, host, () => {
      server.off("error", fail)
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : port))
    })
  })

const closed = (server: Http.Server): Effect.Effect<void> =>
  Effect.callback((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })

/**
 * Breaks a connection. One whose client has left is ending already: Node does not close it for a reset, and a process with such a
 * connection never ends.
 */
const reset = (socket: Net.Socket): void => {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}

/** What the proxy serves now, and its connections to the gateway. */
interface Upstream {
  readonly agent: Http.Agent
  service: Service | undefined
}

const exchangeOf = (
  request: Http.IncomingMessage,
  response: Http.ServerResponse,
  body: Buffer,
  agent: Http.Agent,
  port: number
): Exchange => {
  const { headers, method = "", rawHeaders, url: target = "" } = request
  const received = { method, target, headers, rawHeaders, body }
  return {
    received,
    pass: (sent) => Effect.suspend(() => passing(sent, agent, port)),
    passPart: Effect.suspend(() => passingPart(received, port)),
    reply: (answer) => replying(response, answer),
    replyPart: (answer) => replyingPart(response, answer),
    breakOff: Effect.sync(() => reset(request.socket))
  }
}

/** Makes the server. `run` carries out what the service does with a request of an operation. */
const serverOf = (limits: Limits, upstream: Upstream, run: (work: Effect.Effect<void>) => void): Http.Server => {
  const { agent } = upstream
  const server = Http.createServer(
    {
      connectionsCheckingInterval: 1000,
      keepAliveTimeout: limits.idleConnectionMs,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.headersTimeoutMs + limits.bodyTimeoutMs,
      requireHostHeader: false
    },
    (request, response) => {
      request.once("error", () => response.destroy())
      const { service } = upstream
      if (service === undefined) return response.destroy()
      const { handle, isOperation } = service
      const port = service.port()
      if (!isOperation(request.url ?? "")) return stream(request, response, [], agent, port)
      const chunks: Array<Buffer> = []
      let bytes = 0
      const take = (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes <= limits.maxBodyBytes) return
        request.off("data", take).off("end", end)
        stream(request, response, chunks, agent, port)
      }
      const end = () => run(handle(exchangeOf(request, response, Buffer.concat(chunks), agent, port)))
      request.on("data", take).once("end", end)
    }
  )
  server.maxConnections = limits.connections
  server.on("clientError", (_, socket) => socket.destroy())
  return server
}

/** Starts the proxy on a free port. */
export const make = (limits: Limits): Effect.Effect<FaultProxy, WorldFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const run = yield* FiberSet.makeRuntime<never>()
    const agent = new Http.Agent({ keepAlive: true, maxSockets: gatewayConnections, timeout: 60_000 })
    yield* Effect.addFinalizer(() => Effect.sync(() => agent.destroy()))
    const upstream: Upstream = { agent, service: undefined }
    const server = serverOf(limits, upstream, run)
    const port = yield* listening(server, 0)
    yield* Effect.addFinalizer(() => closed(server))
    let refusals = 0
    const refuse = Effect.suspend(() => {
      refusals += 1
      return refusals === 1 ? closed(server) : Effect.void
    })
    const accept = Effect.suspend(() => {
      refusals -= 1
      return refusals === 0 ? Effect.orDie(listening(server, port)) : Effect.void
    })
    return {
      port,
      serve: (service) => {
        upstream.service = service
      },
      refusing: (effect) =>
        Effect.acquireUseRelease(
          refuse,
          () => effect,
          () => accept
        )
    }
  })
