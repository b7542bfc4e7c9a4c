/** `pay conformance`: what it takes, what it refuses, and its reports, at a real sandbox. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, expect, it } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as Sandbox from "@pay/server/Sandbox"
import { Context, Effect, Layer } from "effect"
import { serve } from "../../../packages/schema/test/Loopback.ts"
import { temporaryFolder } from "../../../packages/sqlite/test/TemporaryFolder.ts"
import { type Kill, pay } from "./Pay.ts"
import { fast } from "./QuickClock.ts"
import * as TestFiles from "./TestFiles.ts"

const folder = TestFiles.newFolder("conformance")

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const example = async () => JSON.parse((await pay(["conformance", "--example"])).out)
const local = "--base-url=http://127.0.0.1:1"

describe("pay conformance", () => {
  it("lists the checks with their clauses", async () => {
    const { code, out } = await pay(["conformance", "--list", "--only=states,limit"])
    expect(code).toBe(0)
    expect(out).toContain("states/void\n    a void releases the hold")
    expect(out).toContain("docs/specification.md#transactions")
    expect(out).not.toContain("threeds/")
    const listed = JSON.parse((await pay(["conformance", "--list", "--json"])).out)
    expect(listed.checks.length).toBeGreaterThan(600)
  })

  it("prints the JSON Schema of its settings file", async () => {
    const { out } = await pay(["conformance", "--schema"])
    expect(JSON.parse(out)).toHaveProperty("schema")
  })

  it.live("reports as text, JSON, JUnit and HTML", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* temporaryFolder
      const context = yield* Layer.build(Sandbox.layer({ dataDirectory, port: 0, logLevel: "error" }))
      const { publicBaseUrl } = Context.get(context, NodeServer)
      const { privateKey, ...rest } = yield* Effect.promise(example)
      file("merchant.pem", privateKey)
      const settings = file("sandbox.json", JSON.stringify({ ...rest, privateKeyFile: "merchant.pem" }))
      const [junit, html] = [join(folder, "report.xml"), join(folder, "report.html")]
      const args = [
        "conformance",
        `--base-url=${publicBaseUrl}/`,
        `--file=${settings}`,
        "--only=limit,merchants,acceptance/v4"
      ]
      const text = yield* Effect.promise(() => pay([...args, `--junit=${junit}`, `--html=${html}`]))
      assert.strictEqual(text.code, 0, text.err + text.out)
      assert.include(text.out, "0 failed, 0 not checked")
      assert.include(readFileSync(junit, "utf8"), 'name="limit/group"')
      assert.include(readFileSync(html, "utf8"), "<h1>Conformance</h1>")
      const elsewhere = ["conformance", `--base-url=${publicBaseUrl}/elsewhere`, `--file=${settings}`]
      const { code, err } = yield* Effect.promise(() => pay(elsewhere))
      assert.deepStrictEqual([code, err.includes("has no operation of this protocol (HTTP 404)")], [3, true], err)
      const json = yield* Effect.promise(() => pay([...args, "--json", "--concurrency=2"]))
      assert.strictEqual(JSON.parse(json.out).outcome, "conforms")
    })
  )

  it.live("ends with exit code 1 if a check fails", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* temporaryFolder
      const context = yield* Layer.build(Sandbox.layer({ dataDirectory, port: 0, logLevel: "error" }))
      const { publicBaseUrl } = Context.get(context, NodeServer)
      const settings = { ...(yield* Effect.promise(example)), limited: { endpoint: "1001", above: "1.00" } }
      const path = file("limit.json", JSON.stringify(settings))
      const args = ["conformance", `--base-url=${publicBaseUrl}`, `--file=${path}`, "--only=limit/filtered"]
      const { code, out } = yield* Effect.promise(() => pay(args))
      assert.strictEqual(code, 1)
      assert.include(out, "FAILED  limit/filtered")
      assert.include(out, 'the status is "approved", expected "filtered"')
    })
  )

  it.live("uses the path prefix of the gateway's profile", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* temporaryFolder
      const settings = { publicBaseUrl: "http://localhost/paynet" }
      const context = yield* Layer.build(Sandbox.layer({ dataDirectory, port: 0, logLevel: "error", settings }))
      const { host, port } = Context.get(context, NodeServer)
      const path = file("prefix.json", JSON.stringify({ ...(yield* Effect.promise(example)), dialect: "json" }))
      for (const prefix of ["", "/paynet/"]) {
        const args = [
          "conformance",
          `--base-url=http://${host}:${port}${prefix}`,
          `--file=${path}`,
          "--only=limit/group"
        ]
        const { code, out } = yield* Effect.promise(() => pay(args, { env: { PAY_GATEWAY_PROFILE: "paynet" } }))
        assert.strictEqual(code, 0, out)
        assert.include(out, `Gateway: http://${host}:${port}/paynet\n`)
      }
    })
  )

  it.live("uses the dialect of the gateway's profile, unless the file names one", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* temporaryFolder
      const layer = Sandbox.layer({ dataDirectory, port: 0, logLevel: "error" })
      const { publicBaseUrl } = Context.get(yield* Layer.build(layer), NodeServer)
      const { controlKey, endpoints, login } = Sandbox.olderMerchant
      const own = { ...(yield* Effect.promise(example)), login, controlKey, endpoint: endpoints.usd }
      const run = (settings: object) => {
        const path = file("dialect.json", JSON.stringify(settings))
        const args = [
          "conformance",
          `--base-url=${publicBaseUrl}`,
          `--file=${path}`,
          "--only=acceptance/sale,rules/sale",
          "--json"
        ]
        return Effect.promise(() => pay(args, { env: { PAY_GATEWAY_PROFILE: "pairs" } }))
      }
      assert.strictEqual((yield* run(own)).code, 0)
      const { endpoint } = yield* Effect.promise(example)
      const jsonOnly = { ...(yield* Effect.promise(example)), endpoint }
      const { code, out } = yield* run(jsonOnly)
      assert.strictEqual(code, 1)
      assert.include(out, "Header Accept must be application/vnd.pay+json")
      assert.strictEqual((yield* run({ ...jsonOnly, dialect: "json" })).code, 0)
    })
  )

  const ends: ReadonlyArray<readonly [what: string, flags: ReadonlyArray<string>, says: string]> = [
    ["a signal", [], "UNFINISHED: it was stopped; "],
    ["its limit", ["--run-limit=1"], "UNFINISHED: the limit of 1 s for the run is reached; "]
  ]
  it.live.each(ends)("leaves its reports after %s", ([, flags, says]) =>
    Effect.gen(function* () {
      let stop: (() => void) | undefined
      const port = yield* serve((request, response) => {
        request.resume()
        if (request.url?.includes("/sale/") === true) stop?.()
        else response.writeHead(400, { "content-type": "application/vnd.pay+json" }).end('{"type":"validation-error"}')
      })
      const path = file("silent.json", JSON.stringify(yield* Effect.promise(example)))
      const [junit, html] = [join(folder, "silent.xml"), join(folder, "silent.html")]
      const base = `--base-url=http://127.0.0.1:${port}`
      const args = ["conformance", base, `--file=${path}`, "--only=acceptance/sale", ...flags]
      const onStart = (kill: Kill) => {
        if (flags.length === 0) stop = () => kill("SIGINT")
      }
      const { code, out } = yield* Effect.promise(() =>
        pay([...args, `--junit=${junit}`, `--html=${html}`], { onStart })
      )
      assert.strictEqual(code, 4)
      for (const report of [out, readFileSync(junit, "utf8"), readFileSync(html, "utf8")]) assert.include(report, says)
    })
  )

  it.live("says where no line can change how far it is, and what it waits for", () =>
    Effect.gen(function* () {
      const port = yield* serve((request, response) => {
        request.resume()
        if (request.url?.includes("/sale/") !== true)
          response.writeHead(400, { "content-type": "application/vnd.pay+json" }).end('{"type":"validation-error"}')
      })
      const path = file("slow.json", JSON.stringify(yield* Effect.promise(example)))
      const base = `--base-url=http://127.0.0.1:${port}`
      const args = [
        "conformance",
        base,
        `--file=${path}`,
        "--only=acceptance/sale",
        "--time-limit=30",
        "--run-limit=60"
      ]
      const { err } = yield* Effect.promise(() => pay(args, { clock: fast }))
      assert.match(err, /finding the operations of the gateway: 3\d of 3\d, after \d+ s/)
      assert.match(err, /\d of \d checks, \d failed, after \d+ s {2}acceptance\/sale.*: no answer yet to POST/)
    })
  )

  it("reports that the gateway is not reachable", async () => {
    const path = file("example.json", JSON.stringify(await example()))
    const { code, err } = await pay(["conformance", local, `--file=${path}`])
    expect([code, err]).toEqual([
      3,
      expect.stringContaining("is not reachable: no answer: nothing listens at the address (ECONNREFUSED)")
    ])
  })

  it("refuses a report file that cannot be written before it sends anything", async () => {
    const path = file("report-example.json", JSON.stringify(await example()))
    const { code, err } = await pay(["conformance", local, `--file=${path}`, "--junit=/nowhere/report.xml"])
    expect([code, err]).toEqual([2, expect.stringContaining("--junit names a file that cannot be written")])
  })

  it("names the private key's file if it cannot be read", async () => {
    const { privateKey: _, ...rest } = await example()
    const path = file("no-key.json", JSON.stringify({ ...rest, privateKeyFile: "nowhere.pem" }))
    const { code, err } = await pay(["conformance", local, `--file=${path}`])
    expect([code, err]).toEqual([2, expect.stringContaining('"privateKeyFile" of --file names a file')])
  })

  it.each([
    ["no file", [local], "Give --file FILE"],
    ["another machine", ["--base-url=https://gateway.example", "--file=x"], "Give --allow-charges"],
    ["an invalid address", ["--base-url=gateway"], "--base-url is an address"],
    ["a missing file", [local, "--file=/nowhere"], "--file names a file that cannot be read"],
    ["an unknown check", ["--list", "--only=nothing"], "no check starts with nothing"],
    ["a time limit of zero", [local, "--time-limit=0"], "--time-limit is a whole number"],
    ["an operand", ["everything"], "takes flags only"]
  ])("refuses %s", async (_, args, says) => {
    const { code, err } = await pay(["conformance", ...args])
    expect([code, err]).toEqual([2, expect.stringContaining(says)])
  })

  it.each([
    ["is not complete", { login: "x" }, "controlKey: Missing key"],
    ["has an invalid key", { privateKey: "SECRET" }, "is not an RSA key"]
  ])("refuses a file that %s, and prints none of its values", async (_, changes, says) => {
    const whole = "login" in changes ? changes : { ...(await example()), ...changes }
    const path = file("wrong.json", JSON.stringify(whole))
    const { code, err } = await pay(["conformance", local, `--file=${path}`])
    expect([code, err]).toEqual([2, expect.stringContaining(says)])
    expect(err).not.toContain("SECRET")
  })
})
