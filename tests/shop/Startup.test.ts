/** The shop reports a failed start in one line, which names what to change. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { serve } from "../../packages/schema/test/Loopback.ts"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import { root } from "../../scripts/Workspace.ts"
import * as Bundles from "../harness/Bundles.ts"

const settings = {
  PAY_BASE_URL: "http://127.0.0.1:1",
  PAY_LOGIN: "shop",
  PAY_CONTROL_KEY: "key",
  SHOP_ENDPOINT_HOSTED: "1101",
  SHOP_ENDPOINT_CARD: "1102",
  SHOP_ENDPOINT_KEPT: "1001"
}

const opened = (env: NodeJS.ProcessEnv) =>
  Effect.callback<{ readonly code: unknown; readonly output: string }>((resume) => {
    execFile(process.execPath, [Bundles.start(join(root, "apps/shop/src/main.ts"))], { env }, (error, _, stderr) =>
      resume(Effect.succeed({ code: error?.code, output: stderr }))
    )
  })

it.live("a shop that cannot start reports the missing setting, the invalid setting or the port in use", () =>
  Effect.gen(function* () {
    const SHOP_DATA = yield* temporaryFolder
    const port = yield* serve((_, response) => response.end())
    const wrong = [
      [{}, "PAY_BASE_URL is not set"],
      [{ ...settings, PAY_CONTROL_KEY: undefined }, "PAY_CONTROL_KEY is not set"],
      [{ ...settings, PAY_BASE_URL: "nowhere" }, "baseUrl must be an absolute http(s) URL"],
      [{ ...settings, SHOP_PORT: "65536" }, "SHOP_PORT must be a whole number from 0 to 65535"],
      [
        { ...settings, SHOP_PORT: String(port) },
        `address already in use 127.0.0.1:${port}; choose another port with SHOP_PORT, 0 for any`
      ]
    ] as const
    for (const [env, expected] of wrong) {
      const { code, output } = yield* opened({ ...env, SHOP_DATA })
      assert.strictEqual(code, 1, output)
      assert.match(output, /^The shop cannot open: .*\n$/)
      assert.include(output, expected)
    }
  })
)
