/** Handles operations on the books: reconciliation, and the export of a day as CSV in pages. */
import * as Money from "@pay/schema/Money"
import { Effect, Option, Schema } from "effect"
import * as ReconciliationJob from "../../reconciliation/ReconciliationJob.ts"
import * as SettlementDay from "../../reconciliation/SettlementDay.ts"
import { type Handlers, invalid, time, WithStatus } from "./OperatorHandler.ts"

const PageCursor = Schema.fromJsonString(
  Schema.Struct({
    account: Schema.String,
    within: Schema.optionalKey(
      Schema.Struct({ after: Schema.Struct({ atMs: Schema.Int, key: Schema.String }), minor: Schema.BigIntFromString })
    )
  })
)

const encodeCursor = ({ account, within }: SettlementDay.ExportCursor): string =>
  Buffer.from(Schema.encodeSync(PageCursor)(within === undefined ? { account } : { account, within })).toString(
    "base64url"
  )

const decodeCursor = (text: string): SettlementDay.ExportCursor | undefined =>
  Option.getOrUndefined(
    Option.map(
      Schema.decodeUnknownOption(PageCursor)(Buffer.from(text, "base64url").toString()),
      ({ account, within }) => ({
        account,
        within
      })
    )
  )

const lineOf = (line: SettlementDay.Line) => {
  const [merchant = "", endpoint = "", currency = "", account = ""] = line.account.split("/")
  const entry = line.kind === "entry" ? line.entry : undefined
  return {
    kind: line.kind,
    merchant,
    endpoint,
    currency,
    account,
    time: entry === undefined ? "" : time(entry.atMs),
    order: entry?.orderId ?? "",
    request: entry?.requestId ?? "",
    cause: entry?.cause ?? "",
    amount: entry === undefined ? "" : Money.fromMinor(entry.minor, currency),
    balance: Money.fromMinor(line.minor, currency)
  }
}

export const make = Effect.gen(function* () {
  const page = yield* SettlementDay.make
  const { begin, look } = yield* ReconciliationJob.make
  const report = Effect.map(look, ({ endedAtMs, entries, findings, count, omissions, orders, state }) => ({
    ...{ state, orders, entries, discrepancyCount: count },
    discrepancies: findings,
    notCompared: omissions,
    ended: endedAtMs
  }))
  const handlers: Pick<Handlers, "showReconciliation" | "beginReconciliation" | "exportSettlement"> = {
    showReconciliation: () => report,
    beginReconciliation: ({ from, to }, actor) => {
      const period = from === undefined || to === undefined ? undefined : { fromMs: from, toMs: to }
      return Effect.flatMap(begin(actor, period), (isStarted) =>
        Effect.map(report, (body) => new WithStatus(isStarted ? 202 : 409, body))
      )
    },
    exportSettlement: Effect.fnUntraced(function* ({ after, day, limit, merchant }) {
      const startMs = yield* Effect.catch(SettlementDay.startOfEnded(day), invalid)
      const from = after === undefined ? undefined : decodeCursor(after)
      if (after !== undefined && from === undefined) return yield* invalid("after is x-next of the page before")
      const { lines, next } = yield* page({ startMs, merchant }, from, limit)
      return { lines: lines.map(lineOf), next: next && encodeCursor(next) }
    })
  }
  return handlers
})
