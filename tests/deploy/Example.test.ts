/** The example of a configuration for real money starts in a clean folder, and `pay config check` says so before. */
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inProcess } from "../../apps/cli/test/InProcess.ts"
import * as Kit from "./Kit.ts"

const check = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) =>
  Effect.promise(() => inProcess(["config", "check", ...args], { env }))

describe("deploy/gateway.json", () => {
  it.live("starts with its adapter and new keys, as the check foretells", () =>
    Effect.gen(function* () {
      const kit = yield* Kit.installed
      const { environment, file } = kit
      const before = yield* check([file, "--new"], environment)
      assert.deepStrictEqual([before.code, before.err], [0, ""])
      const { merchants, publicBaseUrl } = yield* Effect.scoped(Kit.started(kit))
      assert.deepStrictEqual([publicBaseUrl, merchants], ["https://pay.example", ["my-shop"]])
      const after = yield* check([file], environment)
      assert.deepStrictEqual([after.code, after.err], [0, ""])
      const again = yield* check([file, "--new"], environment)
      assert.strictEqual(again.code, 1)
      assert.include(again.err, "gateway.db: leave out --new")
    })
  )

  it.live("is refused with every problem at once, and nothing is written", () =>
    Effect.gen(function* () {
      const { environment, file, folder } = yield* Kit.installed
      rmSync(join(folder, "adapter"), { recursive: true })
      const keys = join(folder, "other.json")
      writeFileSync(keys, "{}", { mode: 0o644 })
      const { code, out } = yield* check([file, "--json"], {
        ...environment,
        PAY_KEY_RING: keys,
        PAY_PUBLIC_BASE_URL: "http://x"
      })
      assert.strictEqual(code, 1)
      const { problems } = JSON.parse(out)
      for (const [index, says] of [
        /publicBaseUrl/,
        /other\.json is open to others/,
        /bank\.mjs cannot be loaded/,
        /There is no data folder/
      ].entries())
        assert.match(problems[index], says)
      assert.lengthOf(problems, 4)
    })
  )

  const usage: ReadonlyArray<readonly [what: string, args: ReadonlyArray<string>, code: number, says: RegExp]> = [
    ["no file", [], 2, /pay config check FILE/],
    ["two files", ["a", "b"], 2, /pay config check FILE/],
    ["a missing file", ["nowhere.json"], 1, /nowhere\.json cannot be read/],
    ["a folder", ["."], 1, /cannot be read/]
  ]
  it.live.each(usage)("is not judged for %s", ([, args, code, says]) =>
    Effect.map(check(args, {}), (ended) => {
      assert.strictEqual(ended.code, code)
      assert.match(ended.err, says)
    })
  )
})
