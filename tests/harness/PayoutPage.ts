/** A payout whose recipient says on the gateway's page where the money goes. */
import * as TestRecipients from "@pay/sandbox/TestRecipients"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as HostedPage from "./HostedPage.ts"
import * as OAuth from "./OAuth.ts"
import * as TestMerchant from "./TestMerchant.ts"

const { PAYOUTFORM } = PayApi.operations
export const shop = "https://shop.example/back"

/** A merchant asks for a page on which the recipient says where 10.42 USD go. */
export const open = Effect.fnUntraced(function* (fields: TestMerchant.Fields = {}, parts: OAuth.Parts = {}) {
  const client_orderid = TestMerchant.freshId()
  const reply = yield* OAuth.send(PAYOUTFORM, {
    ...parts,
    fields: { client_orderid, amount: "10.42", currency: "USD", redirect_url: shop, ...fields }
  })
  TestMerchant.assertAccepted(reply)
  return { reply, url: TestMerchant.text(reply, "redirect-url"), order: TestMerchant.nameOf(reply) }
})

export const toAccount: TestMerchant.Fields = {
  way: "account",
  account: "DE89 3704 0044 0532 0130 00",
  recipient: "Jane Doe"
}

/** To the account for which the table plans this. */
export const planned = (name: string): TestMerchant.Fields => ({
  way: "account",
  account: TestRecipients.byName(name)?.numbers.account ?? "",
  recipient: "Jane Doe"
})

/** The recipient fills in the page; what they see once the rail has answered. */
export const receive = Effect.fnUntraced(function* (url: string, fields: TestMerchant.Fields, attempts = "0") {
  yield* HostedPage.visit(url, { form: { attempts, action: "pay", ...fields } })
  yield* TestMerchant.settled
  return yield* HostedPage.browse(url)
})
