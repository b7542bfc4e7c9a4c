/**
 * Checks the recipient's entry in the payout form: it completes the payout to the request that the operation `payout` takes, whose
 * rules then apply. From here on, the destination is `Redacted` and is never part of a page.
 */
import * as Blanks from "@pay/schema/Blanks"
import type { FieldTexts } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Redacted, Result } from "effect"
import type { Kind as Way } from "../../recipients/Destination.ts"
import * as NormalFields from "../NormalFields.ts"
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

const { PAYOUT } = PayApi.operations

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
      readonly takes: keyof typeof PAYOUT.fields
      readonly names: keyof typeof PAYOUT.fields
      readonly missing: Flaw
      readonly wrong: Flaw
    }
  >
>

/** The field on the page that belongs to a way. */
export const fieldOf = (way: Way): FieldName => entries[way].field

/** Returns the normal form of a request that the operation `payout` accepts; `undefined` if it refuses the request. */
const accepted = (request: FieldTexts): FieldTexts | undefined => {
  const { fields, problems } = NormalFields.of(PAYOUT, request)
  return problems.length === 0 && Result.isSuccess(PAYOUT.decodeFields(fields)) ? fields : undefined
}

/**
 * Checks the fields. `offered`: the ways of this payout. `payout`: the fields of a payout request that the merchant has given. The
 * entry consists of those that name its destination.
 */
export const check = (
  read: (name: FieldName) => string,
  offered: ReadonlyArray<Way>,
  payout: FieldTexts
): Checked<Redacted.Redacted<FieldTexts>, Retry> => {
  const way = offered.find((candidate) => candidate === read("way"))
  const { field, missing, names, takes, wrong } = entries[way ?? "account"]
  const recipient = Blanks.trim(read("recipient"))
  const isName = PAYOUT.infos.get(names)?.flaw(recipient) === undefined && !CardEntry.longDigits.test(recipient)
  const flaws: Record<string, Flaw> = {}
  if (way === undefined) flaws.way = "wayMissing"
  if (recipient === "") flaws.recipient = "recipientMissing"
  else if (!isName) flaws.recipient = "recipientWrong"
  const typed = way === undefined ? "" : Blanks.trim(read(field))
  const request = accepted({ ...payout, [takes]: typed, ...(isName && recipient !== "" ? { [names]: recipient } : {}) })
  if (way !== undefined && (typed === "" || typed === "+")) flaws[field] = missing
  else if (way !== undefined && request === undefined) flaws[field] = wrong
  if (request === undefined || Object.keys(flaws).length > 0)
    return { _tag: "Flawed", flaws, kept: { way, recipient: isName ? recipient : "" } }
  const entry = { [takes]: request[takes] ?? "", [names]: request[names] ?? "" }
  return { _tag: "Entered", entry: Redacted.make(entry, { label: "destination" }) }
}
