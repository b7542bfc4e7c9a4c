/**
 * Tests the rate limits: only the sender of too many requests has to wait. The limits hold by default, and for any headers of a
 * request.
 */
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Layer, Logger } from "effect"
import { Front } from "../../src/http/Front.ts"
import * as NodeServer from "../../src/http/NodeServer.ts"
import { defaults, Settings, sandboxDefaults } from "../../src/kernel/Settings.ts"
import type * as RateLimit from "../../src/network/RateLimit.ts"
import * as ScriptedGateway from "../threeds/ScriptedGateway.ts"

const { STATUS } = PayApi.operations
const { addressRate, attemptRate, cardRate, merchantRate, sessionRate } = defaults

/** Checks that as many requests are served as may come at once, and that the next one is refused. Time stands still meanwhile. */
const assertBurst = Effect.fnUntraced(function* <E, R>(
  { burst }: RateLimit.Rate,
  ask: (turn: number) => Effect.Effect<number, E, R>
) {
  for (let turn = 0; turn < burst; turn++) assert.notStrictEqual(yield* ask(turn), 429, `request ${turn}`)
  assert.strictEqual(yield* ask(burst), 429)
})

const from = (remoteAddress: string) =>
  Effect.gen(function* () {
    const front = yield* Front
    const request = {
      method: "GET",
      publicBaseUrl: ScriptedGateway.baseUrl,
      target: "/",
      headers: {},
      body: "",
      remoteAddress
    }
    return (yield* front.handle(request)).status
  })

const question = Effect.map(
  ScriptedGateway.post(STATUS, { login: "shop", client_orderid: "none" }, ScriptedGateway.endpoints.off),
  ({ status }) => status
)

const sale = (client_orderid: string, changes: Readonly<Record<string, string>> = {}) =>
  Effect.map(
    ScriptedGateway.post(
      ScriptedGateway.SALE,
      ScriptedGateway.saleFields({ client_orderid, ...changes }),
      ScriptedGateway.endpoints.off
    ),
    (reply) => reply.status
  )

const scripted = (settings: Partial<Settings>) =>
  Effect.provide(ScriptedGateway.layer(ScriptedGateway.make(), { settings }))

describe("the default rate limits", () => {
  it("cover addresses, attempts, cards, merchants and hosted pages", () => {
    for (const { burst, perSecond } of [addressRate, attemptRate, cardRate, merchantRate, sessionRate]) {
      assert.isAbove(perSecond, 0)
      assert.isAbove(burst, 0)
    }
  })

  it.effect("apply to each IPv4 address and each IPv6 network separately", () =>
    Effect.gen(function* () {
      yield* assertBurst(addressRate, () => from("203.0.113.7"))
      assert.strictEqual(yield* from("203.0.113.8"), 404)
      yield* assertBurst(addressRate, (turn) => from(`2001:db8::${turn.toString(16)}`))
    }).pipe(scripted({ addressRate }))
  )

  it.effect("apply to a merchant", () => assertBurst(merchantRate, () => question).pipe(scripted({ merchantRate })))

  it.effect("apply to each card separately", () =>
    Effect.gen(function* () {
      yield* assertBurst(cardRate, (turn) => sale(`sale-${turn}`))
      assert.strictEqual(yield* sale("another", { credit_card_number: "5555555555554444" }), 200)
    }).pipe(scripted({ cardRate }))
  )
})

describe("a peer that sends forwarding headers", () => {
  const ask = (headers: Readonly<Record<string, string>>) =>
    Effect.gen(function* () {
      const { port } = yield* NodeServer.NodeServer
      return (yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/`, { headers }))).status
    })

  /** Runs a test against a server, with the list of its logged warnings. */
  const served = <A, E>(
    settings: Partial<Settings>,
    run: (warnings: ReadonlyArray<string>) => Effect.Effect<A, E, NodeServer.NodeServer>
  ) => {
    const warnings: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => {
      if (logLevel === "Warn") warnings.push(String(message))
    })
    return run(warnings).pipe(
      Effect.provide(
        NodeServer.layer({ host: "127.0.0.1", port: 0 }).pipe(
          Layer.provide(ScriptedGateway.layer(ScriptedGateway.make(), { live: true, settings })),
          Layer.provide(Layer.succeed(Settings, { ...sandboxDefaults, ...settings })),
          Layer.provide(Logger.layer([logger]))
        )
      )
    )
  }

  it.live.each(["x-forwarded-for", "forwarded", "via", "x-real-ip"])(
    "is logged once if it is not a trusted proxy: %s",
    (name) =>
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

  it.live("cannot evade the limit with another address in each request", () =>
    served({ addressRate: { perSecond: 0.001, burst: 2 } }, () =>
      Effect.gen(function* () {
        const statuses = yield* Effect.forEach([1, 2, 3], (turn) => ask({ "x-forwarded-for": `203.0.113.${turn}` }))
        assert.deepStrictEqual(statuses, [404, 404, 429])
      })
    )
  )

  it.live("is limited per forwarded caller, without a warning, if it is a trusted proxy", () =>
    served({ addressRate: { perSecond: 0.001, burst: 1 }, trustedProxies: ["127.0.0.0/8"] }, (warnings) =>
      Effect.gen(function* () {
        const statuses = yield* Effect.forEach(
          [
            "203.0.113.7:5001",
            "203.0.113.8",
            "192.0.2.1, 203.0.113.7:5002",
            "203.0.113.9, 127.0.0.2",
            "[2001:db8::1]:443"
          ],
          (chain) => ask({ "x-forwarded-for": chain })
        )
        assert.deepStrictEqual(statuses, [404, 404, 429, 404, 404])
        assert.lengthOf(warnings, 0)
      })
    )
  )

  it.live(
    "is warned of once a minute if it is a trusted proxy whose entry is no address; its clients share no limit",
    () =>
      served({ addressRate: { perSecond: 0.001, burst: 1 }, trustedProxies: ["127.0.0.0/8"] }, (warnings) =>
        Effect.gen(function* () {
          const statuses = yield* Effect.forEach(["unknown", "203.0.113.7, _hidden", "203.0.113.7,"], (chain) =>
            ask({ "x-forwarded-for": chain })
          )
          assert.deepStrictEqual(statuses, [404, 404, 404])
          assert.lengthOf(warnings, 1)
          assert.include(warnings[0], '127.0.0.1 of trustedProxies sends "unknown" in X-Forwarded-For')
        })
      )
  )
})
