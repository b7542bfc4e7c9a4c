/** What a run of reconciliation did not compare, for its report. */

export interface Omission {
  /** What was not compared. */
  readonly what: string
  readonly why: string
}

/** Returns an omission with its number; none if the number is 0. */
export const counted = (count: number, what: string, why: string): ReadonlyArray<Omission> =>
  count === 0 ? [] : [{ what: `${count} ${what}`, why }]

export const time = (ms: number): string => new Date(ms).toISOString()
