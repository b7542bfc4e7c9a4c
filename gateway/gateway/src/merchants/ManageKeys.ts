/** Lets an operator add, rotate and revoke merchants' keys while the gateway runs. The commit of each change audits it. */
import { Clock, Effect, Redacted, Result } from "effect"
import type { Actor } from "../kernel/Audit.ts"
import * as Audit from "../kernel/Audit.ts"
import { Ids } from "../kernel/Ids.ts"
import { SecureRandom } from "../kernel/SecureRandom.ts"
import * as KeyLifecycle from "./decide/KeyLifecycle.ts"
import type { Kind, MerchantKey } from "./decide/MerchantKey.ts"
import { LiveDirectory } from "./LiveDirectory.ts"
import * as PublicKeys from "./PublicKeys.ts"
import * as PublicSecrets from "./PublicSecrets.ts"
import type { UnstoredKey } from "./StoredKeys.ts"

export interface KeyRequest {
  readonly login: string
  readonly kind: Kind
  /** An RSA key in PEM. A control key is made by the gateway. */
  readonly publicKey: string | undefined
  /** Start of the key's validity. A time in the past means now. */
  readonly fromMs: number | undefined
  /** Milliseconds for which other keys of the same kind stay valid after the start. `undefined`: they stay. */
  readonly overlapMs: number | undefined
}

export interface CreatedKey {
  readonly key: MerchantKey
  /** The new control key. It is returned only once. */
  readonly secret: Redacted.Redacted<string> | undefined
}

const refused = (reason: KeyLifecycle.Reason, message: string) => new KeyLifecycle.KeyRefused({ reason, message })

export const make = Effect.gen(function* () {
  const live = yield* LiveDirectory
  const random = yield* SecureRandom
  const ids = yield* Ids
  const secrets = yield* PublicSecrets.PublicSecrets

  const requireMerchant = (login: string) =>
    Effect.suspend(() =>
      live.described().some((merchant) => merchant.login === login)
        ? Effect.void
        : Effect.fail(refused("MerchantUnknown", `no merchant has the login ${login}`))
    )

  /** Adds the audit row to the decision. A decision that changes nothing has none. */
  const withAudit = (
    auditId: string,
    actor: Actor,
    action: string,
    nowMs: number,
    of: (change: KeyLifecycle.Change) => Detail
  ) =>
    Result.map((change: KeyLifecycle.Change): KeyLifecycle.Change => {
      const { decision, key } = change
      if (decision.writes.length === 0) return change
      const entry = Audit.entry({
        auditId,
        atMs: nowMs,
        actor,
        action,
        subject: { kind: "merchant", id: key.merchantId },
        detail: { key: KeyLifecycle.nameOf(key), ...of(change) }
      })
      return { key, decision: { ...decision, writes: [...decision.writes, entry] } }
    })

  const add = Effect.fn("ManageKeys.add")(function* (request: KeyRequest, actor: Actor) {
    yield* requireMerchant(request.login)
    const fresh = yield* Effect.fromResult(unstoredKeyOf(request, random.token))
    if (secrets.has(PublicSecrets.ofKey(fresh)))
      return yield* refused("KeyUnusable", "this key is published, so everybody has it")
    const auditId = ids.next()
    const key = yield* live.change(request.login, (loaded, nowMs) => {
      const place = live.place(loaded, fresh)
      const holder = live.otherHolder(request.login, place, nowMs)
      if (holder !== undefined)
        return Result.fail(
          refused("KeyInUse", `this key is active for ${holder}: each merchant needs a key pair of its own`)
        )
      return KeyLifecycle.add(
        loaded,
        {
          ...place,
          source: "operator",
          validFromMs: Math.max(nowMs, request.fromMs ?? nowMs),
          overlapMs: request.overlapMs
        },
        nowMs
      ).pipe(
        withAudit(auditId, actor, request.overlapMs === undefined ? "key.add" : "key.rotate", nowMs, () => ({
          fromMs: request.fromMs ?? null,
          overlapMs: request.overlapMs ?? null
        }))
      )
    })
    return { key, secret: fresh.kind === "control" ? fresh.key : undefined } satisfies CreatedKey
  })

  const revoke = Effect.fn("ManageKeys.revoke")(function* (
    { key, last, login }: { readonly login: string; readonly key: string; readonly last: boolean },
    actor: Actor
  ) {
    yield* requireMerchant(login)
    const auditId = ids.next()
    return yield* live.change(login, (loaded, nowMs) =>
      KeyLifecycle.revoke(loaded, key, last, nowMs).pipe(
        withAudit(auditId, actor, "key.revoke", nowMs, () => ({ last }))
      )
    )
  })

  /** Returns every key that the merchant has or had, newest first, and the time at which the list was made. */
  const list = Effect.fnUntraced(function* (login: string) {
    yield* requireMerchant(login)
    const nowMs = yield* Clock.currentTimeMillis
    return { nowMs, keys: [...live.keys(login)].sort(KeyLifecycle.newestFirst) }
  })

  return { add, revoke, list }
})

type Detail = Readonly<Record<string, string | number | boolean | null>>

const unstoredKeyOf = (
  { kind, publicKey }: KeyRequest,
  token: () => string
): Result.Result<UnstoredKey, KeyLifecycle.KeyRefused> => {
  if (kind === "control")
    return publicKey === undefined
      ? Result.succeed({ kind, key: Redacted.make(token(), { label: "control key" }) })
      : Result.fail(refused("KeyUnusable", "a control key is made by the gateway: leave publicKey out"))
  return PublicKeys.rsa(publicKey ?? "").pipe(
    Result.map((key): UnstoredKey => ({ kind, key })),
    Result.mapError((problem) => refused("KeyUnusable", `publicKey ${problem}`))
  )
}
