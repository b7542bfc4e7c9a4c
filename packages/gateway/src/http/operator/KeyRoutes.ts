/**
 * `GET /operator/keys`, `POST /operator/keys/add`, `/rotate` and `/revoke`: what merchants prove themselves with. A control
 * key is in the answer that makes it, and nowhere else.
 */
import { Effect, Redacted, Schema } from "effect"
import * as KeyLife from "../../merchants/KeyLife.ts"
import * as ManageKeys from "../../merchants/ManageKeys.ts"
import type { MerchantKey } from "../../merchants/MerchantKey.ts"
import { actor, json, type Route, read, time, timeOf, timeOrNull, wrong } from "./Route.ts"

const shown = (key: MerchantKey, nowMs: number) => ({
  key: KeyLife.nameOf(key),
  state: KeyLife.state(key, nowMs),
  fingerprint: key.kind === "rsa" ? key.fingerprint : null,
  source: key.source,
  created: time(key.createdAtMs),
  from: time(key.validFromMs),
  until: timeOrNull(key.validUntilMs),
  revoked: timeOrNull(key.revokedAtMs)
})

const statuses: Record<KeyLife.Reason, number> = {
  MerchantUnknown: 404,
  KeyUnknown: 404,
  KeyUnusable: 400,
  KeyInUse: 409,
  LastKey: 409,
  TooManyKeys: 409
}

const refused = ({ message, reason }: KeyLife.KeyRefused) =>
  Effect.succeed(json(statuses[reason], { error: message, reason }))

const merchant = Schema.String.check(Schema.isMinLength(1))
const Addition = {
  merchant,
  kind: Schema.Literals(["control", "rsa"]),
  publicKey: Schema.optionalKey(Schema.String),
  /** ISO 8601; left out: at once. */
  from: Schema.optionalKey(Schema.String)
}
const Add = Schema.Struct(Addition)
const longestOverlapMs = 366 * 86_400_000
const Rotate = Schema.Struct({
  ...Addition,
  /** Left out: a day. */
  overlapMs: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: longestOverlapMs })))
})
const Revoke = Schema.Struct({ merchant, key: Schema.String, last: Schema.optionalKey(Schema.Boolean) })

const dayMs = 86_400_000

export const make = Effect.gen(function* () {
  const keys = yield* ManageKeys.make

  const list = (login: string) =>
    Effect.map(keys.list(login), ({ keys, nowMs }) => {
      const signs = keys.find((key) => key.kind === "control" && KeyLife.isAccepted(key, nowMs))
      return json(200, {
        merchant: login,
        keys: keys.map((key) => ({ ...shown(key, nowMs), signs: key === signs }))
      })
    }).pipe(Effect.catchTag("KeyRefused", refused))

  const add = (sent: typeof Add.Type, overlapMs: number | undefined, by: ReturnType<typeof actor>) => {
    const fromMs = timeOf(sent.from ?? null)
    if (fromMs === "wrong") return Effect.succeed(wrong("from is a time: 2026-11-21T00:00:00Z"))
    const wanted = { login: sent.merchant, kind: sent.kind, publicKey: sent.publicKey, fromMs, overlapMs }
    return keys.add(wanted, by).pipe(
      Effect.map(({ key, secret }) =>
        json(201, {
          merchant: sent.merchant,
          ...shown(key, key.createdAtMs),
          ...(secret === undefined ? {} : { secret: Redacted.value(secret) })
        })
      ),
      Effect.catchTag("KeyRefused", refused)
    )
  }

  const routes: ReadonlyArray<Route> = [
    {
      method: "GET",
      path: "/operator/keys",
      run: ({ query }) => {
        const login = query.get("merchant")
        return login === null ? Effect.succeed(wrong("give merchant=LOGIN")) : list(login)
      }
    },
    {
      method: "POST",
      path: "/operator/keys/add",
      run: read(Add, (sent, asked) => add(sent, undefined, actor(asked)))
    },
    {
      method: "POST",
      path: "/operator/keys/rotate",
      run: read(Rotate, ({ overlapMs = dayMs, ...sent }, asked) => add(sent, overlapMs, actor(asked)))
    },
    {
      method: "POST",
      path: "/operator/keys/revoke",
      run: read(Revoke, ({ key, last = false, merchant }, asked) =>
        keys.revoke({ login: merchant, key, last }, actor(asked)).pipe(
          Effect.map((revoked) => json(200, { merchant, ...shown(revoked, revoked.revokedAtMs ?? 0) })),
          Effect.catchTag("KeyRefused", refused)
        )
      )
    }
  ]
  return routes
})
