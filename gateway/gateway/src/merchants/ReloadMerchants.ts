/**
 * Reads the merchants' description again, on an operator's request or on a signal to the process. Other processes on the same
 * store then read their own files, within {@link lookEvery}.
 */
import { Clock, Context, Data, Effect, Layer } from "effect"
import type { Actor } from "../kernel/Audit.ts"
import * as Audit from "../kernel/Audit.ts"
import * as Decision from "../kernel/Decision.ts"
import { Ids } from "../kernel/Ids.ts"
import { Revision } from "../kernel/Revision.ts"
import { Store } from "../kernel/Store.ts"
import * as StoreLook from "../kernel/StoreLook.ts"
import * as Transact from "../kernel/Transact.ts"
import type { Config, DirectoryError } from "./Directory.ts"
import { LiveDirectory } from "./LiveDirectory.ts"

/** Reads the merchants' configuration. `undefined`: the configuration was given with the gateway, so there is no file to read. */
export const MerchantsSource = Context.Reference<Effect.Effect<Config, DirectoryError> | undefined>(
  "@pay/gateway/MerchantsSource",
  { defaultValue: () => undefined }
)

export class NothingToReload extends Data.TaggedError("NothingToReload") {
  override get message(): string {
    return "the gateway runs without a configuration file: there is nothing to read again"
  }
}

const lookEvery = "1 second"

const revisionNow = Effect.flatMap(Store, (store) =>
  Effect.map(store.load(Revision, ["merchants"]), (row) => row?.version ?? 0)
)

/** Makes the other processes read their descriptions again. */
const bumpRevision = Effect.gen(function* () {
  const store = yield* Store
  const attempt = Effect.gen(function* () {
    const version = yield* revisionNow
    const subject = "merchants"
    const guard =
      version === 0 ? Decision.absent(Revision, "key", [subject]) : Decision.versionIs(Revision, [subject], version)
    yield* store.commit({ guards: [guard], writes: [Decision.put(Revision, { subject, version: version + 1 })] })
  })
  // A process that was first each time has made them read, too.
  yield* Transact.transact({ attempt, exhausted: () => Effect.void })
})

/** Reads the description in this process. */
const reloadHere = Effect.gen(function* () {
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
          added: shortened(added),
          changed: shortened(changed),
          removed: shortened(removed),
          keys: shortened(keys)
        }
      })
    )
  })
})

/** Reads the description in this process, and makes the other processes on the same store read theirs. */
export const make = Effect.gen(function* () {
  const store = yield* Store
  const reload = yield* reloadHere
  const reloadOthers = Effect.provideService(bumpRevision, Store, store)
  return (actor: Actor) => (store.exclusive ? reload(actor) : Effect.tap(reload(actor), reloadOthers))
})

/** Reads the description again after another process was ordered to. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* Store
    const source = yield* MerchantsSource
    if (store.exclusive || source === undefined) return
    const reload = yield* reloadHere
    let lastVersion = yield* revisionNow
    const look = Effect.gen(function* () {
      const version = yield* revisionNow
      if (version === lastVersion) return
      // A file that is wrong is read again when an operator orders it; a store that cannot serve is asked again at once.
      yield* Effect.catchTags(Effect.asVoid(reload("gateway")), { DirectoryError: refused, NothingToReload: refused })
      lastVersion = version
    })
    yield* StoreLook.repeated(look, {
      every: lookEvery,
      unknown: "The store cannot say whether the merchants are to be read again; those known stay"
    })
  })
)

const refused = (error: DirectoryError | NothingToReload) =>
  Effect.logError("Another process has read its merchants again, and this one could not", error)

const mostNames = 20

const shortened = (names: ReadonlyArray<string>): string =>
  names.length <= mostNames
    ? names.join(" ")
    : `${names.slice(0, mostNames).join(" ")} and ${names.length - mostNames} more`
