import { execFileSync } from "node:child_process"
import { afterEach, describe, expect, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { flags, merchant, pay, secrets } from "./Pay.ts"
import { quick } from "./QuickClock.ts"
import * as StubGateway from "./StubGateway.ts"

const opened: Array<StubGateway.StubGateway> = []
afterEach(async () => {
  for (const gateway of opened.splice(0)) await gateway.close()
})

const serving = async (reply: StubGateway.Reply) => {
  const gateway = await StubGateway.start(reply)
  opened.push(gateway)
  return { gateway, env: { ...merchant, PAY_BASE_URL: gateway.url } }
}

const order = {
  "serial-number": "00000000-0000-0000-0000-000000000001",
  "merchant-order-id": "A1",
  "paynet-order-id": "17"
}
const accepted = StubGateway.json(200, { type: "async-response", ...order, "end-point-id": "1111" })
const status = (word: string) => StubGateway.json(200, { type: "status-response", ...order, status: word })
const refusal = (more: object = {}) => ({
  type: "validation-error",
  "serial-number": order["serial-number"],
  "error-code": "1",
  "error-message": "Parameter email is required",
  ...more
})

const sale = {
  ...Sample.request(PayApi.operations.SALE),
  client_orderid: "A1",
  credit_card_number: secrets.cardNumber,
  cvv2: secrets.cvv
}
const capture = ["call", "capture", "--client_orderid", "A1", "--orderid", "17"]

describe("pay call", () => {
  it("sends the signed form and prints the answer and what to do next", async () => {
    const { env, gateway } = await serving(accepted)
    const run = await pay(["call", "sale", ...flags(sale)], { env })
    expect([run.code, run.err]).toEqual([0, ""])
    expect(run.out).toContain("paynet-order-id    17")
    expect(run.out).toContain("pay status A1 --orderid 17 --watch")
    const [request] = gateway.requests
    expect(request?.path).toBe("/api/v2/sale/1111")
    expect(request?.form.get("credit_card_number")).toBe(secrets.cardNumber)
    expect(request?.form.get("control")).toMatch(/^[0-9a-f]{40}$/)
    expect(request?.idempotencyKey).toBeUndefined()
  })

  it("reads card data from standard input", async () => {
    const { env, gateway } = await serving(accepted)
    const input = new URLSearchParams(sale).toString()
    const run = await pay(["call", "sale", "--form", "-", "--amount", "99"], { env, input })
    expect(run.code).toBe(0)
    expect(gateway.requests[0]?.form.get("credit_card_number")).toBe(secrets.cardNumber)
    expect(gateway.requests[0]?.form.get("amount")).toBe("99")
  })

  it("sends an idempotency key with an operation on an order: a new one or the given one", async () => {
    const { env, gateway } = await serving(accepted)
    await pay(capture, { env })
    await pay([...capture, "--idempotency-key", "k-1"], { env })
    expect(gateway.requests.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      "k-1"
    ])
  })

  it("prints JSON for programs", async () => {
    const { env } = await serving(accepted)
    const { out } = await pay([...capture, "--json", "--idempotency-key", "k-1"], { env })
    expect(JSON.parse(out)).toEqual({
      outcome: "answered",
      operation: "CAPTURE",
      idempotencyKey: "k-1",
      answer: { type: "async-response", ...order, "end-point-id": "1111" },
      next: "pay status A1 --orderid 17 --watch"
    })
  })

  it("prefers settings from flags to those of the environment", async () => {
    const { env, gateway } = await serving(accepted)
    const settings = ["--base-url", env.PAY_BASE_URL, "--endpoint-id", "2222", "--login", "other"]
    const run = await pay([...capture, ...settings, "--control-key-file", "-"], { input: "key\n" })
    expect(run.code).toBe(0)
    expect(gateway.requests[0]?.path).toBe("/api/v2/capture/2222")
    expect(gateway.requests[0]?.form.get("login")).toBe("other")
  })

  it("masks a card number in the answer, and escapes control characters", async () => {
    const note = `seen ${secrets.cardNumber} \u001b[31m`
    const { env } = await serving(StubGateway.json(200, { type: "async-response", ...order, "end-point-id": note }))
    const run = await pay(["call", "sale", ...flags(sale)], { env })
    expect(run.out).toContain("seen 401288******1881 \\u001b[31m")
  })

  it("checks fields before it sends anything", async () => {
    const { env, gateway } = await serving(accepted)
    const run = await pay(["call", "capture", "--client_orderid", "A1", "--amount", "1e3", "--orderid", "x"], { env })
    expect([run.code, run.out]).toEqual([2, ""])
    expect(run.err).toContain("Parameter orderid must be a number")
    expect(run.err).toContain("Parameter amount must be a decimal number")
    expect(run.err).toContain("Parameter currency is required")
    expect(gateway.requests).toEqual([])
  })
})

/** Every way to end but well: what the gateway does, the exit code, and what is said. */
const hangUp: StubGateway.Reply = (response) => response.destroy()
const silence: StubGateway.Reply = () => {}
describe("a failed call", () => {
  it.each([
    [
      "refused",
      capture,
      StubGateway.json(400, refusal()),
      1,
      ["CAPTURE was refused (HTTP 400, code 1)", "had no effect"]
    ],
    [
      "refused for several fields",
      capture,
      StubGateway.json(
        400,
        refusal({ errors: [{ field: "orderid", code: "2", message: "Parameter orderid is not valid" }] })
      ),
      1,
      ["  orderid: Parameter orderid is not valid (code 2)"]
    ],
    ["refused for its signature", capture, StubGateway.json(401, refusal({ "error-code": "43" })), 1, ["pay explain"]],
    ["refused for its control", capture, StubGateway.json(400, refusal({ "error-code": "40" })), 1, ["pay explain"]],
    ["too many requests", capture, StubGateway.json(429, refusal(), { "retry-after": "7" }), 1, ["Call again in 7 s"]],
    [
      "a failure of the gateway",
      capture,
      StubGateway.json(500, refusal()),
      4,
      ["The outcome of CAPTURE is unknown: the gateway failed (500)", "pay status A1 --orderid 17"]
    ],
    ["an answer of another protocol", capture, StubGateway.json(200, {}), 4, ["not one of this protocol"]],
    [
      "a lost connection",
      [...capture, "--idempotency-key", "k-1"],
      hangUp,
      4,
      ["the connection was lost", "never assume that it did not", "--idempotency-key k-1"]
    ],
    [
      "no answer in time",
      ["call", "sale", ...flags(sale), "--timeout", "0.5"],
      silence,
      4,
      ["no answer came in time", "pay status A1", "same client_orderid"]
    ],
    ["a lost connection of a status request", ["status", "A1"], hangUp, 4, ["It only reads: ask again."]]
  ] as const)("says whether it can have had an effect: %s", async (_, args, reply, code, says) => {
    const { env } = await serving(reply)
    const run = await pay(args, { env })
    expect([run.code, run.out]).toEqual([code, ""])
    for (const text of says) expect(run.err).toContain(text)
  })

  it("was not sent if the gateway cannot be reached", async () => {
    const run = await pay(capture, { env: { ...merchant, PAY_BASE_URL: "http://127.0.0.1:1" } })
    expect([run.code, run.out]).toEqual([3, ""])
    expect(run.err).toContain("CAPTURE was not sent (ECONNREFUSED): no program listens at the gateway's address")
  })

  it("is reported in JSON with the idempotency key for a safe repeat", async () => {
    const { env } = await serving(hangUp)
    const run = await pay([...capture, "--json", "--idempotency-key", "k-1"], { env })
    expect([run.code, run.err]).toEqual([4, ""])
    expect(JSON.parse(run.out)).toMatchObject({
      outcome: "unknown",
      operation: "CAPTURE",
      reason: "ConnectionLost",
      clientOrderId: "A1",
      orderId: "17",
      idempotencyKey: "k-1",
      next: "pay status A1 --orderid 17"
    })
  })

  it("has an unknown outcome after an interruption", async () => {
    let stop = () => {}
    const { env } = await serving(() => stop())
    const run = await pay([...capture, "--idempotency-key", "k-1"], {
      env,
      onStart: (kill) => {
        stop = () => kill("SIGINT")
      }
    })
    expect([run.code, run.out]).toEqual([4, ""])
    expect(run.err).toContain("unknown: stopped before the answer came")
    expect(run.err).toContain("--idempotency-key k-1")
  })
})

describe("pay status", () => {
  it("sends client_orderid, and orderid if it is given", async () => {
    const { env, gateway } = await serving(status("processing"))
    expect((await pay(["status", "A1"], { env })).out).toContain("status             processing")
    await pay(["status", "A1", "--orderid", "17"], { env })
    expect(gateway.requests.map(({ form }) => [form.get("client_orderid"), form.get("orderid")])).toEqual([
      ["A1", null],
      ["A1", "17"]
    ])
  })

  it.each([
    ["approved", 0],
    ["declined", 1],
    ["filtered", 1],
    ["error", 1]
  ])("ends the watch of an order that is %s with exit code %i", async (word, code) => {
    const { env, gateway } = await serving(status(word))
    const run = await pay(["status", "A1", "--watch"], { env })
    expect([run.code, run.err]).toEqual([code, ""])
    expect(run.out).toContain(word)
    expect(gateway.requests).toHaveLength(1)
  })

  it("ends with exit code 0 without --watch, also for a declined order", async () => {
    const { env } = await serving(status("declined"))
    expect((await pay(["status", "A1"], { env })).code).toBe(0)
  })

  it("prints each change as a line of JSON", async () => {
    const words = ["processing", "approved"]
    const { env } = await serving((response, request) => status(words.shift() ?? "approved")(response, request))
    const run = await pay(["status", "A1", "--watch", "--json"], { env, clock: quick })
    const lines = run.out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).answer.status)
    expect([run.code, lines]).toEqual([0, ["processing", "approved"]])
  })
})

describe("pay call --dry-run", () => {
  it("shows the exact request and sends nothing", async () => {
    const { env, gateway } = await serving(status("processing"))
    const args = ["call", "status", "--client_orderid", "it's 1"]
    const dry = await pay([...args, "--dry-run", "--json"], { env })
    expect([dry.code, dry.err, gateway.requests]).toEqual([0, "", []])
    const { body, curl, headers, signed, url } = JSON.parse(dry.out)
    await pay(args, { env })
    expect(gateway.requests.map(({ form, path }) => [path, `${form}`])).toEqual([
      [new URL(url).pathname, `${new URLSearchParams(body)}`]
    ])
    expect(signed).toBe("merchantloginit's 1<control key>")
    expect(headers).toMatchObject({ accept: "application/vnd.pay+json" })
    const words = execFileSync("sh", ["-c", `curl() { printf '%s\\n' "$@"; }; ${curl}`], { encoding: "utf8" })
    expect(words.trimEnd().split("\n")).toEqual([
      url,
      ...Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
      "--data-raw",
      body
    ])
  })

  it("masks card data, and says so", async () => {
    const { env, gateway } = await serving(status("processing"))
    const { code, out } = await pay(["call", "sale", ...flags(sale), "--dry-run"], { env })
    expect([code, gateway.requests]).toEqual([0, []])
    expect(out).toContain("credit_card_number=401288******1881")
    expect(out).toContain("cvv2=***")
    expect(out).toContain("Numbers and codes are masked here")
  })

  it("shows the base string of an OAuth request", async () => {
    const { env } = await serving(status("processing"))
    const { code, out } = await pay(
      ["call", "payout", ...flags(Sample.request(PayApi.operations.PAYOUT)), "--dry-run"],
      { env }
    )
    expect(code, out).toBe(0)
    expect(out).toMatch(/Its signed text:\n {2}POST&http%3A%2F%2F127\.0\.0\.1%3A\d+%2Fapi%2F/)
    expect(out).not.toContain(secrets.controlKey)
  })
})
