/** Programs whose output cannot be written: its reader has ended, or the disk of its file is full. */

import { type StdioOptions, spawn } from "node:child_process"
import { openSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { freePort } from "../../packages/schema/test/Loopback.ts"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Http from "../harness/Http.ts"

const pathOf = (file: string) => join(import.meta.dirname, "../..", file)

/** Both outputs of a program: pipes whose reader ends at once, or files on a full disk. */
const outputs: Readonly<Record<string, () => StdioOptions>> = {
  "whose reader has ended": () => ["ignore", "pipe", "pipe"],
  "on a full disk": () => {
    const full = openSync("/dev/full", "w")
    return ["ignore", full, full]
  }
}

const start = Effect.fnUntraced(function* (file: string, stdio: StdioOptions) {
  const [port, operatorPort] = [yield* freePort, yield* freePort]
  const folder = yield* temporaryFolder
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const ports = { PAY_PORT: `${port}`, PAY_OPERATOR_PORT: `${operatorPort}` }
      const env = { ...process.env, ...ports, PAY_DATA: folder, PAY_LOG_LEVEL: "debug" }
      const child = spawn(process.execPath, [pathOf(file)], { stdio, env })
      for (const stream of [child.stdout, child.stderr]) stream?.destroy()
      return child
    }),
    (child) =>
      Effect.callback<void>((resume) => {
        if (child.exitCode !== null || child.signalCode !== null) resume(Effect.void)
        child.once("exit", () => resume(Effect.void)).kill("SIGKILL")
      })
  )
  const get = (path: string) => Http.send(`http://127.0.0.1:${path === "/metrics" ? operatorPort : port}${path}`)
  const answer = (path: string) =>
    Effect.retry(
      Effect.catchDefect(get(path), () => Effect.fail("does not listen yet")),
      { schedule: Schedule.spaced("50 millis"), times: 400 }
    )
  return { get, answer }
})

const lost = /^pay_log_lines_lost_total (\d+)$/m

for (const [what, output] of Object.entries(outputs)) {
  it.live(`the gateway with an output ${what} serves on, and counts the lines that it loses`, () =>
    Effect.gen(function* () {
      const { answer, get } = yield* start("gateway/program/src/main.ts", output())
      yield* answer("/healthz")
      for (let n = 0; n < 5; n += 1) assert.strictEqual((yield* get("/api/none")).status, 404)
      const [, count] = lost.exec((yield* get("/metrics")).text) ?? []
      assert.isAtLeast(Number(count), 5)
    })
  )

  it.live(`the simulated bank with an output ${what} serves on`, () =>
    Effect.gen(function* () {
      const { answer, get } = yield* start("gateway/program/src/World.ts", output())
      yield* answer("/")
      for (let n = 0; n < 5; n += 1) assert.strictEqual((yield* get("/")).status, 404)
    })
  )
}

for (const [what, code] of [
  ["whose reader has ended", 0],
  ["on a full disk", 4]
] as const) {
  it.live(`pay with an output ${what} ends with ${code}`, () =>
    Effect.gen(function* () {
      const ended = yield* Effect.callback<number | null>((resume) => {
        const args = [pathOf("apps/cli/src/main.ts"), "help", "sale"]
        const child = spawn(process.execPath, args, { stdio: outputs[what]?.() ?? "ignore" })
        for (const stream of [child.stdout, child.stderr]) stream?.destroy()
        child.once("exit", (exitCode) => resume(Effect.succeed(exitCode)))
      })
      assert.strictEqual(ended, code)
    })
  )
}
