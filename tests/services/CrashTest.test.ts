/** Both shops in a crash test: every fault at every moment, and pairs of them. Their queues repeat orders until they are acknowledged. */
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as CrashTest from "@pay/crashtest/CrashTest"
import type * as Template from "@pay/crashtest/Template"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Projects from "./Projects.ts"

/** The template of a shop. Its merchant is alone with its engine, and waits three seconds for an answer. */
const templateOf = (forms: typeof Projects.effect.forms, endpointId: string): Template.Template => ({
  url: "http://127.0.0.1:{port}",
  ready: "/order/none",
  patience: "8 seconds",
  env: {
    SHOP_SECRET: "a secret of the shop",
    SHOP_FLOWS_KEY: Buffer.alloc(32, 7).toString("base64"),
    PAY_TIMEOUT: "3 seconds",
    PAY_READ_TIMEOUT: "3 seconds"
  },
  answer: "10 minutes",
  files: ["."],
  buy: {
    request: "POST /sales/{order}",
    body: JSON.stringify(forms.sale("{amount}", endpointId)),
    headers: { "content-type": "application/json" },
    // What the queue gets is no word about the payment.
    paid: { status: 0 },
    failed: { status: 0 },
    again: { status: 503 },
    presses: 1000
  },
  ask: {
    request: "GET /order/{order}",
    paid: { json: "outcome", is: "done" },
    unpaid: { text: '"outcome":"(?!open|done)' }
  }
})

describe.each(["effect", "promise"] as const)("a shop on packed packages (%s)", (name) => {
  it.live(
    "has no finding in a crash test",
    () =>
      Effect.gen(function* () {
        const { forms, install } = Projects[name]
        const project = yield* install
        const result = yield* CrashTest.run({
          template: { ...templateOf(forms, "1001"), card: "4444000011118888" },
          folder: yield* temporaryFolder,
          command: ["node", "--disable-warning=ExperimentalWarning", join(project.folder, project.main)],
          ...{ payments: 200, seed: 7, onProgress: () => Effect.void }
        })
        assert.strictEqual(result.ended, undefined)
        assert.deepStrictEqual(
          result.findings.map(({ case: own, difference, kind }) => [kind, JSON.stringify(own), difference]),
          []
        )
        assert.isAtLeast(result.payments, 200)
      }),
    1_200_000
  )
})
