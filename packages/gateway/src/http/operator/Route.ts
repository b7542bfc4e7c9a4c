/** What the operator may ask, as rows of a table: a capability adds a row and nothing else changes. */
import { DateTime, Effect, Option, Schema } from "effect"
import type { Actor } from "../../kernel/Audit.ts"
import * as KeysetPage from "../../kernel/KeysetPage.ts"
import type { StoreUnavailable } from "../../kernel/Store.ts"
import type { PageAnswer } from "../Pages.ts"

export interface Asked {
  /** By the names in the path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** As it was sent: JSON where a route takes something. */
  readonly body: string
  /** The name of the operator's token. */
  readonly operator: string
}

export interface Route {
  readonly method: "GET" | "POST"
  /** `/operator/orders/:order`: a part after a colon is any identifier. */
  readonly path: string
  readonly run: (asked: Asked) => Effect.Effect<PageAnswer, StoreUnavailable>
}

const parameter = /:(\w+)/g

/** What the path's parts are, where the request is this route's. */
export const matcher = ({ method, path }: Pick<Route, "method" | "path">) => {
  const pattern = new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(parameter, "(?<$1>[\\w.-]{1,64})")}$`)
  return (request: { readonly method: string; readonly path: string }): Asked["params"] | undefined => {
    const found = request.method === method ? pattern.exec(request.path) : null
    return found === null ? undefined : { ...found.groups }
  }
}

export const json = (status: number, body: object): PageAnswer => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
  body: `${JSON.stringify(body)}\n`
})

export const wrong = (error: string): PageAnswer => json(400, { error })

export const actor = (asked: Asked): Actor => `operator:${asked.operator}`

/** What was sent, or the answer that says what to send. */
export const read =
  <S extends Schema.Codec<unknown, unknown>>(
    schema: S,
    run: (sent: S["Type"], asked: Asked) => ReturnType<Route["run"]>
  ) =>
  (asked: Asked): ReturnType<Route["run"]> =>
    Schema.decodeUnknownEffect(Schema.fromJsonString(schema), { errors: "all", onExcessProperty: "error" })(
      asked.body
    ).pipe(
      Effect.matchEffect({
        onFailure: (error) => Effect.succeed(wrong(error.message)),
        onSuccess: (sent) => run(sent, asked)
      })
    )

export const time = (ms: number): string => DateTime.formatIso(DateTime.makeUnsafe(ms))

export const timeOrNull = (ms: number | null): string | null => (ms === null ? null : time(ms))

/** `limit=`, 1 to 1000; undefined: it is none. */
export const limitOf = (text: string | null): number | undefined =>
  text === null ? 100 : /^[1-9]\d{0,2}$|^1000$/.test(text) ? Number(text) : undefined

/** `from=` and `to=` as ISO 8601; `"wrong"`: not a time. */
export const timeOf = (text: string | null): number | undefined | "wrong" =>
  text === null
    ? undefined
    : Option.match(DateTime.make(text), { onNone: () => "wrong", onSome: DateTime.toEpochMillis })

/** One page of what lies in a range of time, newest first. */
export interface Page {
  readonly fromMs: number | undefined
  readonly toMs: number | undefined
  readonly after: KeysetPage.Cursor | undefined
  readonly limit: number
}

/** Of `from`, `to`, `after` and `limit`; undefined: one of them is wrong. */
export const pageOf = (query: URLSearchParams): Page | undefined => {
  const fromMs = timeOf(query.get("from"))
  const toMs = timeOf(query.get("to"))
  const limit = limitOf(query.get("limit"))
  const cursor = query.get("after")
  const after = cursor === null ? undefined : KeysetPage.read(cursor)
  if (fromMs === "wrong" || toMs === "wrong" || limit === undefined || (cursor !== null && after === undefined))
    return undefined
  return { fromMs, toMs, after, limit }
}

export const pageRule =
  "from and to are times (2026-11-21T00:00:00Z), limit is 1 to 1000, after is the next of the page before"
