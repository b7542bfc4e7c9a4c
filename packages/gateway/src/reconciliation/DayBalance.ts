/** An account's balance as a day (UTC) began: written once, so that an export reads one day and not the whole history. */
import * as Entity from "../kernel/Entity.ts"

export const DayBalance = Entity.make("daybalances", {
  columns: { account: Entity.text(), dayStartMs: Entity.integer, openingMinor: Entity.integer },
  key: ["account", "dayStartMs"]
})
export type DayBalance = Entity.Row<typeof DayBalance>
