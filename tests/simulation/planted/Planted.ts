/**
 * The list of defects that are planted on purpose. The simulation must find each defect that is visible at the API, in the books of
 * bank and rail, or in the store. Each entry states whether it is visible, and why.
 */
import { bank } from "./Bank.ts"
import { callbacks } from "./Callbacks.ts"
import { creations } from "./Creations.ts"
import { flows } from "./Flows.ts"
import { followUps } from "./FollowUps.ts"
import { pages } from "./Pages.ts"
import type { Planted } from "./Patch.ts"
import { payouts } from "./Payouts.ts"
import { recurring } from "./Recurring.ts"
import { store } from "./Store.ts"

export const planted: ReadonlyArray<Planted> = [
  ...creations,
  ...bank,
  ...followUps,
  ...payouts,
  ...callbacks,
  ...store,
  ...flows,
  ...pages,
  ...recurring
]
