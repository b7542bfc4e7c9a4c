/**
 * Checks the customer's entry in the card form, field by field. From here on, the number and the security code are `Redacted` and
 * are never part of a page.
 */
import * as Blanks from "@pay/schema/Blanks"
import * as CardRules from "@pay/schema/Card"
import * as CardInput from "@pay/schema/CardInput"
import * as Characters from "@pay/schema/Characters"
import * as Rule from "@pay/schema/Rule"
import { Redacted } from "effect"
import type { CardEntry } from "../../hosted/SubmitCard.ts"
import { brandOf } from "./CardBrands.ts"
import type { Checked } from "./EntryForm.ts"
import type { Texts } from "./Language.ts"

export type FieldName = "number" | "expiry" | "code" | "holder" | "receiver"
export type Flaws = { readonly [F in FieldName]?: keyof Texts["errors"] }

/** The flaws of an entry, and the values that the customer need not type again. */
export interface Retry {
  readonly flaws: Flaws
  readonly kept: RetainedValues
}

export interface RetainedValues {
  readonly expiry: string
  readonly holder: string
}

const ownCard = Rule.noCardData(["number"], ["code"])

const longestHolder = 128
const unprintable = /\p{Cc}/u

const numberFlaw = (number: string): "numberMissing" | "numberWrong" | undefined =>
  number === "" ? "numberMissing" : CardRules.isNumber(number) ? undefined : "numberWrong"

/** `length`: the number of digits of this brand's security codes. */
const codeFlaw = (code: string, length: 3 | 4 | undefined): Pick<Flaws, "code"> => {
  if (code === "") return { code: "codeMissing" }
  if (!/^\d{3,4}$/.test(code)) return { code: "codeWrong" }
  if (length === undefined || code.length === length) return {}
  return { code: length === 4 ? "codeFour" : "codeThree" }
}

/** Checks the fields. `asksReceiver`: the customer also enters the card that receives the money. */
export const check = (
  read: (name: FieldName) => string,
  nowMs: number,
  asksReceiver: boolean
): Checked<CardEntry, Retry> => {
  const receiver = asksReceiver ? CardInput.number(read("receiver")) : undefined
  const wrongReceiver = receiver === undefined ? undefined : numberFlaw(receiver)
  const number = CardInput.number(read("number"))
  const wrongNumber = numberFlaw(number)
  const code = CardInput.code(read("code"))
  const holder = Blanks.oneLine(Blanks.trim(read("holder")))
  const isCard = ownCard.problems({ number, code, holder_name: holder }).length > 0
  const expiryText = read("expiry").trim()
  const expiry = CardInput.expiry(expiryText)
  const flaws: Flaws = {
    ...(wrongNumber === undefined ? {} : { number: wrongNumber }),
    ...(wrongReceiver === undefined ? {} : { receiver: wrongReceiver }),
    ...(expiryText === ""
      ? { expiry: "expiryMissing" }
      : expiry === undefined
        ? { expiry: "expiryWrong" }
        : CardRules.isExpired(expiry, nowMs)
          ? { expiry: "expiryPast" }
          : {}),
    ...codeFlaw(code, brandOf(number)?.codeLength),
    ...(holder === ""
      ? { holder: "holderMissing" }
      : Characters.isLonger(holder, longestHolder) || unprintable.test(holder) || longDigits.test(holder) || isCard
        ? { holder: "holderWrong" }
        : {})
  }
  if (expiry === undefined || Object.keys(flaws).length > 0) {
    return {
      _tag: "Flawed",
      flaws,
      kept: retainedOf(expiry === undefined ? "" : CardInput.shownExpiry(expiryText), isCard ? "" : holder)
    }
  }
  return {
    _tag: "Entered",
    entry: {
      pan: Redacted.make(number, { label: "pan" }),
      cvv: Redacted.make(code, { label: "cvv" }),
      receiver: receiver === undefined ? undefined : Redacted.make(receiver, { label: "pan" }),
      cardholder: holder,
      expireMonth: expiry.month,
      expireYear: expiry.year
    }
  }
}

/**
 * Matches seven or more digits, in any script and grouping. Such a text in a name field is not a name but probably a card number,
 * which must not be part of a page.
 */
export const longDigits = /(?:\p{Nd}\P{Nd}*){7}/u

const retainedOf = (expiry: string, holder: string): RetainedValues => ({
  expiry,
  holder: Characters.isLonger(holder, longestHolder) || longDigits.test(holder) ? "" : holder
})
