/** `pay crashtest`: at a real shop, with its reports, and ended by signals. */
import { execFileSync } from "node:child_process"
import { appendFileSync, existsSync, mkdirSync, readFileSync, watch, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { pay, spawned } from "./Pay.ts"
import * as TestFiles from "./TestFiles.ts"

const folder = TestFiles.newFolder("crashtest")
const shop = join(import.meta.dirname, "shops/careless.mjs")

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const template = file(
  "crashtest.json",
  JSON.stringify({
    url: "http://127.0.0.1:{port}",
    patience: "1 second",
    buy: {
      request: "POST /orders/{order}",
      body: { amount: "{amount}", card: "{card}", cvv2: "{cvv2}" },
      paid: { json: "state", is: "paid" },
      failed: { json: "state", is: "failed" }
    },
    ask: { request: "GET /orders/{order}", paid: { json: "state", is: "paid" } }
  })
)

const utf16 = join(folder, "utf16.json")
const windows = readFileSync(template, "utf8").replaceAll(",", ",\r\n")
writeFileSync(utf16, Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(windows, "utf16le")]))

const command = ["--", process.execPath, shop]
const lostAnswer = ["crashtest", "--template", template, "--kinds=lostAnswer", "--payments=1", "--seed=7"]

describe("pay crashtest", () => {
  it("finds that a careless shop charges twice after a lost answer, and says how to repeat it", async () => {
    const path = join(folder, "report.html")
    const { code, err, out } = await pay([...lostAnswer, "--report=html", `--out=${path}`, ...command])
    expect([code, err]).toEqual([1, expect.stringContaining("crash test with seed 7\n")])
    expect(out).toContain(" 1 payment, 1 failure, 1 kind\n   1 customer charged twice  a lost answer to sale\n")
    expect(out).toMatch(/^ replay one: pay crashtest --seed 7 --case \d+ --template \S+ -- .+careless\.mjs'?$/m)
    expect(out).toContain(` report: ${path}\n`)
    expect(readFileSync(path, "utf8")).toContain('<h2 id="chargedTwice">1 customer charged twice</h2>')

    const [, number = ""] = /--case (\d+)/.exec(out) ?? []
    const again = await pay(["crashtest", "--template", template, "--seed=7", `--case=${number}`, ...command])
    expect(again.code).toBe(1)
    expect(again.out).toContain(
      ` case ${number} (buy): customer charged twice\n   a lost answer to sale, request 1 (sale)\n`
    )
    expect(again.out).toMatch(/^ \* +\d+ ms {2}crash test {2}The gateway executes the request, and/m)
    expect(again.out).toContain("\n How such shops are mended: Store the order")
  })

  it("prints the report for build servers instead of the summary, and ends with 0 without a finding", async () => {
    const args = ["crashtest", "--template", template, "--kinds=declined", "--payments=1", "--report=junit", "--out=-"]
    const { code, err, out } = await pay([...args, ...command])
    expect([code, out.split("\n")[0]], err).toEqual([0, '<?xml version="1.0" encoding="UTF-8"?>'])
    expect(out).toContain('<testcase classname="crashtest.bank" name="declined"/>')
  })

  it("shows what it found also if the report cannot be written any more", async () => {
    const gone = join(folder, "gone")
    mkdirSync(gone)
    const starts =
      "import { rmSync } from 'node:fs'; rmSync(process.argv[1], { recursive: true }); await import(process.argv[2])"
    const own = ["--", process.execPath, "--input-type=module", "-e", starts, gone, shop]
    const { code, err, out } = await pay([...lostAnswer, "--report=json", `--out=${join(gone, "x.json")}`, ...own])
    expect([code, out]).toEqual([2, expect.stringContaining("   1 customer charged twice  a lost answer to sale\n")])
    expect(err).toContain("--out names a file that cannot be written")
  })

  it("lists the faults, and prints a template that it accepts", async () => {
    const { code, out } = await pay(["crashtest", "--list"])
    expect([code, out]).toEqual([0, expect.stringMatching(/^lostAnswer +The gateway executes the request, and/m)])
    const listed = JSON.parse((await pay(["crashtest", "--list", "--json"])).out)
    expect(listed.faults[0]).toMatchObject({ name: "refused" })
    const example = file("example.json", (await pay(["crashtest", "--example"])).out)
    const nowhere = ["crashtest", "--template", example, "--url=http://127.0.0.1:1/x", "--", process.execPath]
    expect((await pay(nowhere)).err).toContain("url: write it without a path")
  })
})

describe("pay crashtest refuses", () => {
  const unwritten = join(folder, "unwritten.html")
  const shopless = ["--", process.execPath, "-e", "console.log('no database'); process.exitCode = 3"]
  it.each([
    ["a folder without a template", [...command], "This folder has no crashtest.json"],
    ["it in words, also if the shop has a flag --json", [...command, "--json"], "This folder has no crashtest.json"],
    [
      "a template that is not there",
      ["--template=/nowhere", ...command],
      "--template names a file that cannot be read: ENOENT"
    ],
    [
      "a template of another machine",
      ["--template", template, "--url=http://shop.example", ...command],
      "calls only this one"
    ],
    [
      "the same in UTF-16 with Windows line ends, as PowerShell writes it",
      ["--template", utf16, "--url=http://shop.example", ...command],
      "calls only this one"
    ],
    [
      "a variable that stands for nothing",
      ["--template", template, "--env=A={urn}", ...command],
      "--env cannot be used"
    ],
    ["a shop that ends", ["--template", template, "--report=html", `--out=${unwritten}`, ...shopless], "no database"],
    ["an unknown format", ["--template", template, "--report=pdf", ...command], "--report is html, json or junit"],
    ["a file without a format", ["--template", template, "--out=x", ...command], "--out needs --report"],
    [
      "a report that cannot be written, before anything starts",
      ["--template", template, "--report=json", "--out=/nowhere/x", ...command],
      "--out names a file that cannot be written"
    ]
  ])("%s", async (_, args, says) => {
    const { code, err } = await pay(["crashtest", ...args])
    expect([code, err]).toEqual([2, expect.stringContaining(says)])
    // Only a shop that was started can fail later.
    expect(err.includes("crash test with seed")).toBe(says === "no database")
    expect(existsSync(unwritten)).toBe(false)
  })
})

/** The processes of the machine that run this script. */
const running = (script: string): ReadonlyArray<string> =>
  execFileSync("ps", ["-eo", "pid,args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(script) && !line.includes("main.js"))

describe("pay crashtest that is stopped", () => {
  /** A copy of the shop, so that its processes can be told from those of other tests. */
  const own = (name: string): string => file(name, readFileSync(shop, "utf8"))

  it("gives the report so far at the first signal, and leaves no shop", async () => {
    const script = own("stopped.mjs")
    const mark = "ordered"
    appendFileSync(script, `\nserver.once("request", () => open(${JSON.stringify(join(folder, mark))}, "w"))\n`)
    appendFileSync(script, 'import { open } from "node:fs/promises"\n')
    const args = ["crashtest", "--template", template, "--payments=100000", "--kinds=declined"]
    const watching = new AbortController()
    const { code, err, out } = await spawned([...args, "--", process.execPath, script], {
      onStart: (kill) => {
        watch(folder, { signal: watching.signal }, (_, name) => {
          if (name !== mark) return
          watching.abort()
          kill("SIGINT")
        })
      }
    })
    expect([code, err]).toEqual([130, expect.stringContaining("The report so far follows. Ctrl-C again ends at once.")])
    expect(out).toMatch(/^ \d+ payments?, \d+ failures?, /)
    expect(out).toContain("\n ended early: ")
    expect(running(script)).toEqual([])
  })

  it("ends at once at the second signal, and leaves no shop", async () => {
    const script = own("killed.mjs")
    let sent = 0
    const args = ["crashtest", "--template", template, "--payments=100000"]
    const { code, out } = await spawned([...args, "--", process.execPath, script], {
      onError: (text, kill) => {
        if (sent === 0 && text.includes("starting")) {
          sent = 1
          kill("SIGTERM")
        } else if (sent === 1 && text.includes("The report so far")) {
          sent = 2
          kill("SIGTERM")
        }
      }
    })
    expect([code, out]).toEqual([130, ""])
    expect(running(script)).toEqual([])
    expect(existsSync(script)).toBe(true)
  })
})
