/**
 * Checks the amounts of one charge against its endpoint's risk rules, one after another, until they allow one: a rule
 * may stop the whole sum and allow a part of it. A rule that stops every amount, such as a blocked card, ends the list.
 */
import { Effect, Option } from "effect"
import type { Ids } from "../../kernel/Ids.ts"
import * as Risk from "../../risk/Risk.ts"
import type * as AmountAttempts from "../decide/AmountAttempts.ts"
import type { ScreenedPayment } from "../requests/JudgeRisk.ts"
import type { RiskCheck } from "../requests/RiskCheck.ts"

/**
 * Calls `commit` with the selection. Until it returns, no other payment with the same card, e-mail or
 * address is checked.
 */
export const selectAmount = Effect.fnUntraced(function* <A, E, R>(
  riskCheck: RiskCheck["Service"],
  ids: Ids["Service"],
  payment: Omit<ScreenedPayment, "amountMinor">,
  amountsMinor: ReadonlyArray<number>,
  commit: (selection: AmountAttempts.AmountSelection) => Effect.Effect<A, E, R>
) {
  const stopped: Array<AmountAttempts.Stopped> = []
  for (const amountMinor of amountsMinor) {
    const done = yield* riskCheck.screen({ ...payment, amountMinor }, ({ filteredBy, velocityEntries }) => {
      if (filteredBy === undefined) return Effect.asSome(commit({ stopped, next: { amountMinor, velocityEntries } }))
      stopped.push({ attemptId: ids.next(), amountMinor, filteredBy })
      return Effect.succeedNone
    })
    if (Option.isSome(done)) return done.value
    const last = stopped.at(-1)
    if (last !== undefined && Risk.declineOf(last.filteredBy).hard) break
  }
  return yield* commit({ stopped, next: undefined })
})
