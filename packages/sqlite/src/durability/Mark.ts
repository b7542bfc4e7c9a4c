/** The number of commits of a store, which the store has in a row and its witness in a file. */
export interface Mark {
  /** Random identifier of the store. It changes when the store is opened as restored. */
  readonly storeId: string
  /** Number of commits. Each COMMIT increases it. */
  readonly sequence: number
  /** Business time of the last commit. */
  readonly committedAtMs: number
  /** Business time of the store's creation. */
  readonly createdAtMs: number
}

/** The columns of the store's own row. */
export interface StoreMark extends Mark {
  /** `unwitnessed`: the content of the witness does not apply, and has to be written again. */
  readonly state: "open" | "closed" | "unwitnessed"
  /** The opening that may write, as the module `Opening` identifies it. */
  readonly owner: string
}

/** Reads the store's own row; undefined if the row does not have its form. */
export const storeMarkOf = (row: Readonly<Record<string, unknown>>): StoreMark | undefined => {
  const { committedAtMs, createdAtMs, owner, sequence, state, storeId } = row
  if (typeof storeId !== "string" || !/^[0-9a-f-]{36}$/.test(storeId) || typeof owner !== "string") return undefined
  if (state !== "open" && state !== "closed" && state !== "unwitnessed") return undefined
  if (typeof sequence !== "number" || typeof committedAtMs !== "number" || typeof createdAtMs !== "number")
    return undefined
  return { storeId, sequence, committedAtMs, createdAtMs, state, owner }
}
