/** Requests that the gateway accepts: the contract's samples with the cards of the file and a new order id. */

import type { Operation as AnyOperation } from "@pay/schema/Operation"
import * as Operation from "@pay/schema/Operation"
import * as Sample from "@pay/schema/Sample"
import { Effect, Redacted } from "effect"
import type { Fields } from "./Draft.ts"
import { Gateway } from "./Gateway.ts"
import type { Card, Settings } from "./Settings.ts"

/** The amount of every sample, in major units. */
export const amount = "10.42"

/** The fields of a card that pays. */
export const cardFields = ({ cvv, expireMonth, expireYear, holder, number }: Card, approved: Card): Fields => ({
  card_printed_name: holder ?? approved.holder ?? "JOHN SMITH",
  credit_card_number: Redacted.value(number),
  expire_month: expireMonth ?? approved.expireMonth ?? "12",
  expire_year: expireYear ?? approved.expireYear ?? "2035",
  cvv2: Redacted.value(cvv ?? approved.cvv ?? Redacted.make("123"))
})

/** Whether the operation pays money from the merchant's balance to a recipient of the request. */
const paysOut = ({ fields }: AnyOperation): boolean => "account_number" in fields

const recipientOf = ({ recipients }: Settings): string | undefined =>
  recipients?.paidCard === undefined ? undefined : Redacted.value(recipients.paidCard)

/** Returns the values that come from the file, by the names of the wire. */
const valuesOf = (operation: AnyOperation, settings: Settings): Fields => {
  const { approved } = settings.cards
  const { card_printed_name, credit_card_number, cvv2, expire_month, expire_year } = cardFields(approved, approved)
  const payer = {
    card_printed_name: card_printed_name ?? "",
    "card-printed-name": card_printed_name ?? "",
    credit_card_number: credit_card_number ?? "",
    "sending-card-number": credit_card_number ?? "",
    expire_month: expire_month ?? "",
    expire_year: expire_year ?? "",
    cvv2: cvv2 ?? ""
  }
  const recipient = recipientOf(settings)
  const receiver = recipient === undefined ? {} : { "destination-card-no": recipient }
  // Checks of requests move no money where the file has a recipient whom the rail refuses.
  const account = settings.recipients?.refused ?? settings.recipients?.paid
  const destination = account === undefined ? {} : { account_number: Redacted.value(account) }
  const own = { login: settings.login, amount, currency: settings.currency }
  return paysOut(operation) ? { ...own, ...destination } : { ...own, ...payer, ...receiver }
}

/** Returns the optional fields that complete a sample: the security code, for a payment with a card. */
const added = (operation: AnyOperation, sample: Fields): ReadonlyArray<string> =>
  operation.infos.has("cvv2") && sample.credit_card_number !== undefined && !paysOut(operation) ? ["cvv2"] : []

/** Replaces the card of a payout's sample by an account. */
const changed = (operation: AnyOperation, sample: Fields): Fields => {
  if (!paysOut(operation)) return sample
  const { credit_card_number: _, ...fields } = sample
  return { ...fields, account_number: operation.infos.get("account_number")?.sample ?? "" }
}

/** Returns the name under which the request's callback is expected. Undefined if the operation or the gateway sends none. */
export const callbackName = (fields: Fields): string | undefined =>
  fields.server_callback_url?.split("/").at(-1)?.split("?")[0]

/**
 * Returns the fields of a request, complete and correct. `changes` replace fields; a change to an empty text leaves a field out.
 */
export const request = Effect.fnUntraced(function* (operation: AnyOperation, changes: Fields = {}) {
  const { facts, freshId, hasCallbacks, inbox } = yield* Gateway
  const sample = changed(operation, Sample.request(operation))
  const values = valuesOf(operation, facts.settings)
  const names = [...Object.keys(sample), ...added(operation, sample)]
  const id = freshId()
  const orderName = Operation.clientOrderNames.find((name) => name in operation.fields)
  const fields: Fields = {
    ...Object.fromEntries(names.map((name) => [name, values[name] ?? sample[name] ?? ""])),
    ...(sample.redirect_url !== undefined && { redirect_url: inbox.returnAddress }),
    ...(orderName !== undefined && { [orderName]: id }),
    ...(hasCallbacks && operation.infos.has("server_callback_url") && { server_callback_url: inbox.address(id) }),
    ...changes
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""))
})
