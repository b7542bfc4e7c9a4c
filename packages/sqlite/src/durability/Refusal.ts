/** Decides whether a store with a judgement is opened, by what the operator said, and explains a refusal. */
import type * as Judgement from "./Judgement.ts"
import { StoreRefused } from "./StoreRefused.ts"

export interface Options {
  /** Path of the witness file, preferably on another disk. Without it only the database and its log are checked. */
  readonly witness?: string | undefined
  /**
   * What is done if there is no store: `make` creates one (default), `refuse` fails, `insist` creates one and fails if there
   * is one.
   */
  readonly absent?: "make" | "refuse" | "insist"
  /** True: a store in which something is missing is opened as restored; a complete one is refused. */
  readonly acceptLoss?: boolean
  /** True: the store is opened as restored, even if the check finds it complete. */
  readonly isRestored?: boolean
  /**
   * Whether a file that is not the one in which the store was written last continues the store: `refuse` (default) fails, `accept`
   * continues it, `insist` continues it and fails for the same file as before. Nothing may be missing in the store.
   */
  readonly moved?: "refuse" | "accept" | "insist"
  /** Whether a store that was not closed may lack its log, if its witness has seen no more. Default: false. */
  readonly mayLackLog?: boolean
  /** What the messages of refusals advise after a loss, and for a copy. Default: the arguments of the gateway. */
  readonly advice?: { readonly loss: string; readonly copy: string }
  /** True: the store is a copy. Its witness does not apply, and the next opening writes a new one. */
  readonly isCopy?: boolean
}

const waysOn =
  "Restore a copy (pay restore FILE FOLDER), or start once with --accept-loss: the gateway then refuses new payments until it knows the bank's bookings since then (docs/operators/clock-and-store.md, A start that is refused)."

export const namesFile = "The setting witness (PAY_WITNESS) must name a file in an existing folder."

export const onlyWayOn = "Restore a copy into another folder (pay restore FILE FOLDER)."

/** Says what is at stake if a copy is started, and the two ways to start it. */
export const waysOfCopy =
  "Two gateways on two copies would charge the same customers twice. If none runs on the other one, and none ever will, start once with --moved. Otherwise start once with --restored: the gateway then refuses new payments until it knows the bank's bookings since then (docs/operators/clock-and-store.md, A store that was copied or moved)."

const ofGateway: NonNullable<Options["advice"]> = { loss: waysOn, copy: waysOfCopy }

export const simply = (why: StoreRefused["why"], message: string) => new StoreRefused({ why, message })

const refused = (judgement: Judgement.Loss, { copy, loss } = ofGateway): StoreRefused =>
  new StoreRefused({
    why: judgement.why,
    message: `${judgement.what}${
      judgement.why === "gone" || judgement.sinceMs === undefined
        ? ""
        : ` (the store's last commit: ${new Date(judgement.sinceMs).toISOString()})`
    }. ${judgement.why === "elsewhere" ? copy : loss}`,
    ...(judgement.missing === undefined ? {} : { missing: judgement.missing }),
    ...(judgement.sinceMs === undefined ? {} : { sinceMs: judgement.sinceMs })
  })

export const refusalOf = (
  path: string,
  judgement: Judgement.Judgement,
  { absent = "make", acceptLoss = false, advice, isCopy = false, isRestored = false, moved = "refuse" }: Options
): StoreRefused | undefined => {
  if (judgement._tag === "Mixed") return simply("mixed", `${judgement.what}. ${onlyWayOn}`)
  if (isCopy) return undefined
  if (judgement._tag === "Absent")
    return absent === "refuse"
      ? simply(
          "absent",
          `There is no store at ${path}: is its volume mounted, and the path right? Give --new to begin with an empty store.`
        )
      : undefined
  if (isRestored) return undefined
  const isElsewhere = judgement._tag === "Loss" && judgement.why === "elsewhere"
  if (isElsewhere && moved === "refuse") return refused(judgement, advice)
  if (judgement._tag === "Loss" && !isElsewhere) return acceptLoss ? undefined : refused(judgement, advice)
  if (acceptLoss) return simply("sound", `Nothing is missing in ${path}: leave out --accept-loss.`)
  if (moved === "insist" && !isElsewhere)
    return simply("sound", `${path} is the file in which this store was written last: leave out --moved.`)
  return absent === "insist" ? simply("present", `There is a store at ${path}: leave out --new.`) : undefined
}
