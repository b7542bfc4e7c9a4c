import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Schema } from "effect"
import * as Port from "../src/Port.ts"

const wrong = ["65536", "70000", "-1", "80.5", "1e3", "0x50", "http", " 80"]

describe("a port in an environment variable", () => {
  const read = (variables: Record<string, string>) =>
    Effect.provideService(
      Port.config("PAY_PORT", 8080),
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromEnvRecord(variables)
    )

  it.effect.each(["0", "8081", "65535"])("is taken: %s", (PAY_PORT) =>
    Effect.map(read({ PAY_PORT }), (port) => assert.strictEqual(port, Number(PAY_PORT)))
  )

  it.effect.each([{}, { PAY_PORT: "" }])("has its default where the variable is not set or empty: %j", (variables) =>
    Effect.map(read(variables), (port) => assert.strictEqual(port, 8080))
  )

  it.effect.each(wrong)("is refused in one line that names the variable: %s", (PAY_PORT) =>
    Effect.map(Effect.flip(read({ PAY_PORT })), ({ message }) =>
      assert.strictEqual(message, "PAY_PORT must be a whole number from 0 to 65535")
    )
  )
})

describe("a port in a file", () => {
  it.each([0, 65_535])("is taken: %s", (port) => assert.isTrue(Port.isPort(port)))

  it.each([-1, 65_536, 80.5, Number.NaN, "80"])("is refused with the rule: %s", (port) => {
    assert.isFalse(Port.isPort(port))
    assert.throws(() => Schema.decodeUnknownSync(Port.Port)(port), "must be a whole number from 0 to 65535")
  })
})
