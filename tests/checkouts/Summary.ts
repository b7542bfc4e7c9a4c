/** The findings of a crash test in few words, for a test that expects some or none. */
import type { Result } from "@pay/crashtest/Finding"

/** One line for each finding: its kind, the faults of its case, and what differs. */
export const summary = ({ ended, findings }: Result): ReadonlyArray<string> => [
  ...(ended === undefined ? [] : [ended]),
  ...findings.map(
    ({ case: { action, faults }, difference, kind }) =>
      `${kind}: ${action} with ${faults.map(({ fault }) => fault).join(" and ")}: ${difference}`
  )
]
