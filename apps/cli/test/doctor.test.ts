/** `pay doctor` at gateways that are not this repository's, and with wrong settings. */
import { afterEach, assert, describe, it } from "@effect/vitest"
import * as Dialect from "@pay/schema/Dialect"
import * as Pairs from "@pay/schema/Pairs"
import { merchant, pay, secrets } from "./Pay.ts"
import * as StubGateway from "./StubGateway.ts"
import { file } from "./TestFiles.ts"

describe("pay doctor", () => {
  const opened: Array<StubGateway.StubGateway> = []
  afterEach(async () => {
    for (const gateway of opened.splice(0)) await gateway.close()
  })
  const refusal = {
    type: "validation-error",
    "serial-number": "1",
    "error-code": "54",
    "error-message": "Unknown order"
  }

  it("finds a wrong clock and a missing profile with one status request", async () => {
    const late: StubGateway.Reply = (response, ask) => {
      const date = new Date(Date.now() - 600_000).toUTCString()
      StubGateway.json(400, refusal, { date })(response, ask)
    }
    const gateway = await StubGateway.start(late)
    opened.push(gateway)
    const { code, out } = await pay(["doctor"], { env: { ...merchant, PAY_BASE_URL: gateway.url } })
    assert.strictEqual(code, 1)
    assert.match(out, /^wrong {2}clock +(599|600|601) s ahead of the gateway's: set this machine's clock/m)
    assert.match(out, /^note {3}gateway profile +the gateway announces none/m)
    assert.deepStrictEqual(
      gateway.requests.map(({ path }) => path),
      ["/api/v2/status/1111"]
    )
  })

  const pairs =
    (isHere: (path: string) => boolean, fields: Readonly<Record<string, string>>): StubGateway.Reply =>
    (response, { path }) => {
      response.writeHead(isHere(path) ? 200 : 404, { "content-type": "text/html", date: new Date().toUTCString() })
      response.end(isHere(path) ? Pairs.write(Object.entries(fields)) : "<html>Not found</html>")
    }
  const under = (prefix: string) => (path: string) => path.startsWith(`${prefix}/api/`)
  const inJson =
    (isHere: (path: string) => boolean): StubGateway.Reply =>
    (response, ask) =>
      isHere(ask.path)
        ? StubGateway.json(400, refusal)(response, ask)
        : StubGateway.json(404, { ...refusal, "error-code": "80" })(response, ask)
  const asksForJson: StubGateway.Reply = (response, ask) =>
    StubGateway.json(400, ask.accept === Dialect.mediaType ? refusal : acceptRequired)(response, ask)
  const acceptRequired = { ...refusal, "error-code": "20", "error-message": "Header Accept must be …" }
  const searches: ReadonlyArray<
    readonly [what: string, StubGateway.Reply, configured: string, finds: string, requests: number]
  > = [
    [
      "a gateway with the older dialect",
      pairs(under("/paynet"), refusal),
      "",
      "not specification: set PAY_GATEWAY_PROFILE=paynet",
      6
    ],
    [
      "a gateway with the older dialect and no path prefix",
      pairs(under(""), refusal),
      "checkout",
      "not checkout: set PAY_GATEWAY_PROFILE=pairs",
      6
    ],
    [
      "a JSON gateway with a path prefix",
      inJson(under("/payment")),
      "",
      "not specification: set PAY_GATEWAY_PROFILE=path-prefix=/payment",
      4
    ],
    [
      "a gateway that requires the Accept header",
      asksForJson,
      "pairs",
      "not pairs: set PAY_GATEWAY_PROFILE=specification",
      2
    ]
  ]
  it.each(searches)("finds the profile of %s with status requests only", async (_, reply, configured, finds, count) => {
    const gateway = await StubGateway.start(reply)
    opened.push(gateway)
    const { code, out } = await pay(["doctor"], {
      env: { ...merchant, PAY_BASE_URL: gateway.url, PAY_GATEWAY_PROFILE: configured }
    })
    assert.strictEqual(code, 1)
    assert.match(out, new RegExp(`gateway profile +${finds}`))
    for (const { path } of gateway.requests) assert.match(path, /\/api\/v2\/status\/1111$/)
    assert.lengthOf(gateway.requests, count)
  })

  it("finds the path of an endpoint group at a JSON gateway", async () => {
    const gateway = await StubGateway.start(inJson((path) => path === "/paynet/api/v2/status/group/17"))
    opened.push(gateway)
    const env = { ...merchant, PAY_BASE_URL: gateway.url, PAY_ENDPOINT_ID: "group/17" }
    const search = await pay(["doctor"], { env })
    const setting = "path-prefix=/paynet, group-path"
    assert.match(search.out, new RegExp(`gateway profile +not specification: set PAY_GATEWAY_PROFILE=${setting}`))
    const { code, out } = await pay(["doctor"], { env: { ...env, PAY_GATEWAY_PROFILE: setting } })
    assert.strictEqual(code, 0, out)
  })

  it("accepts the not-found code of the profile, and says how to add it to the profile", async () => {
    const absent = { ...refusal, "error-code": "2", "error-message": "Order not found" }
    const gateway = await StubGateway.start(pairs(under("/paynet"), absent))
    opened.push(gateway)
    const env = { ...merchant, PAY_BASE_URL: gateway.url }
    const unnamed = await pay(["doctor"], { env: { ...env, PAY_GATEWAY_PROFILE: "paynet" } })
    assert.strictEqual(unnamed.code, 1)
    assert.match(unnamed.out, /^wrong {2}signature +refused with 2: Order not found\. If .* add not-found=2 to/m)
    for (const sign of ["not-found=2", 'not-found="order not found"']) {
      const { code, out } = await pay(["doctor"], { env: { ...env, PAY_GATEWAY_PROFILE: `paynet, ${sign}` } })
      assert.strictEqual(code, 0, out)
      assert.match(out, /^ok {5}signature +accepted \(no such order, as it should be\)/m)
    }
  })

  it("reports a wrong key at a gateway with the older dialect", async () => {
    const wrongKey = { ...refusal, "error-code": "40", "error-message": "Authentication failed" }
    const gateway = await StubGateway.start(pairs(under("/paynet"), wrongKey))
    opened.push(gateway)
    const env = { ...merchant, PAY_BASE_URL: gateway.url, PAY_GATEWAY_PROFILE: "paynet" }
    const { code, out } = await pay(["doctor"], { env })
    assert.strictEqual(code, 1)
    assert.match(out, /^ok {5}gateway +answers/m)
    assert.match(out, /^wrong {2}signature +refused: the login/m)
    assert.lengthOf(gateway.requests, 1)
  })

  it("reports an address without a gateway if no profile fits", async () => {
    const gateway = await StubGateway.start(StubGateway.json(200, { ok: true }))
    opened.push(gateway)
    const { code, out } = await pay(["doctor"], { env: { ...merchant, PAY_BASE_URL: gateway.url } })
    assert.strictEqual(code, 4)
    assert.match(out, /^wrong {2}gateway +no proper answer \(200\)/m)
    assert.lengthOf(gateway.requests, 8)
  })

  it("does not search for a profile if the gateway fails", async () => {
    const gateway = await StubGateway.start(StubGateway.json(503, { ...refusal, type: "error" }))
    opened.push(gateway)
    const { out } = await pay(["doctor"], { env: { ...merchant, PAY_BASE_URL: gateway.url } })
    assert.match(out, /^wrong {2}gateway +no proper answer \(503\)/m)
    assert.lengthOf(gateway.requests, 1)
  })

  const openKey = file("open.txt", secrets.controlKey, 0o644)
  it.each([
    ["missing settings", {}, 2, /^wrong {2}control key +Set PAY_CONTROL_KEY, or give --control-key-file/m],
    ["an invalid address", { PAY_BASE_URL: "gateway" }, 2, /^wrong {2}base-url +Give an address with http or https/m],
    [
      "an address with /api",
      { PAY_BASE_URL: "https://x.example/api/v2" },
      2,
      /^wrong {2}base-url +Give --base-url without \/api/m
    ],
    [
      "an address with a password",
      { PAY_BASE_URL: "https://a:b@x.example" },
      2,
      /^wrong {2}base-url +Give --base-url without user name/m
    ],
    ["plain http", { PAY_BASE_URL: "http://x.example" }, 2, /^wrong {2}base-url +Use https/m],
    ["an invalid endpoint", { PAY_ENDPOINT_ID: "x" }, 2, /^wrong {2}endpoint-id +--endpoint-id must be a number/m],
    [
      "an invalid private key",
      { PAY_PRIVATE_KEY_FILE: openKey },
      2,
      /^wrong {2}private key +The key of --private-key-file holds no key/m
    ],
    [
      "an unreachable gateway",
      { PAY_BASE_URL: "http://127.0.0.1:1" },
      3,
      /^wrong {2}gateway +not reached \(ECONNREFUSED\)/m
    ],
    [
      "a key file that others can read",
      { PAY_CONTROL_KEY: "", PAY_CONTROL_KEY_FILE: openKey, PAY_BASE_URL: "http://127.0.0.1:1" },
      3,
      /^note {3}control key +set, but others on this machine can read its file: chmod 600/m
    ]
  ])("reports %s", async (_, env, code, line) => {
    const settings = Object.keys(env).length === 0 ? {} : { ...merchant, ...env }
    const run = await pay(["doctor"], { env: settings })
    assert.match(run.out, line)
    assert.deepStrictEqual([run.code, run.err], [code, ""])
  })
})
