/** `npm start` as a process: its screen, its addresses, and a second start on the same folder. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Effect } from "effect"
import { expect, it } from "vitest"
import * as ShopVisit from "../src/ShopVisit.ts"

const start = (folder: string, args: ReadonlyArray<string> = [], environment: NodeJS.ProcessEnv = {}) =>
  spawn(process.execPath, ["scripts/bootstrap.mjs", "start", ...args], {
    cwd: join(import.meta.dirname, "../../.."),
    env: { ...process.env, PAY_DATA: folder, PAY_PORT: "0", SHOP_PORT: "0", ...environment },
    stdio: ["ignore", "pipe", "inherit"]
  })

/** Returns the lines that the process prints, up to the line that contains `last`, or all. */
const linesUntil = async ({ stdout }: ChildProcess, last?: string) => {
  const lines: Array<string> = []
  if (stdout === null) return lines
  for await (const line of createInterface(stdout)) {
    lines.push(line.trim())
    if (last !== undefined && line.includes(last)) break
  }
  return lines.filter((line) => line !== "")
}

/** Orders a product with payment on the gateway's page, and does not pay. */
const orderWithoutPayment = async (shop: string) => {
  const details = { email: "ada@customer.example", phone: "+442079460000", address1: "12 St Jamess Square" }
  const form = { ...details, city: "London", zipCode: "SW1Y 4JH", country: "GB", way: "hosted" }
  expect(await Effect.runPromise(ShopVisit.make(shop).post("/buy/can", form))).toMatch("/order/")
}

/** Reads the number of milliseconds by which the sandbox's clock is ahead. */
const clockOf = (folder: string) => readFile(join(folder, "clock.json"), "utf8")

const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return String(typeof address === "object" ? address?.port : 0)
}

const expectOneScreen = async (lines: ReadonlyArray<string>, folder: string): Promise<string> => {
  expect(lines.length).toBeLessThanOrEqual(24)
  expect(lines.filter((line) => line.length > 78 && !line.includes(folder))).toEqual([])
  for (const word of ["shop", "office", "card page", "gateway", "docs", "card", "clock"])
    expect(lines.some((line) => line.startsWith(`${word} `))).toBe(true)
  const addresses = lines.flatMap((line) => /https?:[^\s,]+/.exec(line) ?? [])
  const pages = await Promise.all(addresses.map((address) => fetch(address).then(({ status }) => status)))
  // The back office asks for its password, and the gateway's own address is for browsers.
  expect(pages.slice(0, 3)).toEqual([200, 401, 200])
  return addresses[0] ?? ""
}

/** The API has the path of the public address; the sandbox's clock has none. */
const expectPath = async (address: string, folder: string): Promise<void> => {
  const body = new URLSearchParams({ login: "sandbox-older", client_orderid: "1", control: "1" })
  const answer = await fetch(`${address}/paynet/api/v2/status/4001`, { method: "POST", body })
  expect(await answer.text()).toMatch(/^type=validation-error\n/)
  const variables = await readFile(join(folder, "pay.env"), "utf8")
  expect(variables).toContain(`PAY_BASE_URL=${address}/paynet\n`)
  expect(variables).toContain(`PAY_OPERATOR_URL=http://127.0.0.1:${Number(new URL(address).port) + 1}\n`)
  expect((await fetch(`${address}/sandbox/clock/advance?by=1s`, { method: "POST" })).status).toBe(200)
}

/** One start serves all assertions: a start takes seconds of processor time. */
it("npm start prints one screen, serves the path of PAY_PUBLIC_BASE_URL, and starts again with an open payment", async () => {
  const folder = await mkdtemp(join(tmpdir(), "pay demo "))
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const first = start(folder, [], { PAY_PORT: port, PAY_PUBLIC_BASE_URL: `${address}/paynet/` })
  try {
    const shop = await expectOneScreen(await linesUntil(first, "--verbose"), folder)
    await expectPath(address, folder)
    await orderWithoutPayment(shop)
    first.kill()
    await once(first, "exit")
    const clock = await clockOf(folder)
    const again = await linesUntil(start(folder, ["--once"]))
    expect(again.filter((line) => line === "All outcomes are as expected.")).toHaveLength(1)
    expect(again.at(-1)).toMatch(/ 0 differences\.$/)
    expect(await clockOf(folder)).toBe(clock)
  } finally {
    first.kill()
    await rm(folder, { recursive: true, force: true })
  }
}, 240_000)
