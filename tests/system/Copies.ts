/** A gateway's data folder, copied and put back into another while the bank remembers everything. */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Backup from "@pay/storage/Backup"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

export const back = (from: string, to: string) =>
  Effect.gen(function* () {
    // Keys are kept apart from copies, and put back by hand.
    copyFileSync(join(from, "keys.json"), join(to, "keys.json"))
    return yield* Backup.restore({ file: join(from, "copy.db"), dataDirectory: to, by: "tester" })
  })

/** A new current hashing key beside the old one. */
export const rotateHashing = (folder: string) => {
  const path = join(folder, "keys.json")
  const ring = JSON.parse(readFileSync(path, "utf8"))
  ring.hashing = { current: 2, keys: { ...ring.hashing.keys, 2: Buffer.alloc(32, 7).toString("base64") } }
  writeFileSync(path, JSON.stringify(ring))
}

/** The bank and rail of the gateway on this folder, which still know everything that it did. */
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
 * Runs `before` on a gateway that makes a copy of its folder at some time, and `after` on another gateway that starts on the copy.
 * The copy lacks what the first gateway did after it. The bank has everything.
 */
export const restored = <A, E, R, B, E2, R2>(
  before: (copying: ReturnType<typeof backup>) => Effect.Effect<A, E, R>,
  after: (done: A) => Effect.Effect<B, E2, R2>,
  options: { readonly before?: TestGateway.Options; readonly after?: TestGateway.Options } = {}
) =>
  Effect.gen(function* () {
    const former = yield* temporaryFolder
    const folder = yield* temporaryFolder
    const done = yield* before(backup(former)).pipe(TestGateway.running(former, options.before))
    yield* back(former, folder)
    return yield* after(done).pipe(TestGateway.running(folder, { bank: withBankOf(former), ...options.after }))
  })
