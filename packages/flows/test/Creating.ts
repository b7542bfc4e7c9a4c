/** Runs the charge of a stored card at a scripted gateway, in any turn of its creation. */
import { assert, it } from "@effect/vitest"
import type * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as TextTable from "../../schema/test/TextTable.ts"
import * as Flow from "../src/engine/Flow.ts"
import type { Settings } from "../src/engine/FlowSettings.ts"
import * as Steps from "../src/engine/Steps.ts"
import * as Creation from "../src/requests/Creation.ts"
import * as Earlier from "./Earlier.ts"
import * as Script from "./Script.ts"

interface Scenario extends Partial<Creation.Creation> {
  /** Whether an earlier run may have sent it. */
  readonly isBegun?: boolean
  /** Fields that an earlier run had. */
  readonly lostFields?: ReadonlyArray<string>
  /** The steps that the earlier run recorded. */
  readonly record?: Earlier.Record
  readonly settings?: Partial<Settings>
}

export const create = (
  { isBegun = false, lostFields = [], record, ...changes }: Omit<Scenario, "settings">,
  run = Earlier.runAfter(record)
) =>
  Creation.create({
    step: "make",
    operation: PayApi.operations.REBILL,
    request: Script.chargeRequest,
    clientOrderId: "o-1",
    endpointId: undefined,
    trail: [],
    ...changes
  }).pipe(
    Effect.map((receipt) => ({ status: receipt.serialNumber === undefined ? "found" : "made", receipt })),
    Effect.provideService(Flow.IsResumed, isBegun),
    Effect.provideService(Flow.LostFields, lostFields),
    Effect.provideService(Steps.Steps, run.steps)
  )

/**
 * Tests the rows of a table: the charge, by its name in `scenarios`, the answers to `make-rebill` and to `status`, the outcome of the
 * charge, and the requests.
 */
export const check = (
  table: string,
  scenarios: Readonly<Record<string, Scenario>>,
  profile?: Partial<GatewayProfile.GatewayProfile>
) => {
  const [, ...rows] = TextTable.rows(table)
  for (const [what, charge = "", makes = "", statuses = "", end, requests] of rows)
    it.effect(`${what}: ${end}`, () =>
      Effect.gen(function* () {
        const { settings, ...scenario } = TextTable.named<Scenario>({ usual: {}, ...scenarios }, charge)
        const script = { "make-rebill": Script.answersOf(makes, answers), status: Script.answersOf(statuses, answers) }
        const outcome = yield* Script.run(script, create(scenario), settings, profile)
        const paths = outcome.requests.map((path) => (path === "make-rebill" ? "make" : path))
        assert.deepStrictEqual([outcome.end, Script.counted(paths)], [end, requests])
      })
    )
}

const answers: Readonly<Record<string, Script.Answer>> = {
  complete: Script.orderStatus("approved", { "recurring-payment-id": "9" }),
  "found with 1.00": Script.orderStatus("approved", { amount: "1.00" })
}
