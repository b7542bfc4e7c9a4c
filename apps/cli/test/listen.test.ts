/** `pay listen`: callbacks of a real gateway, verified, shown, forwarded unchanged and remembered. */
import { hash } from "node:crypto"
import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { afterEach, assert, describe, it, layer } from "@effect/vitest"
import { Scheduler } from "@pay/gateway/Scheduler"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import { Effect } from "effect"
import { exchange, payListen } from "./ListenCommand.ts"
import { flags, merchant, pay, secrets } from "./Pay.ts"
import * as StubGateway from "./StubGateway.ts"
import * as TestFiles from "./TestFiles.ts"
import * as TestGateway from "./TestGateway.ts"

const folder = TestFiles.newFolder("listening")
const state = (name: string) => ({ PAY_STATE: join(folder, name) })
const historyOf = (name: string) => join(folder, name, "callbacks.jsonl")

const programs: Array<StubGateway.StubGateway> = []
afterEach(() => Promise.all(programs.splice(0).map((program) => program.close())))
/** A merchant's own program, which answers everything with 203. */
const own = async () => {
  const program = await StubGateway.start((response) => response.writeHead(203, { "X-Own": "yes" }).end("taken"))
  programs.push(program)
  return program
}

layer(TestGateway.layer, { excludeTestServices: true, timeout: 60_000 })("a gateway's callback to pay listen", (it) => {
  it.effect("is verified, shown, forwarded with its query and headers, and recorded without card data", () =>
    Effect.gen(function* () {
      const scheduler = yield* Scheduler
      const env = { ...(yield* TestGateway.merchant), ...state("real") }
      const program = yield* Effect.promise(own)
      const sell = (url: string) =>
        pay(
          [
            "call",
            "sale",
            ...flags({
              ...Sample.request(PayApi.operations.SALE),
              client_orderid: "heard",
              credit_card_number: secrets.cardNumber,
              cvv2: "123",
              server_callback_url: `${url}from-gateway?mine=secret`
            })
          ],
          { env }
        )
      const settle = (url: string) => sell(url).then(() => Effect.runPromise(scheduler.settled))
      const run = yield* Effect.promise(() => payListen([`--forward=${program.url}/hook`], env, 1, settle))
      assert.strictEqual(run.code, 0, run.err)
      assert.match(
        run.out,
        /^[\d:]{8} {2}sale approved heard \(\d+\) 10\.42 USD {2}forwarded: 203 in \d+ ms; the gateway tries again\n$/
      )
      const [arrival] = program.requests
      assert.match(arrival?.line ?? "", /^GET \/hook\?mine=secret&status=approved&.*&control=[0-9a-f]{40}$/)
      const names = arrival?.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()) ?? []
      assert.includeMembers(names, ["webhook-id", "webhook-timestamp", "webhook-signature"])
      const kept = readFileSync(historyOf("real"), "utf8")
      assert.strictEqual(statSync(historyOf("real")).mode & 0o777, 0o600)
      assert.notMatch(kept, /secret|1881|401288|control/)
      const shown = yield* Effect.promise(() => pay(["listen", "--history", "--json"], { env }))
      assert.deepInclude(JSON.parse(shown.out), { signature: "right", path: "/from-gateway", status: 203 })
    })
  )
})

const { controlKey } = secrets
const sha1 = (text: string): string => hash("sha1", text)
const query = (status: string, id = "1") =>
  `status=${status}&orderid=${id}&client_orderid=A&control=${sha1(`${status}${id}A${controlKey}`)}`
const env = (name: string) => ({ ...merchant, ...state(name) })

describe("pay listen", () => {
  it("answers callbacks itself without --forward", async () => {
    const answers: Array<number> = []
    const run = await payListen([], env("alone"), 2, async (url) => {
      answers.push((await fetch(`${url}a?${query("approved")}`)).status)
      answers.push((await fetch(`${url}a?${query("approved").replace("orderid=1", "orderid=2")}`)).status)
    })
    assert.deepStrictEqual(answers, [200, 400])
    assert.match(
      run.out,
      / {2}approved A \(1\) {2}answered 200\n.* GET \/a NOT SIGNED: control is wrong {2}answered 400\n$/
    )
  })

  it("forwards a post byte for byte, and returns the answer byte for byte", async () => {
    const program = await own()
    const body = `${query("approved")}&note=\u00ff%00+&x`
    const answers: Array<string> = []
    await payListen([`--forward=${program.url}`], env("bytes"), 1, async (url) => {
      const lines = [
        "POST /back HTTP/1.1",
        "Host: x",
        "X-Odd-Case: 1",
        "x-odd-case: 2",
        `Content-Length: ${Buffer.byteLength(body)}`
      ]
      answers.push(await exchange(url, lines, body))
    })
    const [arrival] = program.requests
    assert.deepStrictEqual([arrival?.line, arrival?.body], ["POST /back", Buffer.from(body).toString("latin1")])
    assert.deepStrictEqual(arrival?.rawHeaders.slice(2, 6), ["X-Odd-Case", "1", "x-odd-case", "2"])
    assert.match(answers[0] ?? "", /^HTTP\/1\.1 203 [\s\S]*X-Own: yes[\s\S]*taken/)
  })

  it("verifies a callback that was posted as JSON, by its signature over the whole body", async () => {
    const parameters = new URLSearchParams(`${query("approved")}&amount=10.42`)
    const body = JSON.stringify(Object.fromEntries(parameters))
    const message = { id: "1-1", timestampSeconds: Math.floor(Date.now() / 1000), content: body }
    const headers = { ...StandardWebhooks.sign(message, [StandardWebhooks.secret(controlKey)]) }
    const answers: Array<number> = []
    const run = await payListen([], env("json"), 3, async (url) => {
      for (const request of [{ headers, body }, { headers, body: body.replace("10.42", "99.42") }, { body }])
        answers.push((await fetch(`${url}a`, { method: "POST", ...request })).status)
    })
    assert.deepStrictEqual(answers, [200, 400, 400])
    assert.match(run.out, /approved A \(1\) 10.42 {2}answered 200\n.* NOT SIGNED: webhook-signature is wrong/)
  })

  it("reports a failed forward, and answers so that the gateway retries", async () => {
    const answers: Array<number> = []
    const run = await payListen(["--forward=http://127.0.0.1:1/"], env("nobody"), 1, async (url) => {
      answers.push((await fetch(`${url}?${query("approved")}`)).status)
    })
    assert.deepStrictEqual(answers, [502])
    assert.include(run.out, "not forwarded: ECONNREFUSED; answered 502")
  })

  it("records no possible card number, and refuses an oversized body", async () => {
    const answers: Array<number> = []
    const number = "4444333322221111"
    const signed = `status=approved&orderid=1&client_orderid=${number}&control=${sha1(`approved1${number}${controlKey}`)}`
    const { out } = await payListen([], env("masked"), 1, async (url) => {
      const body = "a=".padEnd(300_000, "x")
      answers.push(
        (await fetch(url, { method: "POST", body })).status,
        (await fetch(`${url}${number}?${signed}`)).status
      )
    })
    assert.deepStrictEqual(answers, [413, 200])
    assert.include(out, "approved [number] (1)")
    assert.notInclude(readFileSync(historyOf("masked"), "utf8"), number)
  })

  it("recognizes repeats after a restart, and keeps the last 500 callbacks", async () => {
    const file = historyOf("again")
    const id = { id: "msg_1", timestampSeconds: Math.floor(Date.now() / 1000), content: query("approved") }
    const headers = { ...StandardWebhooks.sign(id, [StandardWebhooks.secret(controlKey)]) }
    const send = (url: string) => fetch(`${url}?${query("approved")}`, { headers })
    assert.notInclude((await payListen([], env("again"), 1, send)).out, "again")
    assert.include((await payListen([], env("again"), 1, send)).out, "approved A (1) again")
    const [first = ""] = readFileSync(file, "utf8").split("\n")
    writeFileSync(file, `${first}\n`.repeat(1001))
    appendFileSync(file, "{cut off")
    await payListen([], env("again"), 0, async () => undefined)
    const { out } = await pay(["listen", "--history"], { env: env("again") })
    assert.strictEqual(out.trimEnd().split("\n").length, 500)
  })

  it("prints JSON for programs", async () => {
    const lines: Array<string> = []
    const sent: Array<Promise<Response>> = []
    const run = await pay(["listen", "--port=0", "--json"], {
      env: env("json"),
      onOutput: (out, kill) => {
        lines.splice(0, lines.length, ...out.trimEnd().split("\n"))
        if (lines.length === 1) sent.push(fetch(`${JSON.parse(lines[0] ?? "").url}?${query("declined")}`))
        else kill("SIGTERM")
      }
    })
    assert.deepStrictEqual([run.code, (await sent[0])?.status], [0, 200])
    const { at: _, ...entry } = JSON.parse(lines[1] ?? "")
    assert.deepStrictEqual(entry, {
      method: "GET",
      path: "/",
      signature: "right",
      problem: "",
      callback: { status: "declined", orderid: "1", client_orderid: "A" },
      webhookId: null,
      isRepeat: false,
      forwarded: null,
      status: 200
    })
  })

  it("reports that its port is in use", async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve))
    const address = taken.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const run = await pay(["listen", `--port=${port}`], { env: env("taken") })
    taken.close()
    assert.deepStrictEqual([run.code, run.out], [2, ""])
    assert.include(run.err, "--host and --port cannot be listened on (EADDRINUSE): give another port")
  })

  it.each([
    ["an operand", ["x"], "pay listen takes flags only"],
    ["an invalid port", ["--port=x"], "--port must be a whole number from 0 to 65535"],
    ["an invalid address to forward to", ["--forward=3000"], "--forward is an address without query"],
    ["an address to forward to with a query", ["--forward=http://127.0.0.1/?a=b"], "belongs into server_callback_url"],
    [
      "a history that cannot be written",
      [`--history-file=${join(import.meta.filename, "x")}`],
      "give another file with --history-file"
    ]
  ])("refuses %s", async (_, args, says) => {
    const run = await pay(["listen", ...args], { env: env("refused") })
    assert.deepStrictEqual([run.code, run.out], [2, ""])
    assert.include(run.err, says)
  })

  it("requires the control key", async () => {
    const run = await pay(["listen"], { env: { ...env("keyless"), PAY_CONTROL_KEY: "" } })
    assert.strictEqual(run.code, 2)
    assert.include(run.err, "Set PAY_CONTROL_KEY")
  })
})
