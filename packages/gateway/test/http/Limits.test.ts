/**
 * Tests the rate limits: a sender that asks too often has to wait, and no other sender has to. They hold by default, and whatever
 * headers a request brings.
 */
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Layer, Logger } from "effect"
import { Front } from "../../src/http/Front.ts"
import * as NodeServer from "../../src/http/NodeServer.ts"
import { defaults, Settings, sandboxDefaults } from "../../src/kernel/Settings.ts"
import type * as RateLimit from "../../src/network/RateLimit.ts"
import * as World from "../threeds/World.ts"

const { STATUS } = PayApi.operations
const { addressRate, attemptRate, cardRate, merchantRate, sessionRate } = defaults

/** How many were served before the first that was sent away: within twice what may come at once. */
const untilRefused = Effect.fnUntraced(function* <E, R>(
  { burst }: RateLimit.Rate,
  ask: (turn: number) => Effect.Effect<number, E, R>
) {
  for (let turn = 0; turn <= 2 * burst; turn++) if ((yield* ask(turn)) === 429) return turn
  return assert.fail(`${2 * burst} were served`)
})

const from = (remoteAddress: string) =>
  Effect.gen(function* () {
    const front = yield* Front
    const request = { method: "GET", publicBaseUrl: World.baseUrl, target: "/", headers: {}, body: "", remoteAddress }
    return (yield* front.handle(request)).status
  })

const question = Effect.map(
  World.post(STATUS, { login: "shop", client_orderid: "none" }, World.endpoints.off),
  ({ status }) => status
)

const sale = (client_orderid: string, changes: Readonly<Record<string, string>> = {}) =>
  Effect.map(
    World.post(World.SALE, World.saleFields({ client_orderid, ...changes }), World.endpoints.off),
    (reply) => reply.status
  )

const world = (settings: Partial<Settings>) => Effect.provide(World.layer(World.make(), { settings }))

describe("by default there is a limit", () => {
  it("of each kind, also on hosted pages", () => {
    for (const { burst, perSecond } of [addressRate, attemptRate, cardRate, merchantRate, sessionRate]) {
      assert.isAbove(perSecond, 0)
      assert.isAbove(burst, 0)
    }
  })

  it.effect("for one address, or one network of IPv6, and none for another", () =>
    Effect.gen(function* () {
      assert.isAtLeast(yield* untilRefused(addressRate, () => from("203.0.113.7")), addressRate.burst)
      assert.strictEqual(yield* from("203.0.113.8"), 404)
      yield* untilRefused(addressRate, (turn) => from(`2001:db8::${turn.toString(16)}`))
    }).pipe(world({ addressRate }))
  )

  it.effect("for one merchant", () =>
    Effect.gen(function* () {
      assert.isAtLeast(yield* untilRefused(merchantRate, () => question), merchantRate.burst)
    }).pipe(world({ merchantRate }))
  )

  it.effect("for one card, and none for another", () =>
    Effect.gen(function* () {
      assert.isAtLeast(yield* untilRefused(cardRate, (turn) => sale(`sale-${turn}`)), cardRate.burst)
      assert.strictEqual(yield* sale("another", { credit_card_number: "5555555555554444" }), 200)
    }).pipe(world({ cardRate }))
  )
})

describe("a peer that may be a proxy", () => {
  const ask = (headers: Readonly<Record<string, string>>) =>
    Effect.gen(function* () {
      const { port } = yield* NodeServer.NodeServer
      return (yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/`, { headers }))).status
    })

  /** Runs behind a server whose warnings are written down. */
  const served = <A, E>(
    settings: Partial<Settings>,
    play: (warnings: ReadonlyArray<string>) => Effect.Effect<A, E, NodeServer.NodeServer>
  ) => {
    const warnings: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => {
      if (logLevel === "Warn") warnings.push(String(message))
    })
    return play(warnings).pipe(
      Effect.provide(
        NodeServer.layer({ host: "127.0.0.1", port: 0 }).pipe(
          Layer.provide(World.layer(World.make(), { live: true, settings })),
          Layer.provide(Layer.succeed(Settings, { ...sandboxDefaults, ...settings })),
          Layer.provide(Logger.layer([logger]))
        )
      )
    )
  }

  it.live.each(["x-forwarded-for", "forwarded", "via", "x-real-ip"])("is told once, by its %s", (name) =>
    served({}, (warnings) =>
      Effect.gen(function* () {
        yield* ask({})
        assert.lengthOf(warnings, 0)
        for (let turn = 0; turn < 3; turn++) yield* ask({ [name]: "203.0.113.7" })
        assert.lengthOf(warnings, 1)
        assert.include(warnings[0], `127.0.0.1 sends ${name} and is not among trustedProxies`)
      })
    )
  )

  it.live("evades nothing by naming another address in each request", () =>
    served({ addressRate: { perSecond: 0.001, burst: 2 } }, () =>
      Effect.gen(function* () {
        const statuses = yield* Effect.forEach([1, 2, 3], (turn) => ask({ "x-forwarded-for": `203.0.113.${turn}` }))
        assert.deepStrictEqual(statuses, [404, 404, 429])
      })
    )
  )

  it.live("and is a trusted one: its callers are told apart, and nobody is warned of it", () =>
    served({ addressRate: { perSecond: 0.001, burst: 1 }, trustedProxies: ["127.0.0.0/8"] }, (warnings) =>
      Effect.gen(function* () {
        const statuses = yield* Effect.forEach(
          ["203.0.113.7", "203.0.113.8", "192.0.2.1, 203.0.113.7", "203.0.113.9, 127.0.0.2"],
          (chain) => ask({ "x-forwarded-for": chain })
        )
        assert.deepStrictEqual(statuses, [404, 404, 429, 404])
        assert.lengthOf(warnings, 0)
      })
    )
  )
})
