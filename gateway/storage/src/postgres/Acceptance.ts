/** Decides by the operator's word whether a database that lacks commits, or was copied, is used, and records it. */
import * as Decision from "@pay/gateway/Decision"
import { AuditEntry } from "@pay/gateway/Entities"
import type { GuardFailed, Store, StoreUnavailable } from "@pay/gateway/Store"
import * as Durability from "@pay/sqlite/Durability"
import { Effect } from "effect"
import * as Restoring from "../Restoring.ts"
import * as Completeness from "./Completeness.ts"

interface Word {
  readonly by: string
}

/** What the operator says about the database. */
export interface Words {
  readonly acceptLoss?: Word | undefined
  readonly moved?: Word | undefined
  readonly restored?: Word | undefined
}

/** What is known of the database. */
export interface Findings {
  /** Commits that it lacks; undefined if none is known to be missing. */
  readonly refused: Durability.StoreRefused | undefined
  /** Undefined if it is the database in which the store was written last. */
  readonly elsewhere: Durability.StoreRefused | undefined
  readonly lastCommitAtMs: number | undefined
}

/** A word that was needed, and what the audit records. */
export interface Acceptance {
  readonly by: string
  readonly action: "store.accept-loss" | "store.moved" | "store.restored"
  readonly refused: Durability.StoreRefused
}

/** Returns the word that opens the database; undefined if none is needed. */
export const of = (
  { elsewhere, lastCommitAtMs, refused }: Findings,
  { acceptLoss, moved, restored }: Words
): Effect.Effect<Acceptance | undefined, Durability.StoreRefused> => {
  if (restored !== undefined) {
    const why = refused ?? elsewhere ?? sound(lastCommitAtMs)
    return Effect.succeed({ by: restored.by, action: "store.restored", refused: why })
  }
  if (refused !== undefined)
    return acceptLoss === undefined
      ? Effect.fail(refused)
      : Effect.succeed({ by: acceptLoss.by, action: "store.accept-loss", refused })
  if (elsewhere === undefined) return Effect.undefined
  return moved === undefined
    ? Effect.fail(elsewhere)
    : Effect.succeed({ by: moved.by, action: "store.moved", refused: elsewhere })
}

const sound = (sinceMs: number | undefined) =>
  new Durability.StoreRefused({
    why: "sound",
    message: "Nothing is known to be missing.",
    ...(sinceMs === undefined ? {} : { sinceMs })
  })

/** Records the word: in the audit and, unless the store was only moved, in the mark of a restored one. */
export const record = (
  store: Store["Service"],
  acceptance: Acceptance
): Effect.Effect<void, GuardFailed | StoreUnavailable | Durability.StoreRefused> =>
  acceptance.action === "store.moved"
    ? Effect.gen(function* () {
        const { message, why } = acceptance.refused
        const audit = yield* Restoring.audited(acceptance.by, acceptance.action, { why, what: message, missing: null })
        yield* store.commit({ guards: [], writes: [Decision.append(AuditEntry, audit)] })
        yield* Effect.logWarning(`Started as moved: ${message}`)
      })
    : Completeness.markRestored(store, acceptance)
