/** Runs the charge of a stored card at a scripted gateway, in any turn of its creation. */
import { assert, it } from "@effect/vitest"
import type * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as Creation from "../src/Creation.ts"
import * as Flow from "../src/Flow.ts"
import type { Settings } from "../src/FlowSettings.ts"
import * as Steps from "../src/Steps.ts"
import * as Earlier from "./Earlier.ts"
import * as Script from "./Script.ts"

interface Scenario extends Partial<Creation.Creation> {
  /** Whether an earlier run may have sent it. */
  readonly isBegun?: boolean
  /** Fields that an earlier run had. */
  readonly lostFields?: ReadonlyArray<string>
  /** The steps that the earlier run recorded. */
  readonly record?: Earlier.Record
}

export const create = (
  { isBegun = false, lostFields = [], record, ...changes }: Scenario,
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

/** The answers to `make-rebill` and to `status`, the outcome of the charge, and the requests. */
type Row = readonly [
  what: string,
  scenario: Scenario,
  makes: ReadonlyArray<Script.Answer>,
  status: ReadonlyArray<Script.Answer>,
  end: string,
  requests: string,
  settings?: Partial<Settings>
]

export const check = (rows: ReadonlyArray<Row>, profile?: Partial<GatewayProfile.GatewayProfile>) => {
  for (const [what, scenario, makes, status, end, request, settings] of rows)
    it.effect(`${what}: ${end}`, () =>
      Effect.gen(function* () {
        const outcome = yield* Script.run({ "make-rebill": makes, status }, create(scenario), settings, profile)
        assert.deepStrictEqual(
          [outcome.end, outcome.requests.join(" ").replaceAll("make-rebill", "make")],
          [end, request]
        )
      })
    )
}
