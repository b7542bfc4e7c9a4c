import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { AddressPolicy, CheckedMerchants } from "@pay/gateway/Gateway"
import * as Settings from "@pay/gateway/Settings"
import { ConfigProvider, Effect, Layer, Redacted, Result } from "effect"
import * as ConfigFile from "../src/ConfigFile.ts"
import * as ConfigTable from "../src/ConfigTable.ts"
import * as ServerConfig from "../src/ServerConfig.ts"

const document = readFileSync(new URL("../../../docs/operators/configuration.md", import.meta.url), "utf8")
const example = /```json\n([\s\S]*?)```/.exec(document)?.[1] ?? ""

const fileOf = (text: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), "pay-config-")), "gateway.json")
  writeFileSync(path, text)
  return path
}
const environment = (values: Readonly<Record<string, string>>) =>
  Layer.merge(NodeServices.layer, ConfigProvider.layer(ConfigProvider.fromUnknown(values)))

const merchant = (changes: object) => ({
  login: "shop",
  controlKeys: ["key"],
  endpoints: [{ id: "1", currencies: ["USD"] }],
  ...changes
})
const endpoint = (changes: object) => merchant({ endpoints: [{ id: "1", currencies: ["USD"], ...changes }] })

describe("the configuration file", () => {
  it.effect("in the documentation is valid, and its numbers are the defaults", () =>
    Effect.gen(function* () {
      const file = yield* ServerConfig.read(fileOf(example))
      const config = yield* ServerConfig.complete(file, {
        production: true,
        callbacks: AddressPolicy.publicOnly,
        drainMs: 0
      })
      assert.lengthOf(yield* Effect.fromResult(CheckedMerchants.check(config.merchants)), 1)
      const { addressPolicy, publicBaseUrl, trustedProxies, ...rest } = config.settings
      const { addressPolicy: _, publicBaseUrl: __, trustedProxies: ___, ...defaults } = Settings.defaults
      assert.deepStrictEqual(rest, { ...defaults, production: true })
      assert.strictEqual(publicBaseUrl, "https://pay.example/gateway")
      assert.deepStrictEqual(trustedProxies, ["10.0.0.0/8"])
      assert.isTrue(Result.isSuccess(AddressPolicy.check("10.20.1.1", addressPolicy)))
    }).pipe(Effect.provide(NodeServices.layer))
  )

  /** A problem, the file's text and the words that the message must contain. */
  const wrong: ReadonlyArray<readonly [string, string, ReadonlyArray<string>]> = [
    ["text that is not JSON", "{", ["gateway.json"]],
    ["no merchants", "{}", ["merchants"]],
    ["an unknown name", JSON.stringify({ merchants: [merchant({})], colour: "red" }), ["colour"]],
    ["an endpoint without currency", JSON.stringify({ merchants: [endpoint({ currencies: [] })] }), ["currencies"]],
    [
      "a name with a typing error",
      JSON.stringify({ merchants: [merchant({})], limts: {} }),
      ["limts", "did you mean limits?"]
    ],
    [
      "a merchant's name with a typing error",
      JSON.stringify({ merchants: [endpoint({ timezone: "UTC" })] }),
      ["merchants[0].endpoints[0].timezone", "did you mean timeZone?"]
    ],
    [
      "problems between several parts",
      JSON.stringify({
        merchants: [merchant({}), merchant({})],
        trustedProxies: ["10.0.0.0"],
        callbacks: { allowRanges: ["x"] },
        orders: { challengeMs: 2_000_000 }
      }),
      ["shop is used twice", "10.0.0.0 is not a CIDR", "x is not a CIDR", "challengeMs"]
    ],
    [
      "several problems together",
      JSON.stringify({ merchants: [merchant({ login: "" })], listen: { port: "x" } }),
      ["login", "port"]
    ]
  ]
  for (const [name, text, words] of wrong) {
    it.effect(`is refused with a message that names the problem: ${name}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(ServerConfig.read(fileOf(text)))
        assert.strictEqual(error._tag, "ConfigError")
        for (const word of words) assert.include(error.message, word)
      }).pipe(Effect.provide(NodeServices.layer))
    )
  }

  const limitsOf = (secondPerson: object) =>
    Effect.flatMap(
      ServerConfig.read(fileOf(JSON.stringify({ merchants: [merchant({})], operator: { secondPerson } }))),
      (file) => ServerConfig.complete(file, { production: true, callbacks: AddressPolicy.publicOnly, drainMs: 0 })
    ).pipe(
      Effect.map((config) => JSON.stringify(config.secondPerson)),
      Effect.catchTag("ConfigError", ({ message }) => Effect.succeed(message)),
      Effect.provide(NodeServices.layer)
    )

  it.effect.each([
    [{ "keys add": 0 }, '{"keys add":{}}'],
    [
      { "orders refund": { USD: "500", JPY: "500", KWD: "0.001", EUR: "0" } },
      '{"USD":50000,"JPY":500,"KWD":1,"EUR":0}'
    ],
    [{ "orders refund": 500 }, 'orders refund: an amount needs its currency: { "USD": "500" }; 0 is for always'],
    [{ "orders refund": -1 }, "orders refund: an amount needs its currency"],
    [{ "orders refund": {} }, "orders refund: no amount is given"],
    [{ "orders refund": { usd: "500" } }, "orders refund: usd is not a currency of ISO 4217"],
    [{ "orders refund": { USD: "ten", JPY: "1.5" } }, "ten USD must be a decimal number"],
    [{ "orders refund": { USD: "ten", JPY: "1.5" } }, "1.5 JPY has more than 0 decimals"],
    [{ "orders refund": { USD: 500 } }, "operator.secondPerson.orders refund"],
    [{ "keys add": { USD: "1" } }, "keys add: this command has no amount: write 0"],
    [{ "keys add": 5 }, "keys add: this command has no amount: write 0"],
    [{ "orders search": 0 }, "orders search: the commands are keys add, "]
  ] as const)("has or refuses the limits of a second person: %j", ([secondPerson, expected]) =>
    Effect.map(limitsOf(secondPerson), (text) => assert.include(text, expected))
  )

  it.effect("is named in the message if it is missing", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(ServerConfig.read("/nowhere/gateway.json"))
      assert.include(error.message, "/nowhere/gateway.json")
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("is overridden by environment variables", () =>
    Effect.gen(function* () {
      const file = yield* ServerConfig.fromEnvironment
      assert.deepInclude(file, {
        listen: { host: "0.0.0.0", port: 0 },
        dataDirectory: "/tmp/there",
        publicBaseUrl: "https://pay.example"
      })
      assert.strictEqual(file.merchants?.[0]?.login, "my-shop")
    }).pipe(
      Effect.provide(
        environment({
          PAY_CONFIG: fileOf(example),
          PAY_HOST: "0.0.0.0",
          PAY_PORT: "0",
          PAY_DATA: "/tmp/there",
          PAY_PUBLIC_BASE_URL: "https://pay.example"
        })
      )
    )
  )

  it.effect("is not quoted in the message if it is not JSON, because it contains keys", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(ServerConfig.read(fileOf('{ "controlKeys": ["secret" }')))
      assert.include(error.message, "no JSON")
      assert.notInclude(error.message, "secret")
    }).pipe(Effect.provide(NodeServices.layer))
  )
})

describe("the names and variables of the configuration", () => {
  const settings = Object.keys(Settings.defaults).filter((name) => name !== "production" && name !== "addressPolicy")
  const names = ConfigTable.entries(ConfigFile.File).map(({ path }) => path)
  it.each(settings)("include the setting %s", (name) => assert.isTrue(names.some((path) => path.includes(name))))

  it("are all described, and no two names have the same variable", () => {
    const entries = ConfigTable.entries(ConfigFile.File)
    assert.deepStrictEqual(
      entries.filter(({ about }) => about === "").map(({ path }) => path.join(".")),
      []
    )
    const variables = entries.flatMap(({ environment = [] }) => environment)
    assert.lengthOf(new Set(variables), variables.length)
  })

  it.effect("set values of every kind, and keep the file's other values", () =>
    Effect.gen(function* () {
      const file = yield* ServerConfig.fromEnvironment
      assert.deepStrictEqual(file.limits?.merchantRate, { perSecond: 2.5, burst: 1000 })
      assert.strictEqual(file.limits?.maxParameters, 200)
      assert.deepStrictEqual(file.trustedProxies, ["10.0.0.0/8", "::1/128"])
      assert.deepStrictEqual(file.callbacks?.ports, [443, 8443])
      assert.isTrue(file.jobs?.jobsPaused)
      assert.strictEqual(file.logLevel, "warning")
      assert.strictEqual(Redacted.value(file.operator?.token ?? Redacted.make("")), "a token of sixteen")
    }).pipe(
      Effect.provide(
        environment({
          PAY_CONFIG: fileOf(example),
          PAY_LIMITS_MERCHANT_RATE_PER_SECOND: "2.5",
          PAY_TRUSTED_PROXIES: "10.0.0.0/8, ::1/128",
          PAY_CALLBACKS_PORTS: "443,8443",
          PAY_JOBS_JOBS_PAUSED: "true",
          PAY_LOG_LEVEL: "warning",
          PAY_OPERATOR_TOKEN: "a token of sixteen",
          PAY_HOST: ""
        })
      )
    )
  )

  it.effect("are both in the message about a wrong value", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(ServerConfig.fromEnvironment)
      assert.include(error.message, "listen.port (PAY_PORT): must be a whole number from 0 to 65535")
      assert.include(error.message, "limits.maxBodyBytes (PAY_LIMITS_MAX_BODY_BYTES)")
      assert.include(error.message, "callbacks.ports.1 (PAY_CALLBACKS_PORTS): must be a whole number from 0 to 65535")
      assert.include(error.message, "sandboxWorld (PAY_SANDBOX_WORLD): must be the address of a bank world")
    }).pipe(
      Effect.provide(
        environment({
          PAY_PORT: "http",
          PAY_LIMITS_MAX_BODY_BYTES: "-1",
          PAY_CALLBACKS_PORTS: "443,65536",
          PAY_SANDBOX_WORLD: "http://127.0.0.1:65536",
          PAY_CONFIG: fileOf(example)
        })
      )
    )
  )
})
