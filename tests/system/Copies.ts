/** A gateway's data folder, copied and put back into another while the bank remembers everything. */
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import * as Backup from "@pay/storage/Backup"
import { Effect } from "effect"
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
