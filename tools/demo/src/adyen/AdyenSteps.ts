/** The steps that only a gateway with Adyen as its bank shows: a payment whose cardholder the issuer challenges, in a browser without scripts. */
import * as Markup from "@pay/schema/Markup"
import * as PayApi from "@pay/schema/PayApi"
import * as Sandbox from "@pay/server/Sandbox"
import * as PayClient from "@pay/transport/PayClient"
import { Effect } from "effect"
import { Inbox } from "../Inbox.ts"
import * as PaymentSteps from "../PaymentSteps.ts"
import * as Visit from "../ShopVisit.ts"
import * as StepRunner from "../StepRunner.ts"
import { row, say } from "../TerminalOutput.ts"

const { SALE } = PayApi.operations
const endpointId = Sandbox.merchant.endpoints.threeds3dsGateway

const card = { credit_card_number: "4111111111111111", cvv2: "737" }

/** Cards of Adyen's test environment: the cardholder's name selects a refusal, and the number the issuer. */
export const cards = { approved: card, declined: { ...card, card_printed_name: "NOT_ENOUGH_BALANCE" } }
const challenged = { ...card, credit_card_number: "4212345678910006" }

/** Submits the form of a page to the address in it, with more fields, and returns the next page. */
const submit = (
  { visit }: Visit.ShopVisit,
  from: string,
  { body }: Visit.Page,
  fields: Record<string, string> = {}
) => {
  const { action, hidden } = Markup.form(body)
  const to = new URL(action ?? "", from).href
  return Effect.map(visit(to, { ...hidden, ...fields }), (page) => ({ page, at: to }))
}

/** Goes with the customer through the hidden frame and the challenge of the issuer. */
const authenticate = Effect.fnUntraced(function* (address: string) {
  const browser = Visit.make(address, { "user-agent": "Mozilla/5.0", "accept-language": "en", accept: "text/html" })
  const frame = yield* submit(browser, address, yield* browser.visit(address))
  yield* submit(browser, frame.at, frame.page)
  const challenge = yield* browser.until(address, ({ hidden }) => hidden.creq !== undefined)
  const question = yield* submit(browser, address, challenge)
  yield* say(row("issuer", `asks for the password at ${question.at}`))
  const answer = yield* submit(browser, question.at, question.page, { password: "password" })
  yield* submit(browser, answer.at, answer.page)
})

/** Pays with a card whose issuer challenges the cardholder. Returns a message for each field that differs from what is expected. */
export const challenge = Effect.gen(function* () {
  const inbox = yield* Inbox
  const client = yield* PayClient.PayClient
  const client_orderid = `${yield* StepRunner.freshName}-challenge`
  const request = yield* StepRunner.ask({
    title: "A sale with 3-D Secure: Adyen authenticates, and the issuer challenges the cardholder",
    operation: SALE,
    endpointId,
    fields: {
      ...PaymentSteps.card(yield* StepRunner.year),
      ...PaymentSteps.payer,
      ...challenged,
      ...{ client_orderid, order_desc: "A bench", amount: "250.00", currency: "USD" },
      ...{ redirect_url: "https://shop.example/back", server_callback_url: inbox.url }
    }
  })
  const names = { client_orderid, orderid: request.orderid }
  const { "redirect-to": address } = yield* client
    .status(names, { endpointId })
    .pipe(Effect.repeat({ until: (status) => status["redirect-to"] !== undefined }))
  yield* authenticate(String(address))
  const expect = { status: "approved", "captured-amount": "250.00", "verified-3d-status": "AUTHENTICATED" }
  return yield* StepRunner.awaitCallback(request, expect, true)
})
