/** Jobs in the order in which every store hands them out. */
import type { AgendaItem } from "./AgendaItem.ts"
import * as StoreRow from "./StoreRow.ts"

const oldestFirst = (one: AgendaItem, other: AgendaItem): number =>
  one.dueAtMs - other.dueAtMs || StoreRow.compare(one.itemId, other.itemId)

/** The oldest job of each merchant, then the second of each, and so on; at most `each` of one. */
export const inTurns = (
  jobs: ReadonlyArray<AgendaItem>,
  each: number = Number.POSITIVE_INFINITY
): ReadonlyArray<AgendaItem> => {
  const counts = new Map<string | null, number>()
  return [...jobs]
    .sort(oldestFirst)
    .map((job) => {
      const turn = counts.get(job.merchantId) ?? 0
      counts.set(job.merchantId, turn + 1)
      return { job, turn }
    })
    .filter(({ turn }) => turn < each)
    .sort((one, other) => one.turn - other.turn)
    .map(({ job }) => job)
}
