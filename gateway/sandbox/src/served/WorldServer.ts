/**
 * A bank world for gateways in other processes: its ports over HTTP on this machine, one POST for each call, and the issuer's
 * pages for browsers. Every program that can connect to this machine may call it, so it is for tests and demonstrations only.
 */
import * as Http from "node:http"
import { Connections, FurtherPages, type PageAnswer, RemoteAddress, RequestBody } from "@pay/gateway/Gateway"
import * as Port from "@pay/schema/Port"
import { Cause, Context, Data, Effect, Exit, Fiber, Layer, Schema } from "effect"
import * as SandboxWorld from "../SandboxWorld.ts"
import * as Portable from "./Portable.ts"
import * as ServedPort from "./ServedPort.ts"
import * as WorldClock from "./WorldClock.ts"

export type { WorldClock } from "./WorldClock.ts"

/** The address is in use, or must not be used. */
export class WorldListenError extends Data.TaggedError("WorldListenError")<{ readonly message: string }> {}

/** The address at which the bank world is served. */
export class WorldServer extends Context.Service<WorldServer, { readonly url: string }>()("@pay/sandbox/WorldServer") {}

/** The options of a served bank world. */
export interface Options extends Omit<SandboxWorld.Options, "publicBaseUrl"> {
  /** The port on which the world listens. Default 0: a free port, which {@link WorldServer} reports. */
  readonly port?: number
}

const longestBody = 1_048_576

/** Limits of its connections. No answer of a port takes as long as `unreadAnswerMs`. */
const limits = { connections: 1024, addressConnections: 1024, idleConnectionMs: 60_000, unreadAnswerMs: 600_000 }

type Reply = Pick<PageAnswer, "status" | "headers" | "body">

const json = (status: number, value: unknown): Reply => ({
  status,
  headers: { "content-type": "application/json", "cache-control": "no-store" },
  body: Portable.encode(value)
})

const plain = (status: number, body: string): Reply => ({ status, headers: { "content-type": "text/plain" }, body })

const namesOf = (port: object) => Object.keys(port).filter((name) => typeof Reflect.get(port, name) === "function")

/** Whether the value is an effect. A port's effects need nothing from their callers' context. */
const isAnswer = (value: unknown): value is Effect.Effect<unknown, unknown> => Effect.isEffect(value)

/** Makes one port as this process serves it. */
const serve = <Id, Port extends object, Adapter, Failure>(of: ServedPort.ServedPort<Id, Port, Adapter, Failure>) =>
  Effect.map(of.service, (port) => {
    const encodeFailure = Schema.encodeUnknownEffect(of.failure)
    const call = (method: string, args: ReadonlyArray<unknown>): Effect.Effect<Reply> => {
      const made: unknown = Object.hasOwn(of.shape.methods, method) ? Reflect.get(port, method) : undefined
      if (typeof made !== "function") return Effect.succeed(plain(404, `${of.name} has no method ${method}`))
      const answer: unknown = Reflect.apply(made, port, args)
      if (!isAnswer(answer)) return Effect.succeed(plain(500, `${of.name}.${method} gave no effect`))
      return Effect.matchCauseEffect(answer, {
        onSuccess: (success) => Effect.succeed(json(200, { success })),
        onFailure: (cause) => {
          const failure = Cause.findError(cause)
          return failure._tag === "Success"
            ? Effect.map(Effect.orDie(encodeFailure(failure.success)), (failure) => json(200, { failure }))
            : Effect.succeed(json(200, { defect: Cause.pretty(cause) }))
        }
      })
    }
    const capabilities: unknown = Reflect.get(port, "capabilities")
    return { name: of.name, call, description: { methods: namesOf(port), capabilities } }
  })

const ports = Effect.all([
  serve(ServedPort.acquirer),
  serve(ServedPort.payoutRail),
  serve(ServedPort.threeDSServer),
  serve(ServedPort.bankBooks),
  serve(ServedPort.railBooks),
  serve(ServedPort.worldClock)
])

const make = Effect.fnUntraced(function* (server: Http.Server, url: string) {
  const served = new Map((yield* ports).map((port) => [port.name, port]))
  const pages = yield* FurtherPages
  const run = Effect.runForkWith(yield* Effect.context<never>())

  const called = (path: string, body: string): Effect.Effect<Reply> => {
    const [, , name = "", method] = path.split("/")
    const port = served.get(name)
    if (port === undefined) return Effect.succeed(plain(404, `The bank world has no port ${name}`))
    if (method === undefined) return Effect.succeed(json(200, port.description))
    const args = Portable.decode(body)
    return Array.isArray(args)
      ? port.call(method, args)
      : Effect.succeed(plain(400, "The body is no list of arguments"))
  }

  const page = Effect.fnUntraced(function* (request: Http.IncomingMessage, target: URL, body: string) {
    const { headers, method = "", socket } = request
    const remoteAddress = socket.remoteAddress ?? ""
    const visit = { method, path: target.pathname, query: target.search.slice(1), headers, body, remoteAddress }
    for (const handler of pages) {
      const answer = yield* handler({ ...visit, publicBaseUrl: url })
      if (answer !== undefined) return answer
    }
    return plain(404, "The bank world has no such page")
  })

  const reply = (request: Http.IncomingMessage, body: string): Effect.Effect<Reply> => {
    const target = new URL(request.url?.startsWith("/") === true ? `${url}${request.url}` : url)
    if (!target.pathname.startsWith("/ports/")) return page(request, target, body)
    // A page of another site can make a browser send a POST. The browser then adds headers by which the request is recognised.
    return request.method === "POST" && !RemoteAddress.isForeign(request.headers)
      ? called(target.pathname, body)
      : Effect.succeed(plain(403, "A port takes a POST of a gateway on this machine"))
  }

  const connections = Connections.limit(server, { ...limits, keyOf: () => undefined, onRefused: () => undefined })
  server.on("request", (request, response) => {
    if (!connections.begin(request, response)) return
    const answer = (made: Effect.Effect<Reply>) => {
      const fiber = run(made)
      fiber.addObserver((exit) => {
        if (response.destroyed) return
        const { body, headers, status } = Exit.isSuccess(exit) ? exit.value : plain(500, Cause.pretty(exit.cause))
        response.writeHead(status, headers).end(body)
      })
      // A gateway that stops waiting, or is killed, breaks the connection.
      response.on("close", () => void (response.writableEnded || run(Fiber.interrupt(fiber))))
    }
    RequestBody.read(request, longestBody, {
      onBody: (body) => {
        connections.received(request)
        answer(body === undefined ? Effect.succeed(plain(400, "The body is not UTF-8")) : reply(request, body))
      },
      onRefused: ({ message, status }) => answer(Effect.succeed(plain(status, message)))
    })
  })
})

const listening = (port: number) =>
  Effect.acquireRelease(
    Effect.callback<Http.Server, WorldListenError>((resume) => {
      const server = Http.createServer()
      const fail = (message: string) => resume(Effect.fail(new WorldListenError({ message })))
      server.once("error", ({ message }) => fail(message))
      if (!Port.isPort(port)) return fail(`Cannot listen on port ${port}: a port is ${Port.expected}`)
      server.listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )

/** The world with its controls, and its server on 127.0.0.1. */
export const layer = ({ port = 0, ...options }: Options = {}) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const server = yield* listening(port)
      const address = server.address()
      const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : port}`
      return Layer.effectDiscard(make(server, url)).pipe(
        Layer.provideMerge(Layer.succeed(WorldServer, { url })),
        Layer.provideMerge(WorldClock.layer),
        Layer.provideMerge(SandboxWorld.layer({ ...options, publicBaseUrl: () => url }))
      )
    })
  )
