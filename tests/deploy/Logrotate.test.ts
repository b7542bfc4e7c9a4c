/** The rotation of a log file: the gateway's open file is copied and emptied in its place. */
import { appendFileSync, closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Kit from "./Kit.ts"

describe("deploy/logrotate/pay", () => {
  it.live(`keeps the lines of a file that stays open${Kit.unless("logrotate")}`, () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const logs = join(folder, "log")
      mkdirSync(logs, { mode: 0o700 })
      const path = join(folder, "pay")
      const text = Kit.read("logrotate/pay").replaceAll("/var/log/pay/gateway.log", `"${logs}/gateway.log"`)
      writeFileSync(path, text.replace(/^ *su .*\n/m, ""), { mode: 0o644 })
      const log = openSync(join(logs, "gateway.log"), "a")
      appendFileSync(log, "before\n")
      const args = ["--force", "--state", join(folder, "state"), path]
      const verdict = yield* Effect.promise(() => Kit.ran("logrotate", args))
      appendFileSync(log, "after\n")
      closeSync(log)
      if (verdict === undefined) return
      assert.deepStrictEqual(verdict, { code: 0, text: "" })
      assert.deepStrictEqual(readdirSync(logs), ["gateway.log", "gateway.log.1"])
      assert.strictEqual(readFileSync(join(logs, "gateway.log.1"), "utf8"), "before\n")
      assert.strictEqual(readFileSync(join(logs, "gateway.log"), "utf8"), "after\n")
    })
  )
})
