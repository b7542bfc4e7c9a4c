import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Issuer from "../threeds/Issuer.ts"
import * as ScriptedGateway from "../threeds/ScriptedGateway.ts"
import { visit } from "./TestBrowser.ts"

const { endpoints } = ScriptedGateway

const version1: Issuer.Script["enrolment"] = {
  _tag: "Version1",
  acsUrl: "https://acs.example/pareq",
  pareq: "PAREQ",
  md: "MD-1",
  xid: "X"
}

/** The result that the issuer's page sends each time, and the outcome of the payment after the third refusal. */
const rows: ReadonlyArray<
  readonly [
    name: string,
    issuer: Partial<Issuer.Script>,
    path: string,
    result: Readonly<Record<string, string>>,
    outcome: string
  ]
> = [
  [
    "a CRes that is not a message",
    { report: undefined },
    "challenge",
    { cres: "garbage" },
    "Your payment is being processed"
  ],
  [
    "a CRes of another transaction",
    {},
    "challenge",
    { cres: ScriptedGateway.cres({ threeDSServerTransID: "another" }) },
    "Payment successful"
  ],
  ["no CRes, and the issuer refuses", { report: Issuer.verdict("N") }, "challenge", {}, "Payment not confirmed"],
  [
    "a PaRes without a signature",
    { enrolment: version1 },
    "pares",
    { PaRes: "forged", MD: "MD-1" },
    "Payment not confirmed"
  ],
  [
    "a PaRes for another PaReq",
    { enrolment: version1 },
    "pares",
    { PaRes: "forged", MD: "MD-2" },
    "Payment not confirmed"
  ]
]

/** A browser that submits each page's form automatically, with an issuer that always returns the same result. */
const loops = Effect.fnUntraced(function* (url: string, path: string, result: Readonly<Record<string, string>>) {
  let page = yield* visit(url)
  let rounds = 0
  for (; rounds < 60 && page.body.includes("data-always"); rounds += 1) page = yield* visit(`${url}/${path}`, result)
  return { page, rounds }
})

describe("a refused 3-D Secure result on the gateway's pages", () => {
  it.effect.each(rows)(
    "leads to a button instead of a loop, and ends the authentication the third time: %s",
    ([_, issuer, path, result, outcome]) => {
      const scripted = ScriptedGateway.make(issuer)
      return Effect.gen(function* () {
        yield* ScriptedGateway.sale(endpoints.gateway)
        const url = String((yield* ScriptedGateway.status(endpoints.gateway))["redirect-to"])
        if (path === "challenge") yield* visit(`${url}/method`, {})
        for (const _ of [1, 2]) {
          const { page, rounds } = yield* loops(url, path, result)
          assert.strictEqual(rounds, 1)
          assert.deepInclude(page, { status: 400, title: "The confirmation from your bank could not be used" })
          assert.include(page.body, "<button>Try again</button>")
          assert.notInclude(page.body, "<script")
          assert.strictEqual(new URL(page.action ?? "", `${url}/${path}`).href, url)
          assert.lengthOf(scripted.authorized, 0)
        }
        const { page, rounds } = yield* loops(url, path, result)
        assert.deepStrictEqual([rounds, page.title], [1, outcome])
        assert.lengthOf(scripted.authorized, outcome === "Payment successful" ? 1 : 0)
      }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
    }
  )

  it.effect.each([
    ["challenge", {}],
    ["pares", { enrolment: version1 }]
  ] as const)("leads to a button if the browser brings no form: %s", ([path, issuer]) => {
    const scripted = ScriptedGateway.make(issuer)
    return Effect.gen(function* () {
      yield* ScriptedGateway.sale(endpoints.gateway)
      const url = String((yield* ScriptedGateway.status(endpoints.gateway))["redirect-to"])
      if (path === "challenge") yield* visit(`${url}/method`, {})
      const page = yield* visit(`${url}/${path}`)
      assert.strictEqual(page.status, 400)
      assert.include(page.body, "<button>Try again</button>")
      assert.notInclude(page.body, "<script")
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("does not matter once a valid result follows", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      yield* ScriptedGateway.sale(endpoints.gateway)
      const url = String((yield* ScriptedGateway.status(endpoints.gateway))["redirect-to"])
      yield* visit(`${url}/method`, {})
      yield* visit(`${url}/challenge`, { cres: "garbage" })
      yield* visit(`${url}/challenge`, { cres: "garbage" })
      assert.strictEqual(
        (yield* visit(`${url}/challenge`, { cres: ScriptedGateway.cres() })).title,
        "Payment successful"
      )
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("does not shorten the customer's time for another result", () => {
    const scripted = ScriptedGateway.make({ report: undefined })
    return Effect.gen(function* () {
      yield* ScriptedGateway.sale(endpoints.gateway)
      const url = String((yield* ScriptedGateway.status(endpoints.gateway))["redirect-to"])
      yield* visit(`${url}/method`, {})
      yield* visit(`${url}/challenge`, { cres: "garbage" })
      yield* ScriptedGateway.pass("599999 millis")
      assert.strictEqual((yield* visit(url)).action, Issuer.acsUrl)
      assert.strictEqual(scripted.issuer.reports, 0)
      yield* ScriptedGateway.elapse(1)
      assert.strictEqual((yield* visit(url)).action, undefined)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })
})
