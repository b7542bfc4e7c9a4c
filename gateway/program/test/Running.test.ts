/** What does not end a program of the gateway. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"

it("a rejected promise that nothing awaits is logged, and the program goes on", () => {
  const program = join(import.meta.dirname, "Rejects.ts")
  const { status, stdout } = spawnSync(process.execPath, [program], { encoding: "utf8" })
  expect(stdout).toMatch(/nothing awaits it.*"level":"ERROR".*the second request failed, too/)
  expect(stdout).toContain("It goes on")
  expect(status).toBe(0)
})
