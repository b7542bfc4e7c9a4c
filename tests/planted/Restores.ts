/** Defects in what a gateway does on a restored copy of its store. */
import { behindApi, type Defect, unseen, visible } from "./Defect.ts"

const catchUp = "gateway/gateway/src/restore/CatchUp.ts"
const because = "the suite restores no backup"

const onCopies = (name: string, by: string, file: string, find: string, replace: string): Defect => ({
  ...behindApi(because, visible(name, by, file, find, replace)),
  restores: true
})

export const restores: ReadonlyArray<Defect> = [
  onCopies(
    "a job of a restored copy is sent before it is compared",
    "a request is sent again that the former gateway had sent",
    catchUp,
    "bank: requests.compare,",
    "bank: same,"
  ),
  onCopies(
    "a listed booking that an inquiry does not find never happened",
    "a payment is reported as failed, and the bank has it",
    "gateway/gateway/src/restore/Attempts.ts",
    'return answer._tag === "NotFound" && !isListed && !mayArrive',
    'return answer._tag === "NotFound"'
  ),
  onCopies(
    "a repeated creation does not find the booking that a restored copy lacks",
    "a payment is made twice",
    "gateway/gateway/src/restore/AdoptBooking.ts",
    "if (startedAtMs === undefined) return undefined\n    const rowsOf",
    "if (startedAtMs !== 0) return undefined\n    const rowsOf"
  ),
  unseen(
    "a charge that the former gateway may have made is not compared",
    "a scheduled charge between a backup and its restore is too rare in 10,000 steps",
    catchUp,
    "recurring: charges.compare,",
    "recurring: same,"
  ),
  unseen(
    "a reversal of a restored copy is made again by itself",
    "a backup between an unexpected approval and the end of its reversal, which follows at once, is too rare in 10,000 steps",
    catchUp,
    "reversal: Reversals.compare(store),",
    "reversal: same,"
  )
]
