/** The world around the shop, alive: the sandbox in this process, the proxy in front of it, and everything that goes wrong. */
import * as Settings from "@pay/gateway/Settings"
import type { Dialect } from "@pay/schema/Dialect"
import { Clock, Duration, Effect, Layer } from "effect"
import type { Order } from "../plan/Payment.ts"
import * as BankScenarios from "./BankScenarios.ts"
import * as Books from "./Books.ts"
import * as CallbackFaults from "./CallbackFaults.ts"
import * as FaultProxy from "./FaultProxy.ts"
import * as MerchantKeys from "./MerchantKeys.ts"
import * as NoReplays from "./NoReplays.ts"
import { OpenOrders } from "./OpenOrders.ts"
import * as RequestFacts from "./RequestFacts.ts"
import * as Requests from "./Requests.ts"
import * as SandboxGateway from "./SandboxGateway.ts"
import type { Watched } from "./Watched.ts"
import { World, type WorldFailed } from "./World.ts"

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

/** How far the clock of the shop is ahead, in milliseconds: twice as much as the gateway tolerates. */
const clockAheadMs = 600_000

const prefixes: Readonly<Record<Dialect, string>> = { json: "", pairs: "/paynet" }

/** The wall time of the gateway, which can be late. */
const makeClock = Effect.map(Clock.Clock, (wall) => {
  let aheadMs = 0
  const ahead = (byMs: number) =>
    Effect.sync(() => {
      aheadMs += byMs
    })
  return {
    nowMs: () => wall.currentTimeMillisUnsafe(),
    gatewayMs: () => wall.currentTimeMillisUnsafe() - aheadMs,
    isShopAhead: () => aheadMs > 0,
    shopAhead: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.acquireUseRelease(
        ahead(clockAheadMs),
        () => effect,
        () => ahead(-clockAheadMs)
      )
  }
})

const nothingSeen = { requests: [], callbacks: 0, changes: 0, met: [], timeline: [] }

const make = Effect.fnUntraced(function* (options: Options) {
  const { callbackBehindMs = 30, callbackTimeoutMs = 5000, dialect = "json", lateMs = 12_000 } = options
  const { replays = true, settling = Duration.days(3) } = options
  const clock = yield* makeClock
  const orders = new OpenOrders(clock.nowMs)
  const proxy = yield* FaultProxy.make(Settings.sandboxDefaults)
  const origin = `http://127.0.0.1:${proxy.port}`
  const publicBaseUrl = `${origin}${prefixes[dialect]}`
  const keys = MerchantKeys.of(dialect)
  const nowSeconds = () => Math.floor(clock.gatewayMs() / 1000)
  const noReplays = replays ? undefined : new NoReplays.NoReplays({ keys, origin, nowSeconds })
  const inward = noReplays === undefined ? (name: string) => name : NoReplays.inward

  const gateway = yield* SandboxGateway.make({
    dialect,
    publicBaseUrl,
    sender: CallbackFaults.layer({
      orders,
      controlKey: keys.controlKey,
      behindMs: callbackBehindMs,
      timeoutMs: callbackTimeoutMs,
      inward: (callback) => noReplays?.callback(callback) ?? callback
    }),
    rule: BankScenarios.rule(orders, inward),
    wallTimeMs: clock.gatewayMs
  })
  const requests = yield* Requests.make({
    orders,
    noReplays,
    lateMs,
    publicBaseUrl,
    refusal: (error, received) => gateway.now().refusal(error, received),
    isAhead: clock.isShopAhead
  })
  proxy.serve({
    handle: requests.handle,
    isOperation: (target) => RequestFacts.isOperation(target, publicBaseUrl),
    port: () => gateway.now().port
  })

  const ofOrder = <A>(order: Order, use: (watched: Watched) => A, absent: A): A => {
    const watched = orders.find(order)
    return watched === undefined ? absent : use(watched)
  }
  return World.of({
    baseUrl: publicBaseUrl,
    open: requests.open,
    observation: (order) => Effect.sync(() => ofOrder(order, ({ observation }) => observation, nothingSeen)),
    tell: (order, from, text, fault) =>
      Effect.sync(() =>
        ofOrder(
          order,
          (watched) => {
            watched.tell(from, text)
            if (fault !== undefined) watched.meetWhole(fault)
          },
          undefined
        )
      ),
    booked: (order) =>
      Effect.suspend(() =>
        ofOrder(
          order,
          ({ bankNumbers }) => Books.read(gateway.now(), bankNumbers, inward),
          Effect.succeed({ charges: [], payoutsMinor: [] })
        )
      ),
    close: (order) => Effect.sync(() => requests.close(order)),
    settle: Effect.suspend(() => {
      for (const watched of orders.all()) watched.pass(Duration.toHours(settling))
      return gateway.now().pass(settling)
    }),
    restartGateway: Effect.suspend(() => gateway.now().restart),
    renewGateway: gateway.renew,
    refusing: proxy.refusing,
    shopAhead: clock.shopAhead
  })
})

export const layer = (options: Options = {}): Layer.Layer<World, WorldFailed> => Layer.effect(World, make(options))
