/** The world around the shop, alive: the sandbox in this process, the proxy in front of it, and everything that goes wrong. */
import { Front, Answer as Refusal, RequestTarget } from "@pay/gateway/Gateway"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as Settings from "@pay/gateway/Settings"
import { RailControl } from "@pay/sandbox/RailControl"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import type { Dialect } from "@pay/schema/Dialect"
import { Clock, Duration, Effect, Layer } from "effect"
import type { Answer } from "./AnswerFacts.ts"
import * as BankScenarios from "./BankScenarios.ts"
import * as Books from "./Books.ts"
import * as CallbackFaults from "./CallbackFaults.ts"
import * as FaultProxy from "./FaultProxy.ts"
import * as MerchantKeys from "./MerchantKeys.ts"
import * as NoReplays from "./NoReplays.ts"
import { OpenOrders } from "./OpenOrders.ts"
import type { Order } from "./Payment.ts"
import * as RequestFacts from "./RequestFacts.ts"
import * as Requests from "./Requests.ts"
import { World, WorldFailed } from "./World.ts"

export interface Options {
  /** Default `json`. */
  readonly dialect?: Dialect
  /**
   * Whether a repeated creation is answered with the order that it created first. `false`: it creates a second order, as at some
   * gateways. Default true.
   */
  readonly replays?: boolean
  /** Milliseconds until a late answer comes: longer than the shop's time-out. Default 12 s. */
  readonly lateMs?: number
  /** Business time that `settle` lets pass. Default 3 days. */
  readonly settling?: Duration.Input
  /** Milliseconds that a callback comes after the answer to the last request of its order. Default 30. */
  readonly callbackBehindMs?: number
  /** Milliseconds after which a shop that does not answer a callback has not got it. Default 5 s. */
  readonly callbackTimeoutMs?: number
}

const clockAheadMs = 600_000
/** More callbacks at once than a round has orders, so that a shop that hangs on some of them gets the others. */
const callbackConcurrency = 512

const prefixes: Readonly<Record<Dialect, string>> = { json: "", pairs: "/paynet" }

const make = Effect.fnUntraced(function* (options: Options) {
  const { callbackBehindMs = 30, callbackTimeoutMs = 5000, dialect = "json", lateMs = 12_000 } = options
  const { replays = true, settling = Duration.days(3) } = options
  const wall = yield* Clock.Clock
  const nowMs = () => wall.currentTimeMillisUnsafe()
  const orders = new OpenOrders(nowMs)
  let aheadMs = 0
  let publicBaseUrl = ""
  let refuse: (error: "rateLimited" | "serverError", received: RequestFacts.Received) => Answer = () => ({
    status: 503,
    rawHeaders: [],
    body: Buffer.alloc(0)
  })

  const keys = MerchantKeys.of(dialect)
  const noReplays = replays
    ? undefined
    : new NoReplays.NoReplays({
        keys,
        origin: () => new URL(publicBaseUrl).origin,
        nowSeconds: () => Math.floor((nowMs() - aheadMs) / 1000)
      })
  const inward = noReplays === undefined ? (name: string) => name : NoReplays.inward
  const requests = yield* Requests.make({
    orders,
    noReplays,
    lateMs,
    publicBaseUrl: () => publicBaseUrl,
    refusal: (error, received) => refuse(error, received),
    isAhead: () => aheadMs > 0
  })
  const proxy = yield* FaultProxy.make({
    handle: requests.handle,
    isOperation: (target) => RequestFacts.isOperation(target, publicBaseUrl),
    limits: Settings.sandboxDefaults
  })
  publicBaseUrl = `http://127.0.0.1:${proxy.port}${prefixes[dialect]}`

  const sandbox = yield* Layer.build(
    Sandbox.listenRestartable({
      dialect,
      // It warns of everything that goes wrong at the bank and at the shop, and here that is on purpose.
      logLevel: "Error",
      settings: { publicBaseUrl, callbackConcurrency },
      sender: CallbackFaults.layer({
        orders,
        controlKey: keys.controlKey,
        behindMs: callbackBehindMs,
        timeoutMs: callbackTimeoutMs,
        inward: (callback) => noReplays?.callback(callback) ?? callback
      }),
      wallTimeMs: () => nowMs() - aheadMs
    })
  ).pipe(Effect.mapError(({ message }) => new WorldFailed({ message: `the sandbox cannot start: ${message}` })))
  const inside = <A, E>(effect: Effect.Effect<A, E, Layer.Success<ReturnType<typeof Sandbox.listenRestartable>>>) =>
    Effect.provideContext(effect, sandbox)

  const { front, node, bank, rail, restart } = yield* inside(
    Effect.all({
      front: Front,
      node: NodeServer,
      bank: SandboxControl,
      rail: RailControl,
      restart: Sandbox.Restart
    })
  )
  proxy.passTo(node.port)
  refuse = (error, { headers, target }) => {
    const { path } = RequestTarget.targetOf(publicBaseUrl, target)
    const refused = error === "rateLimited" ? Refusal.tooMany("requests of this merchant", 1000) : Refusal.refuse(error)
    const answer = front.refusal(refused, { headers, path })
    return { status: answer.status, rawHeaders: Object.entries(answer.headers).flat(), body: Buffer.from(answer.body) }
  }
  yield* bank.choose(BankScenarios.rule(orders, inward))
  yield* rail.choose(BankScenarios.rule(orders, inward))

  const orElse = <A>(order: Order, absent: A, use: (watched: NonNullable<ReturnType<OpenOrders["find"]>>) => A): A => {
    const watched = orders.find(order)
    return watched === undefined ? absent : use(watched)
  }
  const settle = Effect.gen(function* () {
    for (const watched of orders.all()) watched.pass(Duration.toHours(settling))
    yield* Effect.orDie(inside(Sandbox.advance(settling)))
    yield* inside(Sandbox.settled)
  })
  const ahead = (byMs: number) =>
    Effect.sync(() => {
      aheadMs += byMs
    })

  return World.of({
    baseUrl: publicBaseUrl,
    open: (order, together) => requests.open(order, together),
    observation: (order) =>
      Effect.sync(() =>
        orElse(order, { requests: [], callbacks: 0, met: [], timeline: [] }, ({ observation }) => observation)
      ),
    tell: (order, from, text) => Effect.sync(() => orElse(order, undefined, (watched) => watched.tell(from, text))),
    booked: (order) =>
      Effect.suspend(() =>
        orElse(order, Effect.succeed({ charges: [], payoutsMinor: [] }), ({ bankNumbers }) =>
          Books.read(bank.books, rail.books, bankNumbers, inward)
        )
      ),
    close: (order) => Effect.sync(() => requests.close(order)),
    settle,
    restartGateway: restart.now,
    refusing: proxy.refusing,
    shopAhead: (effect) =>
      Effect.acquireUseRelease(
        ahead(clockAheadMs),
        () => effect,
        () => ahead(-clockAheadMs)
      )
  })
})

export const layer = (options: Options = {}): Layer.Layer<World, WorldFailed> => Layer.effect(World, make(options))
