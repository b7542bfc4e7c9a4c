/** The page on which the customer enters the card. */

import { type Html, html, own } from "../../kernel/Html.ts"
import type { FieldName, Flaws, Kept } from "./CardEntry.ts"
import * as CardPictures from "./CardPictures.ts"
import * as FormField from "./FormField.ts"
import * as Language from "./Language.ts"
import type { Page } from "./Layout.ts"
import * as Payment from "./Payment.ts"
import * as Scripts from "./Scripts.ts"
import { counted, fill, type Texts } from "./Texts.ts"

export interface View {
  readonly payment: Payment.Payment
  /** Attempts made: comes back with the form, so that an older page starts nothing. */
  readonly attempts: number
  readonly attemptsLeft: number
  readonly flaws: Flaws
  readonly kept: Kept
  /** The customer also names the card that receives the money. */
  readonly asksReceiver: boolean
}

/** Beside what a page says of safety. */
export const lock = own(
  `<svg viewBox="0 0 16 16" aria-hidden="true" fill="currentColor"><path d="M8 1a3.5 3.5 0 0 0-3.5 3.5V6H4a1.5 1.5 0 0 0-1.5 1.5v5A1.5 1.5 0 0 0 4 14h8a1.5 1.5 0 0 0 1.5-1.5v-5A1.5 1.5 0 0 0 12 6h-.5V4.500A3.500 3.500 0 0 0 8 1Zm2 5H6V4.500a2 2 0 0 1 4 0V6Z"/></svg>`
)

const order: ReadonlyArray<FieldName> = ["number", "expiry", "code", "holder", "receiver"]

const fields = (texts: Texts, { asksReceiver, flaws, kept }: View): Html => {
  const { errors } = texts
  const first = order.find((name) => flaws[name] !== undefined)
  const field = (given: Omit<FormField.Field, "error" | "first"> & { readonly name: FieldName }) => {
    const flaw = flaws[given.name]
    return FormField.render({ ...given, error: flaw && errors[flaw], first: given.name === first })
  }
  return html`${field({
    name: "number",
    label: texts.cardNumber,
    value: "",
    attributes: `type="text" inputmode="numeric" autocomplete="cc-number" enterkeyhint="next" dir="ltr" maxlength="25" spellcheck="false"`,
    says: html`data-missing="${errors.numberMissing}" data-wrong="${errors.numberWrong}"`,
    beside: own(`<span class="unseen" id="brand" aria-live="polite"></span>`),
    below: CardPictures.marks(texts.acceptedCards)
  })}<div class="pair">${field({
    name: "expiry",
    label: texts.expiry,
    value: kept.expiry,
    hint: texts.expiryHint,
    attributes: `type="text" inputmode="numeric" autocomplete="cc-exp" enterkeyhint="next" dir="ltr" maxlength="9" spellcheck="false"`,
    says: html`data-missing="${errors.expiryMissing}" data-wrong="${errors.expiryWrong}" data-past="${errors.expiryPast}"`
  })}${field({
    name: "code",
    label: texts.securityCode,
    value: "",
    hint: texts.securityCodeHint,
    attributes: `type="text" inputmode="numeric" autocomplete="cc-csc" enterkeyhint="next" dir="ltr" maxlength="4" spellcheck="false"`,
    says: html`data-missing="${errors.codeMissing}" data-wrong="${errors.codeWrong}" data-three="${texts.securityCodeHint}" data-four="${texts.securityCodeHintFour}"`,
    beside: CardPictures.code
  })}</div>${field({
    name: "holder",
    label: texts.holder,
    value: kept.holder,
    attributes: `type="text" autocomplete="cc-name" autocapitalize="words" maxlength="128" spellcheck="false"`,
    says: html`data-missing="${errors.holderMissing}"`
  })}${
    asksReceiver &&
    field({
      name: "receiver",
      label: texts.receiverNumber,
      value: "",
      attributes: `type="text" inputmode="numeric" autocomplete="off" dir="ltr" maxlength="25" spellcheck="false"`
    })
  }`
}

const declinedTitle = (texts: Texts, { payment }: View): string =>
  (payment.order.kind === "verification" ? texts.verification : texts).declinedTitle

const notice = (texts: Texts, view: View): Html | undefined => {
  if (Object.keys(view.flaws).length > 0) return html`<p class="notice" role="alert">${texts.checkFields}</p>`
  return view.attempts === 0
    ? undefined
    : html`<p class="notice" role="alert"><strong>${declinedTitle(texts, view)}</strong>${counted(texts.declinedAgain, view.attemptsLeft)}</p>`
}

/** Filled in by the script, for 3-D Secure. */
const browserFields = own(
  ["colorDepth", "screenHeight", "screenWidth", "timeZone", "java"]
    .map((name) => `<input type="hidden" name="${name}">`)
    .join("")
)

export const page = (language: Language.Language, view: View): Page => {
  const texts = Language.languages[language]
  const { attempts, flaws, payment } = view
  const flawed = Object.keys(flaws).length > 0
  const verification = payment.order.kind === "verification"
  const label = verification ? texts.confirmCard : fill(texts.pay, { amount: Payment.amountText(language, payment) })
  const title = verification ? texts.verifyCard : `${texts.payTo} ${payment.merchant}`
  return {
    status: flawed ? 422 : 200,
    language,
    brand: payment.brand,
    testCards: "closed",
    title: flawed ? `${texts.errorPrefix}: ${title}` : title,
    main: html`${Payment.head(language, payment)}${notice(texts, view)}<h2>${texts.cardDetails}</h2><form id="card" method="post" autocomplete="on" novalidate><input type="hidden" name="attempts" value="${attempts}">${browserFields}${fields(texts, view)}<button id="pay" name="action" value="pay" data-busy="${texts.paying}">${label}</button><button class="quiet" name="action" value="cancel" formnovalidate>${texts.cancel}</button><p class="secure">${lock}<span>${texts.secure}</span></p></form>`,
    scripts: [Scripts.cardForm],
    formAction: ["'self'"]
  }
}
