/** Reads the merchants' description again: on an operator's word, or on a signal to the process. */
import { Clock, Context, Data, Effect } from "effect"
import type { Actor } from "../kernel/Audit.ts"
import * as Audit from "../kernel/Audit.ts"
import { Ids } from "../kernel/Ids.ts"
import type { Config, DirectoryError } from "./Directory.ts"
import { LiveDirectory } from "./LiveDirectory.ts"

/** Reads the merchants' configuration. Undefined means that it was given with the gateway, so there is no file to read. */
export const MerchantsSource = Context.Reference<Effect.Effect<Config, DirectoryError> | undefined>(
  "@pay/gateway/MerchantsSource",
  { defaultValue: () => undefined }
)

export class NothingToReload extends Data.TaggedError("NothingToReload") {
  override get message(): string {
    return "the gateway runs without a configuration file: there is nothing to read again"
  }
}

export const make = Effect.gen(function* () {
  const live = yield* LiveDirectory
  const ids = yield* Ids
  const source = yield* MerchantsSource
  return Effect.fn("ReloadMerchants")(function* (actor: Actor) {
    if (source === undefined) return yield* new NothingToReload()
    const atMs = yield* Clock.currentTimeMillis
    const auditId = ids.next()
    return yield* live.replace(source, ({ added, changed, keys, merchants, removed }) =>
      Audit.entry({
        auditId,
        atMs,
        actor,
        action: "merchants.reload",
        subject: { kind: "merchants", id: "file" },
        detail: {
          merchants,
          added: some(added),
          changed: some(changed),
          removed: some(removed),
          keys: some(keys)
        }
      })
    )
  })
})

const mostNames = 20

const some = (names: ReadonlyArray<string>): string =>
  names.length <= mostNames
    ? names.join(" ")
    : `${names.slice(0, mostNames).join(" ")} and ${names.length - mostNames} more`
