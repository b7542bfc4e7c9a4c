/**
 * A bank world for gateways in other processes: its ports over HTTP on this machine, one POST for each call, and the issuer's
 * pages for browsers. Every program that can connect to this machine may call it, so it is for tests and demonstrations only.
 */
import {
  FurtherPages,
  type PageAnswer,
  PageListener,
  type PageRequest,
  Pages,
  RemoteAddress
} from "@pay/gateway/Gateway"
import { Cause, Context, Effect, Layer, Schema } from "effect"
import * as SandboxWorld from "../SandboxWorld.ts"
import * as Portable from "./Portable.ts"
import * as ServedPort from "./ServedPort.ts"
import * as WorldClock from "./WorldClock.ts"

export type { WorldClock } from "./WorldClock.ts"

/** The address at which the bank world is served. */
export class WorldServer extends Context.Service<WorldServer, { readonly url: string }>()("@pay/sandbox/WorldServer") {}

/** The options of a served bank world. */
export interface Options extends Omit<SandboxWorld.Options, "publicBaseUrl"> {
  /** The port on which the world listens. Default 0: a free port, which {@link WorldServer} reports. */
  readonly port?: number
}

const longestBody = 1_048_576

type Visit = Omit<PageRequest, "publicBaseUrl">

const json = (status: number, value: unknown): PageAnswer => ({
  status,
  headers: { "content-type": "application/json", "cache-control": "no-store" },
  body: Portable.encode(value)
})

const plain = (status: number, body: string): PageAnswer => ({
  status,
  headers: { "content-type": "text/plain" },
  body
})

const namesOf = (port: object) => Object.keys(port).filter((name) => typeof Reflect.get(port, name) === "function")

/** Whether the value is an effect. A port's effects need nothing from their callers' context. */
const isAnswer = (value: unknown): value is Effect.Effect<unknown, unknown> => Effect.isEffect(value)

/** Makes one port as this process serves it. */
const serve = <Id, Port extends object, Adapter, Failure>(of: ServedPort.ServedPort<Id, Port, Adapter, Failure>) =>
  Effect.map(of.service, (port) => {
    const encodeFailure = Schema.encodeUnknownEffect(of.failure)
    const call = (method: string, args: ReadonlyArray<unknown>): Effect.Effect<PageAnswer> => {
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

/** Makes what answers gateways and browsers. */
const make = Effect.fnUntraced(function* (url: string) {
  const served = new Map((yield* ports).map((port) => [port.name, port]))
  const pages = yield* FurtherPages

  const called = (path: string, body: string): Effect.Effect<PageAnswer> => {
    const [, , name = "", method] = path.split("/")
    const port = served.get(name)
    if (port === undefined) return Effect.succeed(plain(404, `The bank world has no port ${name}`))
    if (method === undefined) return Effect.succeed(json(200, port.description))
    const args = Portable.decode(body)
    return Array.isArray(args)
      ? port.call(method, args)
      : Effect.succeed(plain(400, "The body is no list of arguments"))
  }

  const page = (visit: Visit) =>
    Effect.map(
      Pages.first(pages, { ...visit, publicBaseUrl: url }),
      (answer) => answer ?? plain(404, "The bank world has no such page")
    )

  return (request: Visit): Effect.Effect<PageAnswer> => {
    if (!request.path.startsWith("/ports/")) return page(request)
    // A page of another site can make a browser send a POST. The browser then adds headers by which the request is recognised.
    const isOfGateway = request.method === "POST" && !RemoteAddress.isForeign(request.headers)
    if (!isOfGateway) return Effect.succeed(plain(403, "A port takes a POST of a gateway on this machine"))
    return Effect.catchCause(called(request.path, request.body), (cause) =>
      Effect.succeed(plain(500, Cause.pretty(cause)))
    )
  }
})

/** The world with its controls, and its server on 127.0.0.1. A gateway that stops waiting, or is killed, ends its request. */
export const layer = ({ port = 0, ...options }: Options = {}) => {
  const url = { current: "" }
  const listening = {
    host: "127.0.0.1",
    port,
    setting: "PAY_PORT",
    maxBodyBytes: longestBody,
    endsWithCaller: true
  }
  const server = Layer.effect(WorldServer)(
    Effect.map(
      PageListener.listen(listening, (at) => {
        url.current = at
        return make(at)
      }),
      (at) => ({ url: at })
    )
  )
  return server.pipe(
    Layer.provideMerge(WorldClock.layer),
    Layer.provideMerge(SandboxWorld.layer({ ...options, publicBaseUrl: () => url.current }))
  )
}
