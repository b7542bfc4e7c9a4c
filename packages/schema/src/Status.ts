/** What `status` says about an order or a follow-up. The specification shows none; these are the public ones. */

/** In the order of a life. `processing` and `unknown` still move; the others are final. */
export const all = ["processing", "unknown", "approved", "declined", "error", "filtered"] as const

export type Status = (typeof all)[number]

const moving: ReadonlySet<string> = new Set<Status>(["processing", "unknown"])
const values: ReadonlySet<string> = new Set(all)

/** Whether this is one of {@link all}. A gateway may say more: what is not known is kept, and is not final. */
export const isKnown = (text: string): text is Status => values.has(text)

/** Whether nothing more is expected: stop asking. A status that is not known is not final. */
export const isFinal = (text: string): boolean => values.has(text) && !moving.has(text)
