/** The making of a control, step by step, so that each step can be done wrong on purpose. */
import "../OldNode.ts"
import * as crypto from "node:crypto"
import type { AmountForm } from "./AmountForms.ts"
import type { OtherKey } from "./KeyMistakes.ts"
import type { Steps } from "./Mistake.ts"
import * as Printed from "./Printed.ts"
import type { Ending } from "./Search.ts"

/** The slot of the key, the last one of the text. No field has this name. */
export const KEY = "control key"

/** A value of the text, with its slot. */
export interface Part {
  readonly slot: string
  readonly value: string
}

/** The input of a control and its steps, each of which a mistake can replace. */
export interface ControlDraft extends Steps {
  /** The texts by slot: those of the recipe, the other fields of the request, `login`, `endpointId` and the key. */
  readonly values: Readonly<Record<string, string>>
  /** The slots that are joined, in their order, with that of the key. */
  readonly slots: ReadonlyArray<string>
  /** Writes each value except the key. */
  readonly write: (value: string) => string
  /** Selects what is joined. An HMAC leaves out the key. */
  readonly take: (parts: ReadonlyArray<Part>) => ReadonlyArray<Part>
  readonly join: (parts: ReadonlyArray<Part>) => string
  /** Changes the whole text. */
  readonly whole: (text: string) => string
  readonly bytes: (text: string) => string | Buffer
  readonly digest: (bytes: string | Buffer, key: string) => Buffer
  readonly print: (digest: Buffer) => string
  /** The slots of the recipe. */
  readonly recipe: ReadonlyArray<string>
  /** The request's fields as sent, with `login` and `endpointId`, in which the amount is not converted. */
  readonly fields: Readonly<Record<string, string | undefined>>
  /** The body as it was sent, without `control`. */
  readonly body: string | undefined
  /** Wrong forms of the amount. */
  readonly amounts: ReadonlyArray<AmountForm>
  readonly otherKeys: ReadonlyArray<OtherKey>
  readonly otherIds: ReadonlyArray<string>
  readonly readings: ReadonlyArray<Reading>
}

/** Values that a merchant may have signed instead of values that break a rule. `says` describes them. */
export interface Reading {
  readonly says: string
  readonly values: Readonly<Record<string, string | undefined>>
}

/** The correct steps (docs/specification.md#control). */
export const correct = {
  write: (value) => value,
  take: (parts) => parts,
  join: (parts) => parts.map(({ value }) => value).join(""),
  whole: (text) => text,
  bytes: (text) => text,
  digest: (bytes) => crypto.hash("sha1", bytes, "buffer"),
  print: (digest) => digest.toString("hex")
} satisfies Partial<ControlDraft>

/** Returns the text that is hashed, with `key` as the key. */
export const textOf = ({ join, slots, take, values, whole, write }: ControlDraft, key = values[KEY]): string =>
  whole(join(take(slots.map((slot) => ({ slot, value: (slot === KEY ? key : write(values[slot] ?? "")) ?? "" })))))

/** Makes the control by the steps of the draft. */
const render = (draft: ControlDraft): string => {
  const bytes = draft.bytes(textOf(draft))
  return draft.digest === correct.digest && draft.print === correct.print
    ? crypto.hash("sha1", bytes)
    : draft.print(draft.digest(bytes, draft.values[KEY] ?? ""))
}

/** Puts hex digits in lower case, because their case does not matter. Other text, such as Base64, stays as it is. */
export const fold = (text: string): string => (/^[0-9a-f]*$/i.test(text) ? text.toLowerCase() : text)

/** Returns whether a draft gives the received control, which is folded. */
export const comparing =
  (received: string) =>
  (draft: ControlDraft): boolean => {
    const made = render(draft)
    return made === received || (made.length === received.length && fold(made) === received)
  }

/** The last steps, and whether they can give a control of this length. */
export const ending = (length: number): Ending<ControlDraft> => ({
  steps: ["take", "digest", "print"],
  isPossible: ({ digest, print }) => {
    const [size, other] = [digest("", "key").length, digest("text", "key").length]
    if (size !== other) return true
    const { least, most } = Printed.lengths(size, print)
    return least <= length && length <= most
  }
})

/** Returns the text that is hashed, with `mask` in place of the key. */
export const masked = (draft: ControlDraft, ownKey: string, mask: string): string =>
  textOf(draft, draft.values[KEY] === ownKey ? mask : `${mask}, changed`)
