/** Plays incidents one after another on one site: merchants sell while each lasts, and everything has to come to its end afterwards. */
import { Clock, Effect, Schedule } from "effect"
import { type Incident, textOf } from "./Incident.ts"
import * as Merchants from "./Merchants.ts"
import * as Money from "./Money.ts"
import * as Site from "./Site.ts"

/** Something that was to be said, and what was seen of it. */
export interface Saying {
  readonly from: string
  readonly says: string
  readonly evidence: string | undefined
}

export interface Result {
  readonly name: string
  readonly happens: string
  readonly money: Money.Money
  readonly sayings: ReadonlyArray<Saying>
  /** Lines of the logs, with the number of each: errors and warnings. */
  readonly warnings: ReadonlyArray<string>
  readonly seconds: number
  /** Seconds from the end of the incident until every payment had its end and every callback had arrived. */
  readonly settledSeconds: number
  readonly problems: ReadonlyArray<string>
}

const callbacksWithin = "150 seconds"
const soon = Schedule.spaced("200 millis")

/** What the gateways' own operators check after each incident. */
const ownCheck = (site: Site.Site) =>
  Effect.gen(function* () {
    const { code, lines } = yield* site.operate("reconciliation")
    return code === 0 ? [] : [`pay reconciliation ended with ${code}: ${lines.slice(-5).join(" | ")}`]
  })

/** Payments that have no end. */
const unfinished = ({ merchants }: Site.Site): ReadonlyArray<string> =>
  merchants.shops.flatMap(({ sales }) =>
    [...sales.values()]
      .filter(({ error, order }) => error === undefined && order === undefined)
      .map(({ clientOrderId }) => `${clientOrderId} has no end`)
  )

export const play = Effect.fnUntraced(function* <S extends Site.Site>(
  site: S,
  { expects, happens, mayEnd, name, run }: Incident<S>,
  onProgress: (line: string) => void
) {
  const secondsSince = (beganMs: number) =>
    Effect.map(Clock.currentTimeMillis, (nowMs) => Math.round((nowMs - beganMs) / 100) / 10)
  onProgress(`${name}: ${happens}`)
  yield* site.observe
  const beganMs = yield* Clock.currentTimeMillis
  let endedMs = beganMs
  const incident = Effect.gen(function* () {
    yield* Effect.scoped(run(site))
    yield* Site.allReady(site)
    endedMs = yield* Clock.currentTimeMillis
    onProgress(`${name}: over; waiting until every payment has its end`)
  })
  yield* site.merchants.sellDuring(name, incident)
  const callbacks = Effect.repeat(
    Effect.sync(() => Money.awaitsCallbacks(site.merchants.shops)),
    { until: (awaits) => !awaits, schedule: soon }
  )
  yield* Effect.timeoutOption(callbacks, callbacksWithin)
  const settledSeconds = yield* secondsSince(endedMs)
  const money = Money.compare(name, site.merchants.shops, site.bank.books, mayEnd)
  const observations = site.observations()
  const sayings = expects.map(({ find, from, says }): Saying => ({ from, says, evidence: find(observations) }))
  const result: Result = {
    ...{ name, happens, money, sayings, settledSeconds },
    warnings: [...observations.lines.values()]
      .filter(({ level }) => level !== "INFO")
      .toSorted((one, other) => other.count - one.count)
      .map((line) => `${line.count} times ${textOf(line)}`),
    seconds: yield* secondsSince(beganMs),
    problems: [...unfinished(site), ...(yield* ownCheck(site))]
  }
  for (const shop of site.merchants.shops) Merchants.forget(shop)
  return result
})
