/** `npm start -- --module NAME` as a process: the settings of a module, and the address that it accepts. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { request } from "node:https"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { expect, it } from "vitest"
import * as Modules from "../src/Modules.ts"

const start = (name: string, environment: NodeJS.ProcessEnv) =>
  spawn(process.execPath, [join(import.meta.dirname, "../src/main.ts"), "--module", name], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"]
  })

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : 0
}

/** Requests the status of no order, as a client that trusts only `ca`. Returns the answer, or the code of the failure. */
const ask = (port: number, ca: Buffer | undefined): Promise<string> =>
  new Promise((resolve) => {
    const sent = request(
      { host: "127.0.0.1", port, ca, method: "POST", path: "/paynet/api/v2/status/4001" },
      async (answer) => {
        let text = ""
        for await (const piece of answer) text += String(piece)
        resolve(`${answer.statusCode} ${text}`)
      }
    )
    sent.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.end()
  })

it("a module that requires https reaches its sandbox with the certificate that the screen names, and with no other trust", async () => {
  const folder = await mkdtemp(join(tmpdir(), "pay-module-"))
  const port = await freePort()
  const child = start("node", { PAY_DATA: join(folder, "data"), PAY_PORT: "0", PAY_TLS_PORT: String(port) })
  try {
    const lines: Array<string> = []
    for await (const line of createInterface(child.stdout)) {
      lines.push(line)
      if (line.includes("Ctrl-C")) break
    }
    const certificateFile = /NODE_EXTRA_CA_CERTS=(\S+)/.exec(lines.join("\n"))?.[1] ?? ""
    expect(await ask(port, await readFile(certificateFile))).toMatch(/^200 type=validation-error/)
    expect(await ask(port, undefined)).toBe("DEPTH_ZERO_SELF_SIGNED_CERT")
  } finally {
    child.kill()
    await once(child, "close")
    await rm(folder, { recursive: true, force: true })
  }
})

it("an unknown module is answered with the names of the known ones", async () => {
  const child = start("shopify", {})
  let text = ""
  child.stderr.on("data", (bytes) => {
    text += String(bytes)
  })
  const [code] = await once(child, "close")
  expect(code).toBe(1)
  for (const { name } of Modules.all) expect(text).toContain(name)
})

it("no module that accepts neither port nor path gets an address with one", () => {
  const reach = { origin: "https://127.0.0.1", certificateFile: "/c", privateKeyFile: "/k" }
  const [shop] = Modules.all.filter(({ name }) => name === "woocommerce")
  expect(shop?.scheme).toBe("https")
  // The rule of the module's own settings.
  expect(shop?.settings(reach)["sandbox URL"]).toMatch(/^https?:\/\/(?:\w+(?:-\w+)*\.)+\w+\/$/)
})
