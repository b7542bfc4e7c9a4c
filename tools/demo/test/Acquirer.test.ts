/** `npm start -- --acquirer adyen` as a process. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { expect, it } from "vitest"

const run = async (...args: ReadonlyArray<string>) => {
  const program = spawn(process.execPath, ["scripts/bootstrap.mjs", "start", ...args], {
    cwd: join(import.meta.dirname, "../../.."),
    stdio: ["ignore", "pipe", "pipe"]
  })
  const [output, errors] = await Promise.all([text(program.stdout), text(program.stderr), once(program, "exit")])
  return { code: program.exitCode, output, errors }
}

it("npm start -- --acquirer adyen pays over the wire of a simulated Adyen, and both books agree", async () => {
  const { code, output } = await run("--acquirer", "adyen")
  expect(output).toContain("asks for the password")
  expect(output).toContain("0 differences")
  expect(output).toContain("All outcomes are as expected.")
  expect(code).toBe(0)
})

it("npm start -- --acquirer names the acquirers that have an adapter", async () => {
  const { code, errors } = await run("--acquirer", "other")
  expect(errors).toContain("the only acquirer with an adapter is adyen")
  expect(code).toBe(1)
})
