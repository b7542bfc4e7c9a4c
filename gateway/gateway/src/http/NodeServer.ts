/**
 * Serves the gateway on a socket: `node:http` reads requests, and each request runs as one fiber. Size, framing and time-outs are
 * refused here, in the same form as every other refusal.
 */
import * as Http from "node:http"
import type { Socket } from "node:net"
import { Context, Duration, Effect, Layer, Metric, Result } from "effect"
import { type RequestRefused, refuse } from "../kernel/Answer.ts"
import { PublicAddress } from "../kernel/PublicAddress.ts"
import { Settings } from "../kernel/Settings.ts"
import { Store } from "../kernel/Store.ts"
import * as CustomerAddress from "../network/CustomerAddress.ts"
import * as RemoteAddress from "../network/RemoteAddress.ts"
import * as Callers from "./Callers.ts"
import * as Connections from "./Connections.ts"
import * as EventLoop from "./EventLoop.ts"
import { Front } from "./Front.ts"
import * as MinuteWarning from "./MinuteWarning.ts"
import * as NewOrders from "./NewOrders.ts"
import * as OperatorListener from "./OperatorListener.ts"
import * as PageListener from "./PageListener.ts"
import * as Pages from "./Pages.ts"
import { HostedPages } from "./pages/HostedPages.ts"
import * as Readiness from "./Readiness.ts"
import * as RequestBody from "./RequestBody.ts"
import * as RequestHead from "./RequestHead.ts"
import * as RequestTarget from "./RequestTarget.ts"
import * as Respond from "./Respond.ts"
import * as StoreMetrics from "./StoreMetrics.ts"
import type { WrittenAnswer } from "./WrittenAnswer.ts"

export { ListenError } from "./PageListener.ts"

export class NodeServer extends Context.Service<
  NodeServer,
  {
    readonly host: string
    readonly port: number
    readonly publicBaseUrl: string
    /** The address at which operators are served, without a path. */
    readonly operatorUrl: string
  }
>()("@pay/gateway/NodeServer") {}

export interface Options {
  readonly host: string
  /** 0 takes a free port; the service then contains the port in use. */
  readonly port: number
  /** Milliseconds for which the server still takes requests after the order to stop, while `/readyz` answers 503. Default: 0. */
  readonly drainMs?: number | undefined
  /** The address for operators. Default: a free port of 127.0.0.1. */
  readonly operators?: OperatorListener.Options | undefined
}

const refusedConnections = Metric.counter("pay_connections_refused_total", {
  description: "Connections refused because of `limits.connections` or `limits.addressConnections`",
  incremental: true
})

const tooManyConnections = (peer: string): string =>
  peer === ""
    ? "A connection was refused: there are as many as limits.connections allows"
    : `A connection was refused: ${peer} has as many as limits.addressConnections allows; if it is a proxy of yours, name it in trustedProxies`

export const layer = (
  options: Options
): Layer.Layer<NodeServer, PageListener.ListenError, Front | Store | PublicAddress | HostedPages> =>
  Layer.effect(
    NodeServer,
    Effect.gen(function* () {
      const front = yield* Front
      const store = yield* Store
      const settings = yield* Settings
      const eventLoop = yield* EventLoop.make
      const warnOfConnections = MinuteWarning.make()
      const metrics = Effect.andThen(eventLoop, Effect.provideService(StoreMetrics.refresh, Store, store))
      const publicAddress = yield* PublicAddress
      const handlers = [yield* HostedPages, ...(yield* Pages.FurtherPages)]
      const proxies = RemoteAddress.proxies(settings.trustedProxies)
      if (proxies === undefined)
        return yield* new PageListener.ListenError({ message: "trustedProxies must be CIDR ranges" })
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const addressOf = Callers.make(proxies, run)
      let stopping = false
      let inFlight = 0
      let drained: (() => void) | undefined
      let publicBaseUrl = publicAddress.baseUrl()
      /** Host names with ports under which clients address this gateway. */
      let hosts: ReadonlyArray<string> = []

      const whileRunning = yield* Readiness.make(front)
      const readiness = Effect.suspend(() => (stopping ? Effect.succeed(NewOrders.stopping) : whileRunning))

      /** Answers load balancers: whether the process is alive, and whether it can take payments. */
      const health = (request: Http.IncomingMessage, response: Http.ServerResponse, target: RequestTarget.Target) => {
        const { path } = Pages.addressOf(target.path)
        if (path !== "/healthz" && path !== "/readyz") return false
        if (request.method !== "GET" && request.method !== "HEAD")
          Respond.plain(response, 405, "", stopping, { allow: "GET, HEAD" })
        else if (path === "/healthz") Respond.plain(response, 200, "ok\n")
        else
          run(
            Effect.map(readiness, (closed) =>
              Respond.plain(response, closed === undefined ? 200 : 503, NewOrders.describe(closed), stopping)
            )
          )
        return true
      }

      const serve = (
        request: Http.IncomingMessage,
        response: Http.ServerResponse,
        target: string,
        { path, query }: RequestTarget.Target,
        body: string | undefined
      ) => {
        inFlight += 1
        const method = request.method ?? ""
        const { headers } = request
        const remoteAddress = addressOf(request)
        const handled = front.handle({ method, publicBaseUrl, target, headers, body, remoteAddress })
        const fiber = run(
          RequestTarget.isApi(path)
            ? handled
            : page({ method, path, query, headers, body: body ?? "", remoteAddress, publicBaseUrl }, handled)
        )
        fiber.addObserver((exit) => {
          inFlight -= 1
          const answer = exit._tag === "Success" ? exit.value : front.refusal(refuse("serverError"))
          if ("page" in answer) Respond.writePage(response, answer.page, stopping)
          else Respond.write(response, answer, stopping)
          if (inFlight === 0) drained?.()
        })
      }

      /** Answers with the first page handler that has the address. If none has it, the request is refused like any other. */
      const page = Effect.fnUntraced(function* (request: Pages.PageRequest, otherwise: Effect.Effect<WrittenAnswer>) {
        const answer = yield* Pages.first(handlers, request)
        return answer === undefined ? yield* otherwise : { page: answer }
      })

      /** Returns the parts of a request's head that determine the dialect of the answer. */
      const dialectFacts = ({ headers, url = "" }: Http.IncomingMessage) => {
        const { path } = RequestTarget.targetOf(publicBaseUrl, RequestHead.target(url, hosts))
        return { headers, path }
      }
      const refuseAndClose = (request: Http.IncomingMessage, response: Http.ServerResponse, refused: RequestRefused) =>
        Respond.write(response, front.refusal(refused, dialectFacts(request)), true)
      const refuseHead = (request: Http.IncomingMessage, response: Http.ServerResponse, refused: RequestRefused) => {
        connections.fail(request.socket)
        refuseAndClose(request, response, refused)
      }

      const server = Http.createServer(
        {
          headersTimeout: settings.headersTimeoutMs,
          requestTimeout: settings.headersTimeoutMs + settings.bodyTimeoutMs,
          connectionsCheckingInterval: 1000,
          insecureHTTPParser: false,
          // A missing header `Host` is refused below instead, in the gateway's own form.
          requireHostHeader: false
        },
        (request, response) => {
          if (!connections.begin(request, response)) return
          const head = RequestHead.check(request)
          if (Result.isFailure(head)) return refuseHead(request, response, head.failure)
          const target = RequestHead.target(request.url ?? "", hosts)
          const parsedTarget = RequestTarget.targetOf(publicBaseUrl, target)
          if (health(request, response, parsedTarget)) return
          RequestBody.read(request, settings.maxBodyBytes, {
            onBody: (body) => {
              connections.received(request)
              serve(request, response, target, parsedTarget, body)
            },
            onRefused: (refused) => refuseAndClose(request, response, refused)
          })
          request.on("error", () => response.destroy())
        }
      )
      const connections = Connections.limit(server, {
        ...settings,
        unreadAnswerMs: settings.syncWaitMs + settings.idleConnectionMs,
        keyOf: (peer) =>
          RemoteAddress.isLoopback(peer) || RemoteAddress.isProxy(proxies, peer)
            ? undefined
            : CustomerAddress.network(RemoteAddress.of(peer, undefined, proxies).address),
        onRefused: (peer) =>
          run(
            Effect.andThen(
              Metric.update(refusedConnections, 1),
              warnOfConnections(() => tooManyConnections(peer))
            )
          )
      })
      // Further headers are not collected. One more than the limit is enough to recognize that there are too many.
      server.maxHeadersCount = RequestHead.mostHeaders + 1
      server.on("checkExpectation", (request, response) => {
        if (connections.begin(request, response))
          refuseHead(request, response, refuse("malformedForm", { message: "The header Expect cannot be met" }))
      })
      server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
        if (!connections.fail(socket)) return
        if (!socket.writable || error.code === "ECONNRESET") return socket.destroy()
        // Before the head is complete, the dialect is unknown.
        const request = connections.reading(socket)
        const head = request === undefined ? undefined : dialectFacts(request)
        connections.end(socket, Respond.bytes(front.refusal(RequestHead.unreadable(error), head)))
      })

      yield* PageListener.bind(server, { ...options, setting: "PAY_PORT" })
      /**
       * Waits for load balancers, which read 503 at `/readyz` and stop sending. Requests that still arrive are answered, and
       * their connections are closed.
       */
      const drain = Effect.suspend(() => {
        stopping = true
        return Effect.sleep(Duration.millis(options.drainMs ?? 0))
      })
      const closed = Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeIdleConnections()
        drained = () => server.closeIdleConnections()
      })
      /**
       * Waits for running requests, then closes all connections, because `node:http` no longer ends incomplete requests while it
       * closes.
       */
      const closeAll = Effect.callback<void>((resume) => {
        drained = () => {
          setImmediate(() => server.closeAllConnections())
          resume(Effect.void)
        }
        if (inFlight === 0) drained()
      })
      /** Refuses new connections, answers running requests, then closes the sockets, also those with an incomplete request. */
      yield* Effect.addFinalizer(() =>
        Effect.andThen(
          drain,
          Effect.timeoutOrElse(closed, { duration: settings.headersTimeoutMs, orElse: () => closeAll })
        )
      )
      const measure = Effect.andThen(Effect.flatMap(readiness, NewOrders.measure), metrics)
      const operatorUrl = yield* OperatorListener.listen(options.operators ?? {}, measure)
      const { port, url } = PageListener.addressOf(server, options)
      publicAddress.listensAt(url)
      publicBaseUrl = publicAddress.baseUrl()
      hosts = [url.slice("http://".length).toLowerCase(), `localhost:${port}`, URL.parse(publicBaseUrl)?.host ?? ""]
      return NodeServer.of({ host: options.host, port, publicBaseUrl, operatorUrl })
    })
  )
