import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Layer } from "effect"
import * as TextTable from "../../schema/test/TextTable.ts"
import * as CustomerBrowser from "../src/browser/CustomerBrowser.ts"
import * as FlowPayload from "../src/engine/FlowPayload.ts"
import { CardSale } from "../src/payments/CardPayment.ts"
import * as Script from "./Script.ts"

const { SALE } = PayApi.operations
const { orderStatus, acknowledged } = Script
const transaction = "8a880dc0-d2d2-4067-bcb1-b08d1690b26e"

const sale = Effect.flatMap(
  Effect.orDie(Effect.fromResult(FlowPayload.decode(CardSale, { ...Sample.request(SALE), client_orderid: "o-1" }))),
  (payment) => CardSale.execute(payment)
)

const html = "<form>7</form>"
const atIssuer = { "acs-url": "https://acs.example" }
const ofMethod = { "threeds-stage": "method", "threeds-server-trans-id": transaction }
const methodPage = { "threeds-method-url": "https://acs.example/method", "threeds-method-data": "eyJ9" }
const stages: Readonly<Record<string, Script.Answer>> = {
  method: orderStatus("processing", { ...ofMethod, ...methodPage }),
  "no method": orderStatus("processing", ofMethod),
  challenge: orderStatus("processing", { "threeds-stage": "challenge", ...atIssuer, creq: "eyJ9" }),
  pareq: orderStatus("processing", { "threeds-stage": "pareq", ...atIssuer, pareq: "eJw=", md: "7" }),
  redirect: orderStatus("processing", { "redirect-to": "https://gateway.example/3ds/1" }),
  page: orderStatus("processing", { html }),
  "approved page": orderStatus("approved", { html })
}

/** A customer who returns at once with these fields, or never. */
const bringing = (bring: CustomerBrowser.BrowserFields | undefined, sent: Array<string>) =>
  Layer.succeed(CustomerBrowser.CustomerBrowser, {
    send: ({ clientOrderId, nextAction }) =>
      Effect.suspend(() => {
        sent.push(nextAction._tag)
        return bring === undefined ? Effect.void : CustomerBrowser.cameBack(clientOrderId, bring)
      })
  })

/** The customer's return, by the name in the table. */
const returns: Readonly<Record<string, CustomerBrowser.BrowserFields | undefined>> = {
  threeDSMethodData: { threeDSMethodData: "eyJ9" },
  "browser data": {
    browserAcceptHeader: "text/html",
    browserColorDepth: "30",
    browserJavascriptEnabled: "true",
    browserLanguage: "de",
    browserScreenHeight: "844",
    browserScreenWidth: "wide",
    browserTZ: "-60",
    browserUserAgent: "Phone"
  },
  cres: { cres: "eyJ9" },
  "PaRes, MD": { PaRes: "eJw=", MD: "7" },
  "no fields": {},
  never: undefined
}
/** The valid fields of `browser data`. */
const valid =
  "browserAcceptHeader=text%2Fhtml&browserJavascriptEnabled=true&browserLanguage=de&browserColorDepth=24&browserScreenHeight=844&browserTZ=-60&browserUserAgent=Phone"

/** The answers to `status`, the fields with which the browser returns, the next actions, and the uploads with their answers. */
const table = `
case                                                                   | status                                 | browser returns   | next actions     | upload                   | answers            | fields
uploads Y after the 3DS method page returned                           | method, method, approved               | threeDSMethodData | Method           | upload-method-url-result | acknowledged       | threeDSCompInd=Y&threeDSServerTransID=ID
uploads N if the 3DS method page did not return                        | method, approved                       | never             | Method           | upload-method-url-result | acknowledged       | threeDSCompInd=N&threeDSServerTransID=ID
uploads U with the browser's valid data if there is no 3DS method page | no method, no method, approved         | browser data      | BrowserData      | upload-method-url-result | acknowledged       | threeDSCompInd=U&threeDSServerTransID=ID&VALID
uploads U alone if there is no 3DS method page and no browser data     | no method, approved                    | never             | BrowserData      | upload-method-url-result | acknowledged       | threeDSCompInd=U&threeDSServerTransID=ID
uploads the result of a challenge again if the upload is lost          | challenge, approved                    | cres              | Challenge        | upload-cres-result       | lost, acknowledged | cRes=eyJ9, cRes=eyJ9
takes the gateway's status if the upload of a challenge is refused     | challenge, approved                    | cres              | Challenge        | upload-cres-result       | refused 55         | cRes=eyJ9, cRes=eyJ9
uploads nothing if the customer does not return from a challenge       | challenge, approved                    | never             | Challenge        | upload-cres-result       | acknowledged       |
uploads PaRes and MD of 3-D Secure 1.0.2                               | pareq, approved                        | PaRes, MD         | PaReq            | upload-pares-result      | acknowledged       | paRes=eJw%3D&md=7
shows a page without an address once                                   | page, page, page, approved             | no fields         | Page             |                          |                    |
shows no page for a final order                                        | approved page                          | no fields         |                  |                          |                    |
redirects to the gateway's page once                                   | redirect, redirect, redirect, approved | no fields         | Redirect         |                          |                    |
handles the 3DS method and then a challenge                            | method, challenge, approved            | cres              | Method Challenge | upload-cres-result       | acknowledged       | cRes=eyJ9
`
const [, ...rows] = TextTable.rows(table)

describe("a sale with 3-D Secure", () => {
  for (const [scenario = "", statuses = "", fields = "", sent, path = "", uploads = "", uploaded = ""] of rows) {
    it.effect(scenario, () =>
      Effect.gen(function* () {
        const values: Array<string> = []
        const script = {
          sale: [acknowledged],
          status: Script.answersOf(statuses, stages),
          "upload-method-url-result": [acknowledged],
          ...(path === "" ? {} : { [path]: Script.answersOf(uploads) })
        }
        assert.property(returns, fields)
        const outcome = yield* Script.run(script, Effect.provide(sale, bringing(returns[fields], values)))
        assert.strictEqual(outcome.end, "approved")
        assert.strictEqual(values.join(" "), sent)
        const forms = outcome.forms
          .filter(([name]) => name === path)
          .map(([, form]) => form.replace(/^.*orderid=7&|&control=.*$/g, ""))
          .map((form) => form.replace(transaction, "ID").replace(valid, "VALID"))
        assert.deepStrictEqual(forms, uploaded === "" ? [] : uploaded.split(", "))
      })
    )
  }
})
