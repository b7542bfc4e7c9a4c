/** Handles operations that list, add, rotate and revoke merchants' keys while the gateway runs. */
import { Effect, Redacted } from "effect"
import type { Actor } from "../../kernel/Audit.ts"
import * as KeyLifecycle from "../../merchants/decide/KeyLifecycle.ts"
import type { MerchantKey } from "../../merchants/decide/MerchantKey.ts"
import * as ManageKeys from "../../merchants/ManageKeys.ts"
import type { Operations } from "../../operators/OperatorApi.ts"
import type { Input } from "../../operators/OperatorOperation.ts"
import { type Handlers, OperatorRefusal } from "./OperatorHandler.ts"

const rowOf = (key: MerchantKey, nowMs: number) => ({
  key: KeyLifecycle.nameOf(key),
  state: KeyLifecycle.state(key, nowMs),
  fingerprint: key.kind === "rsa" ? key.fingerprint : null,
  source: key.source,
  created: key.createdAtMs,
  from: key.validFromMs,
  until: key.validUntilMs,
  revoked: key.revokedAtMs
})

const statuses = {
  MerchantUnknown: 404,
  KeyUnknown: 404,
  KeyUnusable: 400,
  KeyInUse: 409,
  LastKey: 409,
  TooManyKeys: 409
} as const satisfies Record<KeyLifecycle.Reason, OperatorRefusal["status"]>

const refused = ({ message, reason }: KeyLifecycle.KeyRefused) =>
  Effect.fail(new OperatorRefusal({ status: statuses[reason], message, detail: { reason } }))

const dayMs = 86_400_000

export const make = Effect.map(
  ManageKeys.make,
  (keys): Pick<Handlers, "listKeys" | "addKey" | "rotateKey" | "revokeKey"> => {
    const add = (
      { from: fromMs, kind, merchant, publicKey }: Input<Operations["addKey"]>,
      overlapMs: number | undefined,
      actor: Actor
    ) =>
      keys.add({ login: merchant, kind, publicKey, fromMs, overlapMs }, actor).pipe(
        Effect.map(({ key, secret }) => ({
          merchant,
          ...rowOf(key, key.createdAtMs),
          secret: secret && Redacted.value(secret)
        })),
        Effect.catchTag("KeyRefused", refused)
      )
    return {
      listKeys: ({ merchant }) =>
        keys.list(merchant).pipe(
          Effect.map(({ keys, nowMs }) => {
            const signs = keys.find((key) => key.kind === "control" && KeyLifecycle.isAccepted(key, nowMs))
            return { merchant, keys: keys.map((key) => ({ ...rowOf(key, nowMs), signs: key === signs })) }
          }),
          Effect.catchTag("KeyRefused", refused)
        ),
      addKey: (input, actor) => add(input, undefined, actor),
      rotateKey: ({ overlapMs = dayMs, ...input }, actor) => add(input, overlapMs, actor),
      revokeKey: ({ key, last = false, merchant }, actor) =>
        keys.revoke({ login: merchant, key, last }, actor).pipe(
          Effect.map((revoked) => ({ merchant, ...rowOf(revoked, revoked.revokedAtMs ?? 0) })),
          Effect.catchTag("KeyRefused", refused)
        )
    }
  }
)
