/** `GET /operator/settlement.csv?day=YYYY-MM-DD`: the books of a day, in pages; `x-next` of an answer is `after` of the next. */
import * as Money from "@pay/schema/Money"
import { Effect, Option, Schema } from "effect"
import * as Csv from "../../kernel/Csv.ts"
import * as SettlementDay from "../../reconciliation/SettlementDay.ts"
import { limitOf, type Route, time, wrong } from "./Route.ts"

const head = [
  "kind",
  "merchant",
  "endpoint",
  "currency",
  "account",
  "time",
  "order",
  "request",
  "cause",
  "amount",
  "balance"
]

const Place = Schema.fromJsonString(
  Schema.Struct({
    account: Schema.String,
    within: Schema.optionalKey(
      Schema.Struct({ after: Schema.Struct({ atMs: Schema.Int, key: Schema.String }), minor: Schema.Int })
    )
  })
)

const written = (place: SettlementDay.Place): string => Buffer.from(JSON.stringify(place)).toString("base64url")

const placeOf = (text: string): SettlementDay.Place | undefined =>
  Option.getOrUndefined(
    Option.map(Schema.decodeUnknownOption(Place)(Buffer.from(text, "base64url").toString()), ({ account, within }) => ({
      account,
      within
    }))
  )

const lineOf = (line: SettlementDay.Line): string => {
  const [merchant = "", endpoint = "", currency = "", account = ""] = line.account.split("/")
  const balance = Money.fromMinor(line.minor, currency)
  const about =
    line.kind === "entry"
      ? [
          time(line.entry.atMs),
          line.entry.orderId,
          line.entry.requestId,
          line.entry.cause,
          Money.fromMinor(line.entry.minor, currency)
        ]
      : ["", "", "", "", ""]
  return Csv.line([line.kind, merchant, endpoint, currency, account, ...about, balance])
}

export const make = Effect.map(
  SettlementDay.make,
  (page): ReadonlyArray<Route> => [
    {
      method: "GET",
      path: "/operator/settlement.csv",
      run: Effect.fnUntraced(function* ({ query }) {
        const startMs = SettlementDay.startOf(query.get("day") ?? "")
        const refused = yield* SettlementDay.refusal(startMs)
        const after = query.get("after")
        const from = after === null ? undefined : placeOf(after)
        const limit = limitOf(query.get("limit"))
        if (startMs === undefined || refused !== undefined) return wrong(refused ?? "day is a day")
        if (limit === undefined || (after !== null && from === undefined))
          return wrong("limit is 1 to 1000, after is x-next of the page before")
        const { lines, next } = yield* page({ startMs, merchant: query.get("merchant") ?? undefined }, from, limit)
        return {
          status: 200,
          headers: {
            "content-type": "text/csv; charset=utf-8; header=present",
            "cache-control": "no-store",
            ...(next === undefined ? {} : { "x-next": written(next) })
          },
          body: (after === null ? Csv.line(head) : "") + lines.map(lineOf).join("")
        }
      })
    }
  ]
)
