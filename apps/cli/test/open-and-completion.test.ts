/** `pay open` and `pay completion`. */
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "@effect/vitest"
import { commands } from "../src/Commands.ts"
import { merchant, pay, source } from "./Pay.ts"
import * as StubGateway from "./StubGateway.ts"

const opened: Array<StubGateway.StubGateway> = []
afterEach(async () => {
  for (const gateway of opened.splice(0)) await gateway.close()
})

const answering = async (fields: object) => {
  const order = { "serial-number": "00000000-0000-0000-0000-000000000001", "paynet-order-id": "17" }
  const body = { type: "status-response", ...order, "merchant-order-id": "A1", ...fields }
  const gateway = await StubGateway.start(StubGateway.json(200, body))
  opened.push(gateway)
  return { ...merchant, PAY_BASE_URL: gateway.url }
}

describe("pay open", () => {
  it("finds a page of the documentation", async () => {
    const { code, out } = await pay(["open", "docs", "merchants/flows/card-sale"])
    expect([code, existsSync(out.trim())]).toEqual([0, true])
    const elsewhere = await pay(["open", "docs"], { env: { PAY_DOCS_URL: "https://docs.example/pay/" } })
    expect(elsewhere.out).toBe("https://docs.example/pay/merchants/cli.md\n")
  })
  it("opens the shop", async () => {
    expect((await pay(["open", "shop"])).out).toBe("http://127.0.0.1:8090/\n")
    expect((await pay(["open", "shop", "--shop-url=http://shop.example"])).out).toBe("http://shop.example\n")
  })
  it("opens the page that an order waits for", async () => {
    const env = await answering({ status: "processing", "redirect-to": "https://gateway.example/3ds/5f0c9c1e" })
    expect((await pay(["open", "A1"], { env })).out).toBe("https://gateway.example/3ds/5f0c9c1e\n")
  })
  it("reports that the order waits for no page", async () => {
    const { code, err } = await pay(["open", "A1"], { env: await answering({ status: "approved" }) })
    expect([code, err]).toEqual([1, expect.stringContaining("it is approved. pay why A1 says")])
  })
  it.each([
    ["nothing", [], "Say what to open"],
    ["two orders", ["A1", "A2"], "Say what to open"],
    ["a page outside the documentation", ["docs", "../x"], "The name of a page"],
    ["a missing page", ["docs", "nowhere"], "There is no page of this name"],
    ["an invalid address of the shop", ["shop", "--shop-url=x"], "--shop-url (PAY_SHOP_URL) is an address"]
  ])("refuses %s", async (_, args, says) => {
    const run = await pay(["open", ...args], { env: merchant })
    expect([run.code, run.out]).toEqual([2, ""])
    expect(run.err).toContain(says)
  })
})

const suggested = async (...line: ReadonlyArray<string>) => {
  const { code, out } = await pay(["completion", "suggest", "--", ...line])
  expect(code).toBe(0)
  return out.split("\n").flatMap((row) => (row === "" ? [] : [row.split("\t")[0]]))
}

describe("pay completion", () => {
  it.each([
    ["a command", ["sta"], ["status"]],
    ["an operation", ["call", "capt"], ["capture"]],
    ["a field of the operation", ["call", "capture", "--amo"], ["--amount"]],
    ["a field after another", ["sign", "capture", "--amount", "1", "--curr"], ["--currency"]],
    ["a flag", ["status", "--wat"], ["--watch"]],
    ["a verb", ["gateway", ""], ["start"]],
    [
      "verbs of an operator's command",
      ["orders", ""],
      ["search", "show", "unknown", "inquire", "refund", "void", "resolve", "confirm", "withdraw"]
    ],
    ["a flow", ["flow", "s"], ["sale", "subscribe"]],
    ["a callback", ["verify", "callb"], ["callback"]],
    ["a shell", ["completion", "z"], ["zsh"]],
    ["nothing for a value", ["call", "capture", "--amount", ""], []],
    ["nothing after an unknown command", ["slae", ""], []]
  ])("suggests %s", async (_, line, words) => expect(await suggested(...line)).toEqual(words))

  it("suggests every command with its summary", async () => {
    expect(await suggested("")).toEqual(Object.keys(commands))
    const { out } = await pay(["completion", "suggest", "--", "stat"])
    expect(out).toBe(`status\t${commands.status.summary}\n`)
  })

  it("completes in bash", async () => {
    const { out: script } = await pay(["completion", "bash"])
    const test = `pay() { "${process.execPath}" "${source}" "$@"; }
${script}
COMP_WORDS=(pay call capt); COMP_CWORD=2; _pay; printf '%s\\n' "\${COMPREPLY[@]}"`
    const words = execFileSync("bash", ["-c", test], { encoding: "utf8", cwd: join(source, "..") })
    expect(words).toBe("capture\n")
  })

  it.each([["zsh"], ["fish"]])("writes a script for %s", async (shell) => {
    const { code, out } = await pay(["completion", shell])
    expect([code, out]).toEqual([0, expect.stringContaining("pay completion suggest --")])
  })

  it.each([[[]], [["powershell"]], [["bash", "zsh"]]])("refuses %j", async (args) => {
    const run = await pay(["completion", ...args])
    expect([run.code, run.err]).toEqual([2, expect.stringContaining("Name the shell: bash, zsh or fish")])
  })
})
