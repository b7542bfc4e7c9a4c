/**
 * The page on which the recipient of a payout says where the money should go. Without JavaScript the style sheet alone shows the
 * fields of the chosen way.
 */

import { type Html, html, own } from "../../kernel/Html.ts"
import type { Kind as Way } from "../../recipients/Destination.ts"
import { lock } from "./CardPage.ts"
import { type FieldName, type Flaws, fieldOf, type Kept } from "./DestinationEntry.ts"
import * as FormField from "./FormField.ts"
import * as Language from "./Language.ts"
import type { Page } from "./Layout.ts"
import * as Payment from "./Payment.ts"
import * as Scripts from "./Scripts.ts"
import { counted, fill, type Texts } from "./Texts.ts"

export interface View {
  readonly payment: Payment.Payment
  /** The ways that there are for this payout. */
  readonly ways: ReadonlyArray<Way>
  /** Attempts made: comes back with the form, so that an older page starts nothing. */
  readonly attempts: number
  readonly attemptsLeft: number
  readonly flaws: Flaws
  readonly kept: Kept
}

const order: ReadonlyArray<FieldName> = ["way", "number", "account", "phone", "wallet", "recipient"]

/** Returns the label, the hint and the input attributes of a way's field. */
const inputOf = (texts: Texts, way: Way): Pick<FormField.Field, "label" | "hint" | "attributes"> => {
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
        attributes: `${plain} autocomplete="off" maxlength="48"`
      }
    case "phone":
      return {
        label: payout.phone,
        hint: payout.phoneHint,
        attributes: `type="tel" dir="ltr" inputmode="tel" autocomplete="tel" maxlength="30"`
      }
    case "wallet":
      return { label: payout.wallet, attributes: `${plain} autocomplete="off" maxlength="128"` }
  }
}

const fields = (texts: Texts, { flaws, kept, ways }: View): Html => {
  const { payout } = texts
  const errors = { ...texts.errors, ...payout.errors }
  const first = order.find((name) => flaws[name] !== undefined)
  const chosen = kept.way ?? ways[0]
  const field = (name: FieldName, given: Omit<FormField.Field, "name" | "error" | "first">) => {
    const flaw = flaws[name]
    return FormField.render({ ...given, name, error: flaw && errors[flaw], first: name === first })
  }
  const choice = (way: Way) =>
    html`<label class="way"><input type="radio" name="way" value="${way}"${way === chosen && own(" checked")}><span>${payout.ways[way]}</span></label>`
  const part = (way: Way) =>
    html`<div class="part" data-way="${way}">${field(fieldOf(way), { ...inputOf(texts, way), value: "" })}</div>`
  return html`<fieldset class="ways"><legend>${payout.way}</legend>${ways.map(choice)}${
    flaws.way !== undefined && html`<p class="error">${errors[flaws.way]}</p>`
  }</fieldset>${ways.map(part)}${field("recipient", {
    label: payout.recipient,
    value: kept.recipient,
    attributes: `type="text" autocomplete="name" maxlength="128" spellcheck="false"`
  })}`
}

const notice = (texts: Texts, view: View): Html | undefined => {
  if (Object.keys(view.flaws).length > 0) return html`<p class="notice" role="alert">${texts.checkFields}</p>`
  return view.attempts === 0
    ? undefined
    : html`<p class="notice" role="alert"><strong>${texts.payout.refusedAgainTitle}</strong>${counted(texts.payout.refusedAgain, view.attemptsLeft)}</p>`
}

export const page = (language: Language.Language, view: View): Page => {
  const texts = Language.languages[language]
  const { attempts, flaws, payment } = view
  const flawed = Object.keys(flaws).length > 0
  const title = `${texts.payout.from} ${payment.merchant}`
  return {
    status: flawed ? 422 : 200,
    language,
    brand: payment.brand,
    title: flawed ? `${texts.errorPrefix}: ${title}` : title,
    main: html`${Payment.head(language, payment)}${notice(texts, view)}<h2>${texts.payout.heading}</h2><form id="destination" method="post" novalidate><input type="hidden" name="attempts" value="${attempts}">${fields(texts, view)}<button id="pay" name="action" value="pay" data-busy="${texts.paying}">${fill(texts.payout.receive, { amount: Payment.amountText(language, payment) })}</button><button class="quiet" name="action" value="cancel" formnovalidate>${texts.cancel}</button><p class="secure">${lock}<span>${texts.payout.secure}</span></p></form>`,
    scripts: [Scripts.once],
    formAction: ["'self'"]
  }
}
