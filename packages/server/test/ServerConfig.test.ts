import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as AddressPolicy from "@pay/gateway/AddressPolicy"
import * as CheckedMerchants from "@pay/gateway/CheckedMerchants"
import * as Settings from "@pay/gateway/Settings"
import { ConfigProvider, Effect, Layer } from "effect"
import * as ServerConfig from "../src/ServerConfig.ts"

const document = readFileSync(new URL("../../../docs/configuration.md", import.meta.url), "utf8")
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
  it.effect("of the documentation is right, and its numbers are the defaults", () =>
    Effect.gen(function* () {
      const file = yield* ServerConfig.read(fileOf(example))
      const config = yield* ServerConfig.complete(file, { production: false, callbacks: AddressPolicy.publicOnly })
      assert.lengthOf(yield* Effect.fromResult(CheckedMerchants.check(config.merchants)), 1)
      const { addressPolicy, publicBaseUrl, trustedProxies, ...rest } = config.settings
      const { addressPolicy: _, publicBaseUrl: __, trustedProxies: ___, ...defaults } = Settings.defaults
      assert.deepStrictEqual(rest, defaults)
      assert.strictEqual(publicBaseUrl, "https://pay.example/gateway")
      assert.deepStrictEqual(trustedProxies, ["10.0.0.0/8"])
      assert.strictEqual(AddressPolicy.check("10.20.1.1", addressPolicy), "allowed")
    }).pipe(Effect.provide(NodeServices.layer))
  )

  /** What is wrong, and the words that must be in the refusal. */
  const wrong: ReadonlyArray<readonly [string, string, ReadonlyArray<string>]> = [
    ["no JSON", "{", ["gateway.json"]],
    ["no merchants", "{}", ["merchants"]],
    ["a name that nobody knows", JSON.stringify({ merchants: [merchant({})], colour: "red" }), ["colour"]],
    ["an endpoint without currency", JSON.stringify({ merchants: [endpoint({ currencies: [] })] }), ["currencies"]],
    [
      "several things at once",
      JSON.stringify({ merchants: [merchant({ login: "" })], listen: { port: "x" } }),
      ["login", "port"]
    ]
  ]
  for (const [name, text, words] of wrong) {
    it.effect(`${name} is refused in words that name it`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(ServerConfig.read(fileOf(text)))
        assert.strictEqual(error._tag, "ConfigError")
        for (const word of words) assert.include(error.message, word)
      }).pipe(Effect.provide(NodeServices.layer))
    )
  }

  it.effect("a file that is not there is named", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(ServerConfig.read("/nowhere/gateway.json"))
      assert.include(error.message, "/nowhere/gateway.json")
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("the environment overrides what differs between two starts", () =>
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
})

describe("the directory of merchants", () => {
  const refused: ReadonlyArray<readonly [string, ReadonlyArray<object>, string]> = [
    ["a login twice", [merchant({}), merchant({})], "shop is used twice"],
    ["a number twice", [merchant({}), merchant({ login: "other" })], "1 is used twice"],
    ["a group under an endpoint's number", [merchant({ groups: [{ id: "1", endpoints: ["1"] }] })], "1 is used twice"],
    ["a group of a stranger's endpoint", [merchant({ groups: [{ id: "2", endpoints: ["3"] }] })], "endpoint 3"],
    ["a number with leading zeros", [endpoint({ id: "01" })], "is not an endpoint number"],
    ["a number beyond 2^63", [endpoint({ id: "9223372036854775808" })], "is not an endpoint number"],
    [
      "a key that is none",
      [merchant({ publicKeys: ["-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----"] })],
      "public key of shop"
    ]
  ]
  for (const [name, merchants, words] of refused) {
    it.effect(`${name} is refused`, () =>
      Effect.gen(function* () {
        const file = yield* ServerConfig.read(fileOf(JSON.stringify({ merchants })))
        const problems = yield* Effect.flip(Effect.fromResult(CheckedMerchants.check(file.merchants)))
        assert.include(problems.join("\n"), words)
      }).pipe(Effect.provide(NodeServices.layer))
    )
  }
})
