/** The values of `status` for an order or a follow-up. The specification lists none; these are the public ones. */

/** All statuses. `processing` and `unknown` can still change; the others are final. */
export const all = ["processing", "unknown", "approved", "declined", "error", "filtered"] as const

export type Status = (typeof all)[number]

const moving: ReadonlySet<string> = new Set<Status>(["processing", "unknown"])
const values: ReadonlySet<string> = new Set(all)

/** Whether the text is one of {@link all}. A status that is not in the list is kept as text, and is not final. */
export const isKnown = (text: string): text is Status => values.has(text)

/** Whether the status can no longer change, so that polling can stop. A status that is not in {@link all} is not final. */
export const isFinal = (text: string): boolean => values.has(text) && !moving.has(text)
