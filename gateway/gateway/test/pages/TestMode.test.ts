import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as HomePage from "../../src/http/pages/HomePage.ts"
import * as Layout from "../../src/http/pages/Layout.ts"
import { type TestMode as Mode, TestMode } from "../../src/http/pages/TestMode.ts"
import { SecureRandom } from "../../src/kernel/SecureRandom.ts"
import * as Settings from "../../src/kernel/Settings.ts"

const mode: Mode = {
  cards: [
    { number: "4444020100000003", outcome: "approved" },
    { number: "4444000011118888", outcome: "challenge" },
    { number: "4444011100000002", outcome: "declined" }
  ],
  password: "hint"
}

const answerOf = (production: boolean, test: Mode | undefined) =>
  Effect.map(Layout.renderer, (show) => show(HomePage.page("en", "https://pay.example", test !== undefined))).pipe(
    Effect.provide(
      Layer.mergeAll(
        SecureRandom.layer,
        Layer.succeed(TestMode, test),
        Layer.succeed(Settings.Settings, { ...Settings.defaults, production })
      )
    )
  )

/** The texts that only a sandbox shows. */
const marks = ["Test mode", "4444 0201 0000 0003", "data-copy"]

describe("the test-mode banner", () => {
  it.effect("is on a sandbox's page, with its cards and the script that copies them", () =>
    Effect.gen(function* () {
      const { body, headers } = yield* answerOf(false, mode)
      for (const mark of marks) assert.include(body, mark)
      assert.match(headers["content-security-policy"] ?? "", /script-src 'nonce-[\w-]+';/)
    })
  )

  it.effect("says on a page that is about no endpoint that a password depends on 3-D Secure", () =>
    Effect.gen(function* () {
      const { body } = yield* answerOf(false, mode)
      assert.deepStrictEqual(
        [...body.matchAll(/<span>([^<]*)<\/span><\/li>/g)].map(([, text]) => text),
        ["is approved at once", "with 3-D Secure the bank asks for a password, which is: hint", "is declined"]
      )
    })
  )

  it.effect.each([
    ["is never on a page of production, even if a test mode is provided", true, mode],
    ["is absent if no test mode is provided", false, undefined]
  ] as const)("%s", ([, production, test]) =>
    Effect.gen(function* () {
      const { body, headers } = yield* answerOf(production, test)
      for (const mark of marks) assert.notInclude(body, mark)
      assert.include(headers["content-security-policy"] ?? "", "script-src 'none';")
    })
  )
})
