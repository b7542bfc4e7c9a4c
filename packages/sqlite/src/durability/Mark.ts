/** How far a store has come: what it says of itself, and what its witness says of it. */
export interface Mark {
  /** Random, of the store's beginning; another one since it was taken as restored. */
  readonly storeId: string
  /** Raised by each COMMIT. */
  readonly sequence: number
  /** Business time of that COMMIT. */
  readonly committedAtMs: number
  /** Business time of the store's beginning; 0: it is older than marks are. */
  readonly createdAtMs: number
}

/** What the store's own row says besides. */
export interface StoreMark extends Mark {
  /** `unwitnessed`: whatever its witness says is void, and is to be written anew. */
  readonly state: "open" | "closed" | "unwitnessed"
  /** The opening that may write. */
  readonly owner: string
}

/** Reads a row of the table, or what was taken for one; undefined: it is none. */
export const standingOf = (row: Readonly<Record<string, unknown>>): StoreMark | undefined => {
  const { committedAtMs, createdAtMs, owner, sequence, state, storeId } = row
  if (typeof storeId !== "string" || !/^[0-9a-f-]{36}$/.test(storeId) || typeof owner !== "string") return undefined
  if (state !== "open" && state !== "closed" && state !== "unwitnessed") return undefined
  if (typeof sequence !== "number" || typeof committedAtMs !== "number" || typeof createdAtMs !== "number")
    return undefined
  return { storeId, sequence, committedAtMs, createdAtMs, state, owner }
}
