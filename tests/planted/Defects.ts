/** The list of defects that are planted on purpose, to test the simulation, the conformance suite and the tests. */
import { bank } from "./Bank.ts"
import { callbacks } from "./Callbacks.ts"
import { creations } from "./Creations.ts"
import type { Defect } from "./Defect.ts"
import { flows } from "./Flows.ts"
import { followUps } from "./FollowUps.ts"
import { pages } from "./Pages.ts"
import { payouts } from "./Payouts.ts"
import { recurring } from "./Recurring.ts"
import { restores } from "./Restores.ts"
import { store } from "./Store.ts"

export const defects: ReadonlyArray<Defect> = [
  ...creations,
  ...bank,
  ...followUps,
  ...payouts,
  ...callbacks,
  ...store,
  ...flows,
  ...pages,
  ...recurring,
  ...restores
]
