/**
 * Checks the recipient's entry in the payout form, field by field by the contract's own rules. From here on, the destination is
 * `Redacted` and is never part of a page.
 */
import * as Field from "@pay/schema/Field"
import type { FieldTexts } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Redacted } from "effect"
import type { Kind as Way } from "../../recipients/Destination.ts"
import * as CardEntry from "./CardEntry.ts"
import type { Checked } from "./EntryForm.ts"
import type { PayoutTexts, Texts } from "./Language.ts"

export type FieldName = "way" | "number" | "account" | "phone" | "wallet" | "recipient"
type Flaw = keyof PayoutTexts["errors"] | keyof Texts["errors"]
export type Flaws = { readonly [F in FieldName]?: Flaw }

/** The values that the recipient need not type again. */
export interface RetainedValues {
  readonly way: Way | undefined
  readonly recipient: string
}

export interface Retry {
  readonly flaws: Flaws
  readonly kept: RetainedValues
}

const { fields: request } = PayApi.operations.PAYOUT.request

/** Maps each way to the field of the page, the field of the contract that takes it, and the field that takes the name. */
const entries = {
  card: {
    field: "number",
    takes: "credit_card_number",
    names: "card_printed_name",
    missing: "numberMissing",
    wrong: "numberWrong"
  },
  account: {
    field: "account",
    takes: "account_number",
    names: "account_name",
    missing: "accountMissing",
    wrong: "accountWrong"
  },
  phone: { field: "phone", takes: "phone", names: "account_name", missing: "phoneMissing", wrong: "phoneWrong" },
  wallet: {
    field: "wallet",
    takes: "ewallet_id",
    names: "account_name",
    missing: "walletMissing",
    wrong: "walletWrong"
  }
} as const satisfies Readonly<
  Record<
    Way,
    {
      readonly field: FieldName
      readonly takes: keyof typeof request
      readonly names: keyof typeof request
      readonly missing: Flaw
      readonly wrong: Flaw
    }
  >
>

/** The field on the page that belongs to a way. */
export const fieldOf = (way: Way): FieldName => entries[way].field

/** Converts each input to the form of the contract: cards and phones in digits, accounts without printed spaces. */
const tidy: Readonly<Record<Way, (text: string) => string>> = {
  card: CardEntry.digitsOf,
  account: (text) => text.replace(/[\s\u00a0]/g, "").toUpperCase(),
  phone: (text) => `${text.trimStart().startsWith("+") ? "+" : ""}${CardEntry.digitsOf(text).replace(/\D/g, "")}`,
  wallet: (text) => text.trim()
}

/**
 * Checks the fields. `offered`: the ways of this payout. The entry consists of the fields of a payout request that name its
 * destination.
 */
export const check = (
  read: (name: FieldName) => string,
  offered: ReadonlyArray<Way>
): Checked<Redacted.Redacted<FieldTexts>, Retry> => {
  const way = offered.find((candidate) => candidate === read("way"))
  const recipient = read("recipient").trim()
  const named = Field.info(request[entries[way ?? "account"].names]).flaw(recipient) === undefined
  const isName = named && !CardEntry.longDigits.test(recipient)
  const flaws: Record<string, Flaw> = {}
  if (way === undefined) flaws.way = "wayMissing"
  if (recipient === "") flaws.recipient = "recipientMissing"
  else if (!isName) flaws.recipient = "recipientWrong"
  if (way === undefined) return { _tag: "Flawed", flaws, kept: { way, recipient: isName ? recipient : "" } }
  const { field, missing, names, takes, wrong } = entries[way]
  const typed = tidy[way](read(field))
  if (typed === "" || typed === "+") flaws[field] = missing
  else if (Field.info(request[takes]).flaw(typed) !== undefined) flaws[field] = wrong
  return Object.keys(flaws).length > 0
    ? { _tag: "Flawed", flaws, kept: { way, recipient: isName ? recipient : "" } }
    : { _tag: "Entered", entry: Redacted.make({ [takes]: typed, [names]: recipient }, { label: "destination" }) }
}
