/** The list of all checks: those derived from the contract for each operation, and those of flows and rules. */
import * as PayApi from "@pay/schema/PayApi"
import type { Check } from "./Check.ts"
import * as Callbacks from "./checks/Callbacks.ts"
import * as Cards from "./checks/Cards.ts"
import * as Controls from "./checks/Controls.ts"
import * as Fields from "./checks/Fields.ts"
import * as Merchants from "./checks/Merchants.ts"
import * as OAuths from "./checks/OAuths.ts"
import * as Outcomes from "./checks/Outcomes.ts"
import * as Payouts from "./checks/Payouts.ts"
import * as RefusalOrder from "./checks/RefusalOrder.ts"
import * as Replays from "./checks/Replays.ts"
import * as Requests from "./checks/Requests.ts"
import * as States from "./checks/States.ts"
import * as ThreeDS from "./checks/ThreeDS.ts"

export const all: ReadonlyArray<Check> = [
  ...PayApi.all.flatMap(Fields.of),
  ...PayApi.all.flatMap(Controls.of),
  ...PayApi.all.flatMap(OAuths.of),
  ...PayApi.all.flatMap(Requests.of),
  ...RefusalOrder.all,
  ...PayApi.all.flatMap(Replays.of),
  ...Replays.followUp,
  ...States.all,
  ...Merchants.all,
  ...ThreeDS.all,
  ...Cards.all,
  ...Payouts.all,
  ...Outcomes.all,
  ...Callbacks.all
]
