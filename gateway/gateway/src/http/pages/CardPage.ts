/** The page on which the customer enters the card. */
import * as BrowserForm from "@pay/schema/BrowserForm"
import { type Html, html, trusted } from "../../kernel/Html.ts"
import * as CardBrands from "./CardBrands.ts"
import type { FieldName, Flaws, RetainedValues } from "./CardEntry.ts"
import * as EntryForm from "./EntryForm.ts"
import * as Language from "./Language.ts"
import { fill, type Texts } from "./Language.ts"
import type { HtmlPage } from "./Layout.ts"
import * as Payment from "./Payment.ts"
import * as Scripts from "./Scripts.ts"
import * as StatePage from "./StatePage.ts"

export interface View extends EntryForm.View {
  readonly flaws: Flaws
  readonly kept: RetainedValues
  /** Whether the customer also enters the card that receives the money. */
  readonly asksReceiver: boolean
}

const order: ReadonlyArray<FieldName> = ["number", "expiry", "code", "holder", "receiver"]

const fields = (texts: Texts, { asksReceiver, flaws, kept }: View): Html => {
  const { errors } = texts
  const field = EntryForm.fields(order, flaws, errors)
  return html`${field({
    name: "number",
    label: texts.cardNumber,
    value: "",
    attributes: `type="text" inputmode="numeric" autocomplete="cc-number" enterkeyhint="next" dir="ltr" maxlength="64" spellcheck="false"`,
    says: html`data-missing="${errors.numberMissing}" data-wrong="${errors.numberWrong}"`,
    beside: trusted(`<span class="unseen" id="brand" aria-live="polite"></span>`),
    below: CardBrands.marks(texts.acceptedCards)
  })}<div class="pair">${field({
    name: "expiry",
    label: texts.expiry,
    value: kept.expiry,
    hint: texts.expiryHint,
    attributes: `type="text" inputmode="numeric" autocomplete="cc-exp" enterkeyhint="next" dir="ltr" maxlength="32" spellcheck="false"`,
    says: html`data-missing="${errors.expiryMissing}" data-wrong="${errors.expiryWrong}" data-past="${errors.expiryPast}"`
  })}${field({
    name: "code",
    label: texts.securityCode,
    value: "",
    hint: texts.securityCodeHint,
    attributes: `type="text" inputmode="numeric" autocomplete="cc-csc" enterkeyhint="next" dir="ltr" maxlength="16" spellcheck="false"`,
    says: html`data-missing="${errors.codeMissing}" data-wrong="${errors.codeWrong}" data-wrong-three="${errors.codeThree}" data-wrong-four="${errors.codeFour}" data-three="${texts.securityCodeHint}" data-four="${texts.securityCodeHintFour}"`,
    beside: CardBrands.code
  })}</div>${field({
    name: "holder",
    label: texts.holder,
    value: kept.holder,
    attributes: `type="text" autocomplete="cc-name" autocapitalize="words" maxlength="128" spellcheck="false"`,
    says: html`data-missing="${errors.holderMissing}" data-wrong="${errors.holderWrong}"`
  })}${
    asksReceiver &&
    field({
      name: "receiver",
      label: texts.receiverNumber,
      value: "",
      attributes: `type="text" inputmode="numeric" autocomplete="off" dir="ltr" maxlength="64" spellcheck="false"`,
      says: html`data-missing="${errors.numberMissing}" data-wrong="${errors.numberWrong}"`
    })
  }`
}

/** Hidden fields about the browser, which the script fills in for 3-D Secure. */
const browserFields = StatePage.hiddenFields(Object.entries(BrowserForm.form))

export const page = (language: Language.Language, view: View): HtmlPage => {
  const texts = Language.languages[language]
  const { failure, isEncrypted, payment } = view
  const verification = payment.order.kind === "verification"
  const words = verification ? { ...texts, ...texts.verification } : texts
  const titles = { refused: words.declinedTitle, unconfirmed: words.unconfirmedTitle, failed: words.failedTitle }
  return EntryForm.page(language, view, {
    testCards: "closed",
    title: verification ? texts.verifyCard : `${texts.payTo} ${payment.merchant}`,
    heading: texts.cardDetails,
    attributes: `id="card" autocomplete="on"`,
    fields: html`${browserFields}${fields(texts, view)}`,
    button: verification ? texts.confirmCard : fill(texts.pay, { amount: Payment.amountText(language, payment) }),
    secure: isEncrypted ? texts.secure : texts.secureWithoutTls,
    againTitle: titles[failure],
    again: texts.declinedAgain,
    script: Scripts.cardForm
  })
}
