/** What the bank books at a gateway that does only what the specification says, with default settings. */
import { assert, describe, it } from "@effect/vitest"
import * as CustomerBrowsers from "@pay/flows/CustomerBrowser"
import { FlowEngine, makeMemory } from "@pay/flows/FlowEngine"
import * as FlowSettings from "@pay/flows/FlowSettings"
import { Effect, Layer } from "effect"
import { byName } from "./Cases.ts"
import type { PreparedRun } from "./PreparedRun.ts"
import { clientOrderId } from "./Requests.ts"
import * as StubConnection from "./stub/StubConnection.ts"
import type * as StubGateway from "./stub/StubGateway.ts"

const report = { repeats: "doubled", isTerse: false } as const
const terse = { repeats: "doubled", isTerse: true } as const

interface Scenario {
  readonly settings: StubGateway.Settings
  readonly flow: string
  /** Answers to its requests that are lost. */
  readonly losses?: number
  /** How often the flow is run in sequence; `anew`: the second time on an engine that does not know it. */
  readonly runs?: "once" | "twice" | "anew"
  /** Whether nobody else acts on the order. */
  readonly isAlone?: boolean
}

/** How each run ended, and what was booked for the order. */
const play = ({ flow, isAlone = false, losses = 0, runs = "once", settings }: Scenario) =>
  Effect.suspend(() => {
    const connection = StubConnection.make(settings)
    return Effect.gen(function* () {
      const begun: PreparedRun = yield* byName(flow).begin(connection.settle)
      if (losses > 0) yield* connection.next("answerLost", { path: begun.operation.path, times: losses })
      const run = connection.inTime({})(Effect.catch(begun.program, ({ _tag }) => Effect.succeed(_tag)))
      const ends = [yield* run]
      yield* connection.settle
      if (runs === "twice") ends.push(yield* run)
      if (runs === "anew") ends.push(yield* Effect.provideService(run, FlowEngine, makeMemory()))
      yield* connection.settle
      return `${ends.join(", ")}: ${connection.gateway.booked(clientOrderId).join(", ")}`
    }).pipe(
      FlowSettings.changed({ actsAlone: isAlone }),
      Effect.provide(FlowEngine.layerMemory, { local: true }),
      Effect.provide(Layer.merge(connection.client, CustomerBrowsers.layerNone))
    )
  })

const rows: ReadonlyArray<readonly [scenario: string, Scenario, end: string]> = [
  [
    "a refund whose answer is lost three times is made once if no other program acts",
    { settings: report, flow: "Refund, a part", losses: 3, isAlone: true },
    "approved: authorize 1042, refund 200"
  ],
  [
    "a refund whose answer is lost needs a person if other programs may act",
    { settings: report, flow: "Refund, a part", losses: 1 },
    "NeedsAPerson: authorize 1042, refund 200"
  ],
  [
    "a refund whose answer is lost three times needs a person if status shows no refunded amount",
    { settings: terse, flow: "Refund, a part", losses: 3 },
    "NeedsAPerson: authorize 1042, refund 200"
  ],
  [
    "a refund that status does not show for two minutes is not sent again",
    { settings: { ...report, hiddenMs: 120_000 }, flow: "Refund, a part", losses: 1 },
    "NeedsAPerson: authorize 1042, refund 200"
  ],
  [
    "an accepted refund that status does not show is not approved",
    { settings: { ...report, hiddenMs: 120_000 }, flow: "Refund, a part" },
    "NeedsAPerson: authorize 1042, refund 200"
  ],
  [
    "a refund that status shows after 40 seconds is approved",
    { settings: { ...report, hiddenMs: 40_000 }, flow: "Refund, a part" },
    "approved: authorize 1042, refund 200"
  ],
  [
    "a finished refund that is run again is not made again",
    { settings: report, flow: "Refund, a part", runs: "twice" },
    "approved, approved: authorize 1042, refund 200"
  ],
  [
    "a finished sale that is run again is the same order",
    { settings: terse, flow: "CardSale", runs: "twice" },
    "approved, approved: authorize 1042"
  ],
  [
    "a finished sale that is run again on an engine that does not know it is the same order",
    { settings: terse, flow: "CardSale", runs: "anew" },
    "approved, approved: authorize 1042"
  ],
  [
    "a payout whose answer is lost three times is paid once",
    { settings: terse, flow: "PayOut", losses: 3 },
    "approved: pay 1042"
  ],
  [
    "a checked payout whose answer is lost three times is paid once",
    { settings: terse, flow: "CheckPayOut, PayChecked", losses: 3 },
    "approved: check 1042, pay 1042"
  ]
]

describe("a flow at a gateway that executes a repeated request again", () => {
  for (const [scenario, played, end] of rows) {
    it.effect(`${scenario}: ${end}`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* play(played), end)
      })
    )
  }
})
