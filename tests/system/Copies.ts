/** A gateway's data folder, copied and put back into another while the bank remembers everything. */
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import * as Backup from "@pay/storage/Backup"
import { Effect } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

export const back = (from: string, to: string) =>
  Effect.gen(function* () {
    // Keys are kept apart from copies, and put back by hand.
    copyFileSync(join(from, "keys.json"), join(to, "keys.json"))
    return yield* Backup.restore({ file: join(from, "copy.db"), dataDirectory: to, by: "tester" })
  })

/** The bank goes on knowing what the former life did. */
export const withBankOf = (folder: string) => ({
  journalPath: join(folder, "bank.journal"),
  railJournalPath: join(folder, "rail.journal"),
  threedsJournalPath: join(folder, "threeds.journal"),
  offsetPath: join(folder, "clock.json")
})

/** All bookings since the copy are known: orders are taken again. */
export const enumerated = Effect.andThen(TestMerchant.settled, TestMerchant.pass("2 minutes"))

export const backup = (folder: string) =>
  Backup.make({ dataDirectory: folder, file: join(folder, "copy.db"), by: "tester" })

/**
 * Two lives of a gateway. The first takes a copy of its folder somewhere in what it does. The second starts on the copy, and knows
 * nothing of what the first did after it; the bank knows everything.
 */
export const restored = <A, E, R, B, E2, R2>(
  before: (copying: ReturnType<typeof backup>) => Effect.Effect<A, E, R>,
  after: (done: A) => Effect.Effect<B, E2, R2>,
  options: { readonly before?: TestGateway.Options; readonly after?: TestGateway.Options } = {}
) =>
  Effect.gen(function* () {
    const former = yield* TestGateway.folder
    const folder = yield* TestGateway.folder
    const done = yield* before(backup(former)).pipe(TestGateway.running(former, options.before))
    yield* back(former, folder)
    return yield* after(done).pipe(TestGateway.running(folder, { bank: withBankOf(former), ...options.after }))
  })
