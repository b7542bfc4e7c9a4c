import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Layer } from "effect"
import { CardSale } from "../src/CardPayment.ts"
import * as CustomerBrowser from "../src/CustomerBrowser.ts"
import * as Flow from "../src/Flow.ts"
import * as FlowPayload from "../src/FlowPayload.ts"
import * as Script from "./Script.ts"

const { SALE } = PayApi.operations
const { refuses, stands, taken } = Script
const transaction = "8a880dc0-d2d2-4067-bcb1-b08d1690b26e"

const sale = Effect.flatMap(
  Effect.orDie(Effect.fromResult(FlowPayload.decode(CardSale, { ...Sample.request(SALE), client_orderid: "o-1" }))),
  (payment) => Flow.run(CardSale, payment)
)

const method = stands("processing", {
  "threeds-stage": "method",
  "threeds-server-trans-id": transaction,
  "threeds-method-url": "https://acs.example/method",
  "threeds-method-data": "eyJ9"
})
const noMethod = stands("processing", { "threeds-stage": "method", "threeds-server-trans-id": transaction })
const challenge = stands("processing", { "threeds-stage": "challenge", "acs-url": "https://acs.example", creq: "eyJ9" })
const pareq = stands("processing", {
  "threeds-stage": "pareq",
  "acs-url": "https://acs.example",
  pareq: "eJw=",
  md: "7"
})
const redirect = stands("processing", { "redirect-to": "https://gateway.example/3ds/1" })
const page = stands("processing", { html: "<form>7</form>" })
const paid = stands("approved")

/** Sent off, the customer brings this back at once, or nothing. */
const bringing = (bring: CustomerBrowser.BrowserFields | undefined, sent: Array<string>) =>
  Layer.succeed(CustomerBrowser.CustomerBrowser, {
    send: ({ clientOrderId, nextAction }) =>
      Effect.suspend(() => {
        sent.push(nextAction._tag)
        return bring === undefined ? Effect.void : CustomerBrowser.cameBack(clientOrderId, bring)
      })
  })

const rows: ReadonlyArray<
  readonly [
    story: string,
    status: ReadonlyArray<Script.Say>,
    browserFields: CustomerBrowser.BrowserFields | undefined,
    upload: readonly [path: string, says: ReadonlyArray<Script.Say>],
    sent: string,
    uploaded: ReadonlyArray<string>
  ]
> = [
  [
    "the method page came back",
    [method, method, paid],
    { threeDSMethodData: "eyJ9" },
    ["upload-method-url-result", [taken]],
    "Method",
    [`threeDSCompInd=Y&threeDSServerTransID=${transaction}`]
  ],
  [
    "the method page did not come back",
    [method, paid],
    undefined,
    ["upload-method-url-result", [taken]],
    "Method",
    [`threeDSCompInd=N&threeDSServerTransID=${transaction}`]
  ],
  [
    "no method page: what the browser says of itself goes with U, and what does not fit stays out",
    [noMethod, noMethod, paid],
    {
      browserAcceptHeader: "text/html",
      browserColorDepth: "30",
      browserJavascriptEnabled: "true",
      browserLanguage: "de",
      browserScreenHeight: "844",
      browserScreenWidth: "wide",
      browserTZ: "-60",
      browserUserAgent: "Phone"
    },
    ["upload-method-url-result", [taken]],
    "BrowserData",
    [
      `threeDSCompInd=U&threeDSServerTransID=${transaction}&browserAcceptHeader=text%2Fhtml&browserJavascriptEnabled=true&browserLanguage=de&browserScreenHeight=844&browserTZ=-60&browserUserAgent=Phone`
    ]
  ],
  [
    "no method page, and the browser says nothing of itself: U",
    [noMethod, paid],
    undefined,
    ["upload-method-url-result", [taken]],
    "BrowserData",
    [`threeDSCompInd=U&threeDSServerTransID=${transaction}`]
  ],
  [
    "a challenge, whose upload is lost once",
    [challenge, paid],
    { cres: "eyJ9" },
    ["upload-cres-result", ["lost", taken]],
    "Challenge",
    ["cRes=eyJ9", "cRes=eyJ9"]
  ],
  [
    "a challenge, whose upload is refused for good: the gateway has the last word",
    [challenge, paid],
    { cres: "eyJ9" },
    ["upload-cres-result", [refuses(55)]],
    "Challenge",
    ["cRes=eyJ9", "cRes=eyJ9"]
  ],
  [
    "a challenge that nobody came back from",
    [challenge, paid],
    undefined,
    ["upload-cres-result", [taken]],
    "Challenge",
    []
  ],
  [
    "the password page of 1.0.2",
    [pareq, paid],
    { PaRes: "eJw=", MD: "7" },
    ["upload-pares-result", [taken]],
    "PaReq",
    ["paRes=eJw%3D&md=7"]
  ],
  ["a page without an address, shown once", [page, page, page, paid], {}, ["", []], "Page", []],
  ["a page of an order that is final", [stands("approved", { html: "<form>7</form>" })], {}, ["", []], "", []],
  ["the gateway's own page, shown once", [redirect, redirect, redirect, paid], {}, ["", []], "Redirect", []],
  [
    "method, then challenge",
    [method, challenge, paid],
    { cres: "eyJ9" },
    ["upload-cres-result", [taken]],
    "Method Challenge",
    ["cRes=eyJ9"]
  ]
]

describe("the shopper's part of a sale", () => {
  for (const [story, status, input, [path, says], sent, uploaded] of rows) {
    it.effect(story, () =>
      Effect.gen(function* () {
        const values: Array<string> = []
        const uploads = { "upload-method-url-result": [taken], ...(path === "" ? {} : { [path]: says }) }
        const script = { sale: [taken], status, ...uploads }
        const played = yield* Script.play(script, Effect.provide(sale, bringing(input, values)))
        assert.strictEqual(played.end, "approved")
        assert.strictEqual(values.join(" "), sent)
        assert.deepStrictEqual(
          played.forms
            .filter(([name]) => name === path)
            .map(([, form]) => form.replace(/^.*orderid=7&|&control=.*$/g, "")),
          uploaded
        )
      })
    )
  }
})
