/** The making of a control, step by step, so that each step can be done wrong on purpose. */
import { hash } from "node:crypto"
import type { OtherKey } from "./KeyMistakes.ts"

export interface Part {
  readonly slot: string
  readonly value: string
}

export interface ControlDraft {
  readonly parts: ReadonlyArray<Part>
  readonly key: string
  readonly join: (parts: ReadonlyArray<Part>, key: string) => string
  readonly bytes: (text: string) => Buffer
  readonly digest: (bytes: Buffer, key: string) => Buffer
  readonly print: (digest: Buffer) => string
  /** What the steps may take by mistake. */
  readonly fields: Readonly<Record<string, string | undefined>>
  readonly otherKeys: ReadonlyArray<OtherKey>
  readonly otherIds: ReadonlyArray<string>
  readonly readings: ReadonlyArray<Reading>
}

/** Values that a merchant may have signed in place of some that the rules refuse, and in words what they are. */
export interface Reading {
  readonly says: string
  readonly values: Readonly<Record<string, string | undefined>>
}

/** The steps as the specification has them. */
export const correct = {
  join: (parts, key) => parts.map(({ value }) => value).join("") + key,
  bytes: (text) => Buffer.from(text),
  digest: (bytes) => hash("sha1", bytes, "buffer"),
  print: (digest) => digest.toString("hex")
} satisfies Partial<ControlDraft>

export const render = (draft: ControlDraft): string =>
  draft.print(draft.digest(draft.bytes(draft.join(draft.parts, draft.key)), draft.key))

/** The text that is hashed, with another text in place of the key. */
export const masked = ({ join, key, parts }: ControlDraft, ownKey: string, mask: string): string =>
  join(parts, key === ownKey ? mask : `${mask}, changed`)
