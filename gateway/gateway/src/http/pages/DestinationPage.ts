/**
 * The page on which the recipient of a payout enters the destination of the money. Without JavaScript, the style sheet alone
 * shows the fields of the chosen way.
 */

import { type Html, html, trusted } from "../../kernel/Html.ts"
import type { Kind as Way } from "../../recipients/Destination.ts"
import { type FieldName, type Flaws, fieldOf, type RetainedValues } from "./DestinationEntry.ts"
import * as EntryForm from "./EntryForm.ts"
import * as Language from "./Language.ts"
import { fill, type Texts } from "./Language.ts"
import type { HtmlPage } from "./Layout.ts"
import * as Payment from "./Payment.ts"
import * as Scripts from "./Scripts.ts"

export interface View extends EntryForm.View {
  /** The ways of this payout. */
  readonly ways: ReadonlyArray<Way>
  readonly flaws: Flaws
  readonly kept: RetainedValues
}

const order: ReadonlyArray<FieldName> = ["way", "number", "account", "phone", "wallet", "recipient"]

/** Returns the label, the hint and the input attributes of a way's field. */
const inputOf = (
  texts: Texts,
  way: Way
): { readonly label: string; readonly hint?: string; readonly attributes: string } => {
  const { payout } = texts
  const plain = `type="text" dir="ltr" spellcheck="false" autocapitalize="off"`
  switch (way) {
    case "card":
      return {
        label: texts.cardNumber,
        attributes: `${plain} inputmode="numeric" autocomplete="cc-number" maxlength="25"`
      }
    case "account":
      return {
        label: payout.account,
        hint: payout.accountHint,
        attributes: `${plain} autocomplete="off" maxlength="64"`
      }
    case "phone":
      return {
        label: payout.phone,
        hint: payout.phoneHint,
        attributes: `type="tel" dir="ltr" inputmode="tel" autocomplete="tel" maxlength="50"`
      }
    case "wallet":
      return { label: payout.wallet, attributes: `${plain} autocomplete="off" maxlength="128"` }
  }
}

const fields = (texts: Texts, { flaws, kept, ways }: View): Html => {
  const { payout } = texts
  const errors = { ...texts.errors, ...payout.errors }
  const chosen = kept.way ?? ways[0]
  const field = EntryForm.fields(order, flaws, errors)
  const choice = (way: Way) =>
    html`<label class="way"><input type="radio" name="way" value="${way}"${way === chosen && trusted(" checked")}><span>${payout.ways[way]}</span></label>`
  const part = (way: Way) =>
    html`<div class="part" data-way="${way}">${field({ name: fieldOf(way), ...inputOf(texts, way), value: "" })}</div>`
  return html`<fieldset class="ways"><legend>${payout.way}</legend>${ways.map(choice)}${
    flaws.way !== undefined && html`<p class="error">${errors[flaws.way]}</p>`
  }</fieldset>${ways.map(part)}${field({
    name: "recipient",
    label: payout.recipient,
    value: kept.recipient,
    attributes: `type="text" autocomplete="name" maxlength="128" spellcheck="false"`
  })}`
}

export const page = (language: Language.Language, view: View): HtmlPage => {
  const texts = Language.languages[language]
  const { payment } = view
  return EntryForm.page(language, view, {
    title: `${texts.payout.from} ${payment.merchant}`,
    heading: texts.payout.heading,
    attributes: `id="destination"`,
    fields: fields(texts, view),
    button: fill(texts.payout.receive, { amount: Payment.amountText(language, payment) }),
    secure: view.isEncrypted ? texts.payout.secure : texts.payout.secureWithoutTls,
    againTitle: texts.payout.refusedAgainTitle,
    again: texts.payout.refusedAgain,
    script: Scripts.once
  })
}
