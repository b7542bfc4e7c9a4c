/** The making of a control, step by step, so that each step can be done wrong on purpose. */
import "../OldNode.ts"
import * as crypto from "node:crypto"
import type { AmountForm } from "./AmountForms.ts"
import type { OtherKey } from "./KeyMistakes.ts"

/** A value of the recipe, with its slot. */
export interface Part {
  readonly slot: string
  readonly value: string
}

/** The input of a control and its steps, each of which a mistake can replace. */
export interface ControlDraft {
  readonly parts: ReadonlyArray<Part>
  readonly key: string
  readonly join: (parts: ReadonlyArray<Part>, key: string) => string
  readonly bytes: (text: string) => Buffer
  readonly digest: (bytes: Buffer, key: string) => Buffer
  readonly print: (digest: Buffer) => string
  /** The fields of the request, with `login` and `endpointId`, which a step may use by mistake. */
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
  join: (parts, key) => parts.map(({ value }) => value).join("") + key,
  bytes: (text) => Buffer.from(text),
  digest: (bytes) => crypto.hash("sha1", bytes, "buffer"),
  print: (digest) => digest.toString("hex")
} satisfies Partial<ControlDraft>

/** Makes the control by the steps of the draft. */
export const render = (draft: ControlDraft): string =>
  draft.print(draft.digest(draft.bytes(draft.join(draft.parts, draft.key)), draft.key))

/** Returns the text that is hashed, with `mask` in place of the key. */
export const masked = ({ join, key, parts }: ControlDraft, ownKey: string, mask: string): string =>
  join(parts, key === ownKey ? mask : `${mask}, changed`)
