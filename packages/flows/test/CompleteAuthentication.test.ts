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
const { refusal, orderStatus, acknowledged } = Script
const transaction = "8a880dc0-d2d2-4067-bcb1-b08d1690b26e"

const sale = Effect.flatMap(
  Effect.orDie(Effect.fromResult(FlowPayload.decode(CardSale, { ...Sample.request(SALE), client_orderid: "o-1" }))),
  (payment) => Flow.run(CardSale, payment)
)

const method = orderStatus("processing", {
  "threeds-stage": "method",
  "threeds-server-trans-id": transaction,
  "threeds-method-url": "https://acs.example/method",
  "threeds-method-data": "eyJ9"
})
const noMethod = orderStatus("processing", { "threeds-stage": "method", "threeds-server-trans-id": transaction })
const challenge = orderStatus("processing", {
  "threeds-stage": "challenge",
  "acs-url": "https://acs.example",
  creq: "eyJ9"
})
const pareq = orderStatus("processing", {
  "threeds-stage": "pareq",
  "acs-url": "https://acs.example",
  pareq: "eJw=",
  md: "7"
})
const redirect = orderStatus("processing", { "redirect-to": "https://gateway.example/3ds/1" })
const page = orderStatus("processing", { html: "<form>7</form>" })
const paid = orderStatus("approved")

/** A customer who returns at once with these fields, or never. */
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
    scenario: string,
    status: ReadonlyArray<Script.Answer>,
    browserFields: CustomerBrowser.BrowserFields | undefined,
    upload: readonly [path: string, says: ReadonlyArray<Script.Answer>],
    sent: string,
    uploaded: ReadonlyArray<string>
  ]
> = [
  [
    "uploads Y after the 3DS method page returned",
    [method, method, paid],
    { threeDSMethodData: "eyJ9" },
    ["upload-method-url-result", [acknowledged]],
    "Method",
    [`threeDSCompInd=Y&threeDSServerTransID=${transaction}`]
  ],
  [
    "uploads N if the 3DS method page did not return",
    [method, paid],
    undefined,
    ["upload-method-url-result", [acknowledged]],
    "Method",
    [`threeDSCompInd=N&threeDSServerTransID=${transaction}`]
  ],
  [
    "uploads U with the browser's valid data if there is no 3DS method page",
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
    ["upload-method-url-result", [acknowledged]],
    "BrowserData",
    [
      `threeDSCompInd=U&threeDSServerTransID=${transaction}&browserAcceptHeader=text%2Fhtml&browserJavascriptEnabled=true&browserLanguage=de&browserScreenHeight=844&browserTZ=-60&browserUserAgent=Phone`
    ]
  ],
  [
    "uploads U alone if there is no 3DS method page and no browser data",
    [noMethod, paid],
    undefined,
    ["upload-method-url-result", [acknowledged]],
    "BrowserData",
    [`threeDSCompInd=U&threeDSServerTransID=${transaction}`]
  ],
  [
    "uploads the result of a challenge again if the upload is lost",
    [challenge, paid],
    { cres: "eyJ9" },
    ["upload-cres-result", ["lost", acknowledged]],
    "Challenge",
    ["cRes=eyJ9", "cRes=eyJ9"]
  ],
  [
    "takes the gateway's status if the upload of a challenge is refused",
    [challenge, paid],
    { cres: "eyJ9" },
    ["upload-cres-result", [refusal(55)]],
    "Challenge",
    ["cRes=eyJ9", "cRes=eyJ9"]
  ],
  [
    "uploads nothing if the customer does not return from a challenge",
    [challenge, paid],
    undefined,
    ["upload-cres-result", [acknowledged]],
    "Challenge",
    []
  ],
  [
    "uploads PaRes and MD of 3-D Secure 1.0.2",
    [pareq, paid],
    { PaRes: "eJw=", MD: "7" },
    ["upload-pares-result", [acknowledged]],
    "PaReq",
    ["paRes=eJw%3D&md=7"]
  ],
  ["shows a page without an address once", [page, page, page, paid], {}, ["", []], "Page", []],
  ["shows no page for a final order", [orderStatus("approved", { html: "<form>7</form>" })], {}, ["", []], "", []],
  ["redirects to the gateway's page once", [redirect, redirect, redirect, paid], {}, ["", []], "Redirect", []],
  [
    "handles the 3DS method and then a challenge",
    [method, challenge, paid],
    { cres: "eyJ9" },
    ["upload-cres-result", [acknowledged]],
    "Method Challenge",
    ["cRes=eyJ9"]
  ]
]

describe("a sale with 3-D Secure", () => {
  for (const [scenario, status, input, [path, says], sent, uploaded] of rows) {
    it.effect(scenario, () =>
      Effect.gen(function* () {
        const values: Array<string> = []
        const uploads = { "upload-method-url-result": [acknowledged], ...(path === "" ? {} : { [path]: says }) }
        const script = { sale: [acknowledged], status, ...uploads }
        const outcome = yield* Script.run(script, Effect.provide(sale, bringing(input, values)))
        assert.strictEqual(outcome.end, "approved")
        assert.strictEqual(values.join(" "), sent)
        assert.deepStrictEqual(
          outcome.forms
            .filter(([name]) => name === path)
            .map(([, form]) => form.replace(/^.*orderid=7&|&control=.*$/g, "")),
          uploaded
        )
      })
    )
  }
})
