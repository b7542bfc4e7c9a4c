/** Payments carried through at the command line. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect } from "effect"
import { afterAll } from "vitest"
import * as Operated from "./Operated.ts"
import { built, pay, type Surroundings, secrets } from "./Pay.ts"

built()

const folder = mkdtempSync(join(tmpdir(), "pay-flows-"))
afterAll(() => rmSync(folder, { recursive: true }))
const key = join(folder, "key.pem")
writeFileSync(key, Sandbox.merchant.privateKeyPem)

const operations = {
  sale: PayApi.operations.SALE,
  reserve: PayApi.operations.PREAUTH,
  payout: PayApi.operations.PAYOUT_V4,
  subscribe: PayApi.operations.CREATE_RP_V4,
  hosted: PayApi.operations.SALEFORM
}
type Flow = keyof typeof operations
const { endpoints } = Sandbox.merchant

const challenged = "4444000011118888"

/** The fields as a form: card data never stands on the command line. */
const form = (flow: Flow, changes: Readonly<Record<string, string>>): string => {
  const { login: _, redirect_url: __, ...fields } = { login: "", redirect_url: "", ...Sample.request(operations[flow]) }
  return new URLSearchParams({ ...fields, ...changes }).toString()
}

const flowing = (args: ReadonlyArray<string>, surroundings: Surroundings = {}) =>
  Effect.flatMap(Operated.merchant, (merchant) =>
    Effect.promise(() =>
      pay(["flow", ...args], {
        ...surroundings,
        env: { ...merchant, PAY_PRIVATE_KEY_FILE: key, PAY_STATE: folder, ...surroundings.env }
      })
    )
  )

/** Where a form of the page leads, and what it carries. */
const read = (body: string) => ({
  action: /<form[^>]* action="([^"]*)"/.exec(body)?.[1]?.replaceAll("&amp;", "&"),
  fields: Object.fromEntries(
    [...body.matchAll(/<input type="hidden" name="([^"]*)"(?: value="([^"]*)")?>/g)].map(
      ([, name = "", value = ""]) => [name, value]
    )
  )
})

/** A browser that somebody opened by hand: posts each form, types the password, until there is no form any more. */
const browse = async (start: string): Promise<string> => {
  let at = start
  let body = await (await fetch(at)).text()
  while (body.includes("<form")) {
    const { action = at, fields } = read(body)
    const typed = body.includes('name="password"') ? { action: "confirm", password: "hint" } : {}
    at = new URL(action, at).href
    const answer = await fetch(at, { method: "POST", body: new URLSearchParams({ ...fields, ...typed }) })
    body = await answer.text()
  }
  return body
}

const notes = () => readdirSync(join(folder, "flows"))

layer(Operated.layer, { excludeTestServices: true, timeout: 120_000 })("flows at the command line", (it) => {
  const card = { credit_card_number: secrets.cardNumber, cvv2: "123" }
  const table: ReadonlyArray<
    readonly [name: string, Flow, Readonly<Record<string, string>>, string, string, number, string]
  > = [
    ["sale approved", "sale", card, "", endpoints.usd, 0, "approved"],
    ["sale declined", "sale", { ...card, cvv2: "116" }, "", endpoints.usd, 1, "Declined"],
    ["reserve approved", "reserve", card, "", endpoints.usd, 0, "approved"],
    ["reserve declined", "reserve", { ...card, cvv2: "209" }, "", endpoints.usd, 1, "Declined"],
    ["subscribe approved", "subscribe", card, "", endpoints.usd, 0, "approved"],
    ["subscribe declined", "subscribe", { ...card, cvv2: "116" }, "", endpoints.usd, 1, "Declined"],
    ["payout approved", "payout", { amount: "1.00" }, "", endpoints.usd, 0, "approved"],
    ["payout filtered", "payout", { amount: "100.01" }, "", endpoints.limited, 1, "Filtered"],
    ["hosted approved", "hosted", {}, "pass", endpoints.usd, 0, "approved"],
    ["hosted filtered", "hosted", { amount: "100.01" }, "pass", endpoints.limited, 1, "Filtered"],
    ["hosted abandoned", "hosted", {}, "abandon", endpoints.usd, 1, "Abandoned"],
    ...[endpoints.threeds3dsGateway, endpoints.threedsMerchant].flatMap((endpoint) =>
      (["pass", "fail", "abandon"] as const).map(
        (outcome) =>
          [
            `sale with 3-D Secure at ${endpoint}, ${outcome}`,
            "sale" as const,
            { ...card, credit_card_number: challenged },
            outcome,
            endpoint,
            outcome === "pass" ? 0 : 1,
            outcome === "pass" ? "approved" : "NotAuthenticated"
          ] as const
      )
    )
  ]
  for (const [index, [name, flow, changes, played, endpoint, code, outcome]] of table.entries()) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const name = flow === "payout" ? "client-order-id" : "client_orderid"
        const input = form(flow, { [name]: `F${index}`, ...changes })
        const args = [flow, "--form=-", `--endpoint-id=${endpoint}`, "--json", ...(played ? [`--3ds=${played}`] : [])]
        const said = yield* flowing(args, { input })
        const report = JSON.parse(said.out)
        assert.deepStrictEqual([said.code, report.outcome], [code, outcome], said.err + said.out)
        assert.match(said.err, /^create: /)
        assert.include(said.err, "\nstatus 1")
        assert.isAbove(report.evidence.length, 1)
        assert.deepStrictEqual(notes(), [])
      })
    )
  }

  for (const [endpoint, signal, code] of [
    [endpoints.threeds3dsGateway, "SIGINT", 4],
    [endpoints.threedsMerchant, "SIGKILL", null]
  ] as const) {
    it.effect(`a sale stopped by ${signal} while the shopper is away goes on without card data`, () =>
      Effect.gen(function* () {
        const name = `stopped-${signal}`
        const input = form("sale", { client_orderid: name, ...card, credit_card_number: challenged })
        const told = { kills: 0 }
        const stopped = yield* flowing(["sale", "--form=-", `--endpoint-id=${endpoint}`], {
          input,
          onError: (err, kill) => {
            if (!err.includes("Open in a browser: http") || told.kills > 0) return
            told.kills += 1
            kill(signal)
          }
        })
        assert.strictEqual(stopped.code, code, stopped.err)
        const path = join(folder, "flows", `${name}.json`)
        assert.strictEqual(statSync(path).mode & 0o777, 0o600)
        assert.notInclude(readFileSync(path, "utf8"), challenged)
        assert.notMatch(readFileSync(path, "utf8"), /cvv2":|expire_year":/)
        const resumed = yield* flowing(["resume", name, "--3ds=pass", "--json"])
        assert.strictEqual(resumed.code, 0, resumed.err + resumed.out)
        assert.deepInclude(JSON.parse(resumed.out), { outcome: "approved", flow: "sale" })
        assert.deepStrictEqual(notes(), [])
        const again = yield* flowing(["resume", name])
        assert.deepStrictEqual([again.code, again.out], [2, ""])
      })
    )
  }

  it.effect("the shopper's browser goes to the issuer and comes back by itself", () =>
    Effect.gen(function* () {
      const seen: Array<Promise<string>> = []
      const input = form("sale", { client_orderid: "by-hand", ...card, credit_card_number: challenged })
      const said = yield* flowing(["sale", "--form=-", `--endpoint-id=${endpoints.threedsMerchant}`], {
        input,
        onError: (err) => {
          const url = /Open in a browser: (\S+)\n/.exec(err)?.[1]
          if (url !== undefined && seen.length === 0) seen.push(browse(url))
        }
      })
      assert.strictEqual(said.code, 0, said.err)
      assert.include(said.err, "back: came back")
      assert.include((yield* Effect.promise(() => Promise.all(seen))).join(), "Thank you")
    })
  )

  it.effect("a hosted page that nobody has seen yet is shown again", () =>
    Effect.gen(function* () {
      const input = form("hosted", { client_orderid: "page" })
      const told = { kills: 0 }
      const stopped = yield* flowing(["hosted", "--form=-", "--json"], {
        input,
        onError: (err, kill) => {
          if (!err.includes("Open in a browser: http") || told.kills > 0) return
          told.kills += 1
          kill("SIGINT")
        }
      })
      assert.strictEqual(stopped.code, 4, stopped.err)
      assert.deepInclude(JSON.parse(stopped.out), { outcome: "interrupted", next: "pay flow resume page" })
      const resumed = yield* flowing(["resume", "page", "--3ds=pass"])
      assert.strictEqual(resumed.code, 0, resumed.err)
    })
  )

  it.effect("a sale that was never sent is noted, and resumed with the card given again", () =>
    Effect.gen(function* () {
      const input = form("sale", { client_orderid: "unsent", ...card })
      const unsent = yield* flowing(["sale", "--form=-", "--base-url=http://127.0.0.1:1"], { input })
      assert.strictEqual(unsent.code, 3, unsent.err)
      assert.include(unsent.err, "Unreachable")
      const { PAY_BASE_URL } = yield* Operated.merchant
      const resumed = yield* flowing(["resume", "unsent", "--form=-", `--base-url=${PAY_BASE_URL}`], { input })
      assert.strictEqual(resumed.code, 0, resumed.err)
      assert.match(resumed.out, /status +approved/)
    })
  )

  const wrong: ReadonlyArray<readonly [string, ReadonlyArray<string>, string]> = [
    ["of no name", [], "Say which"],
    ["of another name", ["refund"], "Say which"],
    ["without fields", ["sale"], "Nothing was sent"],
    ["with a field of another operation", ["sale", "--card-ref-id=1"], "Unknown flag"],
    ["with a shopper who does something else", ["hosted", "--3ds=maybe"], "pass, fail or abandon"],
    [
      "with a played shopper elsewhere",
      ["hosted", "--3ds=pass", "--base-url=https://gateway.example"],
      "only at a sandbox on this machine"
    ],
    ["to resume, unnamed", ["resume"], "Name one order"],
    ["to resume, unknown", ["resume", "nobody"], "No flow of this name"]
  ]
  for (const [name, args, says] of wrong) {
    it.effect(`a flow ${name} is refused`, () =>
      Effect.gen(function* () {
        const said = yield* flowing(args)
        assert.strictEqual(said.code, 2, said.err)
        assert.include(said.err, says)
      })
    )
  }

  it.effect("a flow is not started over another one of its name", () =>
    Effect.gen(function* () {
      const start = (amount: string) =>
        flowing(["sale", "--form=-", "--base-url=http://127.0.0.1:1"], {
          input: form("sale", { client_orderid: "twice", amount, ...card })
        })
      assert.strictEqual((yield* start("1.00")).code, 3)
      assert.strictEqual((yield* start("1.00")).code, 3)
      const other = yield* start("2.00")
      assert.strictEqual(other.code, 2, other.err)
      assert.include(other.err, "under way with other content")
    })
  )
})
