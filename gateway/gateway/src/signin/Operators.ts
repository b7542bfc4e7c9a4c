/** The operators of the gateway: those of its configuration, and those that are added while it runs. */
import { createHash } from "node:crypto"
import { Clock, Context, Effect, Redacted, type Result } from "effect"
import type { Actor } from "../kernel/Audit.ts"
import { Ids } from "../kernel/Ids.ts"
import { SecureRandom } from "../kernel/SecureRandom.ts"
import { Store, StoreUnavailable } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import * as OperatorAccount from "./decide/OperatorAccount.ts"

export interface Operator {
  readonly name: string
  readonly token: Redacted.Redacted<string>
  /** Default: all. */
  readonly roles?: ReadonlyArray<OperatorAccount.Role> | undefined
}

/**
 * The operators whose tokens the configuration contains. Without any, and without one in the store, a request from the machine itself
 * needs no token, but none through a proxy or from a browser page is admitted.
 */
export const Operators = Context.Reference<ReadonlyArray<Operator>>("@pay/gateway/Operators", {
  defaultValue: () => []
})

export { unnamed } from "./decide/OperatorAccount.ts"

export const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex")

/** More operators than a company has: all of them are read for a change. */
const limit = 10_000

/** Returns the operators that were added while the gateway ran. */
export const added = (store: Pick<Store["Service"], "find">) =>
  store.find(OperatorAccount.OperatorAccount, "key", { limit })

export interface Made {
  readonly account: OperatorAccount.OperatorAccount
  /** The new token. It is returned only once. */
  readonly token: Redacted.Redacted<string>
}

/** Makes the changes of the operators. Each is committed with its audit entry, and holds at once in every process on the store. */
export const manage = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids
  const random = yield* SecureRandom
  const configured = (yield* Operators).map(({ name }) => name)
  const exhausted = () => Effect.fail(new StoreUnavailable({ outcomeUnknown: false, cause: "others change operators" }))

  const commit = (
    actor: Actor,
    decide: (
      context: OperatorAccount.Situation
    ) => Result.Result<OperatorAccount.Decided, OperatorAccount.AccountRefused>
  ) =>
    Transact.transact({
      attempt: Effect.gen(function* () {
        const context = {
          accounts: yield* added(store),
          configured,
          actor,
          auditId: ids.next(),
          nowMs: yield* Clock.currentTimeMillis
        }
        const { account, change } = yield* Effect.fromResult(decide(context))
        yield* store.commit(change)
        return account
      }),
      exhausted
    })

  /** Commits a change with a new token. */
  const withToken = (
    actor: Actor,
    decide: (context: OperatorAccount.Situation, tokenHash: string) => ReturnType<typeof OperatorAccount.add>
  ) =>
    Effect.suspend(() => {
      const token = random.token()
      const hash = hashOf(token)
      return Effect.map(
        commit(actor, (context) => decide(context, hash)),
        (account): Made => ({ account, token: Redacted.make(token, { label: "operator token" }) })
      )
    })

  return {
    list: added(store),
    add: (actor: Actor, name: string, roles: string) =>
      withToken(actor, (context, hash) => OperatorAccount.add(context, name, roles, hash)),
    replaceToken: (actor: Actor, name: string) =>
      withToken(actor, (context, hash) => OperatorAccount.replaceToken(context, name, hash)),
    changeRoles: (actor: Actor, name: string, roles: string) =>
      commit(actor, (context) => OperatorAccount.changeRoles(context, name, roles)),
    remove: (actor: Actor, name: string) => commit(actor, (context) => OperatorAccount.remove(context, name))
  }
})
