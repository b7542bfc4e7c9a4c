/** `npm start`, the first thing that is tried here: everything comes to what it should, also on what was left unfinished. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Effect } from "effect"
import { expect, test } from "vitest"
import * as ShopVisit from "../src/ShopVisit.ts"

const started = (folder: string, ...args: ReadonlyArray<string>) =>
  spawn(process.execPath, ["scripts/bootstrap.mjs", "start", ...args], {
    cwd: join(import.meta.dirname, "../../.."),
    env: { ...process.env, PAY_DATA: folder, PAY_PORT: "0", SHOP_PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"]
  })

/** What it says, up to this line or its end. */
const saysUntil = async ({ stdout }: ChildProcess, last?: string) => {
  const lines: Array<string> = []
  if (stdout === null) return lines
  for await (const line of createInterface(stdout)) {
    lines.push(line.trim())
    if (last !== undefined && line.includes(last)) break
  }
  return lines.filter((line) => line !== "")
}

/** Somebody chooses to pay on the gateway's page, and goes away. */
const leaves = async (shop: string) => {
  const details = { email: "ada@customer.example", phone: "+442079460000", address1: "12 St Jamess Square" }
  const form = { ...details, city: "London", zipCode: "SW1Y 4JH", country: "GB", way: "hosted" }
  expect(await Effect.runPromise(ShopVisit.make(shop).post("/buy/can", form))).toMatch("/order/")
}

test("npm start, and again on its folder while a payment is open", async () => {
  const folder = await mkdtemp(join(tmpdir(), "pay demo "))
  const first = started(folder)
  try {
    const lines = await saysUntil(first, "back office:")
    expect(lines).toContain("Everything came to what it should.")
    await leaves(/http:\S+/.exec(lines.at(-1) ?? "")?.[0] ?? "")
    first.kill()
    await once(first, "exit")
    expect((await saysUntil(started(folder, "--once"))).at(-1)).toBe("Everything came to what it should.")
  } finally {
    first.kill()
    await rm(folder, { recursive: true, force: true })
  }
}, 120_000)
