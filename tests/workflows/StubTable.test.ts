import { assert, describe, it } from "@effect/vitest"
import * as Profile from "@pay/transport/Profile"
import { Effect } from "effect"
import * as TextTable from "../../packages/schema/test/TextTable.ts"
import { byName, cases } from "./Cases.ts"
import type { Fault } from "./Faults.ts"
import * as StubOutcome from "./StubOutcome.ts"
import type * as StubGateway from "./stub/StubGateway.ts"

interface Gateway {
  readonly name: string
  readonly settings: StubGateway.Settings
  readonly profile: Profile.Profile
  readonly table: string
}

const doubled = { repeats: "doubled", isTerse: true } as const
const refused = { repeats: "refused", isTerse: false } as const

/**
 * Runs the flows against the faults at gateways that do only what the specification says. A flow ends `StillUnknown` or
 * `NeedsAPerson` if `status` cannot tell the outcome. No flow makes a movement twice. A request that is sent twice on its way is
 * two requests to a gateway that repeats what it receives: no client can prevent that.
 */
const gateways: ReadonlyArray<Gateway> = [
  {
    name: "that executes a repeated request again and omits every optional field",
    settings: doubled,
    profile: {},
    table: `
flow                    | nothing      | request lost | answer lost  | answer late  | answer twice | request late | unreachable  | callback first | callback never | callback forged | clock jumps  | interrupted  | started twice | gateway killed | merchant killed | killed at once | customer leaves
CardSale                | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved      | approved       | StillUnknown    | StillUnknown   | approved
CardSale, 3DS gateway   | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved      | approved       | StillUnknown    | StillUnknown   | Declined
CardSale, 3DS merchant  | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved      | approved       | StillUnknown    | StillUnknown   | Declined
CardSale, 3DS 1.0.2     | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved      | approved       | StillUnknown    | StillUnknown   | Declined
Authorization           | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved      | approved       | StillUnknown    | StillUnknown   | approved
VerifyAccount           | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved      | approved       | StillUnknown    | StillUnknown   | approved
Capture, a part         | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson   | NeedsAPerson   | NeedsAPerson    | NeedsAPerson | NeedsAPerson | NeedsAPerson  | NeedsAPerson   | NeedsAPerson    | NeedsAPerson   | NeedsAPerson
Void                    | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson   | NeedsAPerson   | NeedsAPerson    | NeedsAPerson | NeedsAPerson | NeedsAPerson  | NeedsAPerson   | NeedsAPerson    | NeedsAPerson   | NeedsAPerson
Refund, a part          | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson   | NeedsAPerson   | NeedsAPerson    | NeedsAPerson | NeedsAPerson | NeedsAPerson  | NeedsAPerson   | NeedsAPerson    | NeedsAPerson   | NeedsAPerson
Tokenize                | approved     | approved     | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | approved     | approved      | approved       | approved        | approved       | approved
KeepCard                | approved     | approved     | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | approved     | approved      | approved       | approved        | approved       | approved
Rebill                  | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved      | approved       | StillUnknown    | StillUnknown   | approved
Subscribe               | approved     | StillUnknown | StillUnknown | StillUnknown | approved     | StillUnknown | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved      | StillUnknown   | StillUnknown    | StillUnknown   | approved
Subscribe, 3DS          | approved     | StillUnknown | StillUnknown | StillUnknown | approved     | StillUnknown | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved      | StillUnknown   | StillUnknown    | StillUnknown   | Declined
ChargeSubscription      | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved      | approved       | StillUnknown    | StillUnknown   | approved
ChangeSubscription      | approved     | approved     | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | approved     | approved      | approved       | approved        | approved       | approved
PayOut                  | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved      | approved       | StillUnknown    | StillUnknown   | approved
PayOutV2                | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved      | approved       | StillUnknown    | StillUnknown   | approved
CheckPayOut, PayChecked | approved     | NeedsAPerson | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved      | approved       | StillUnknown    | StillUnknown   | approved
Transfer                | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved      | approved       | StillUnknown    | StillUnknown   | approved
Transfer, 3DS           | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved      | approved       | StillUnknown    | StillUnknown   | Declined
TransferByRef           | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved      | approved       | StillUnknown    | StillUnknown   | approved
CanSend                 | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved      | approved       | StillUnknown    | StillUnknown   | approved
HostedSale              | approved     | StillUnknown | StillUnknown | StillUnknown | approved     | StillUnknown | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved      | StillUnknown   | StillUnknown    | StillUnknown   | Declined
HostedAuthorization     | approved     | StillUnknown | StillUnknown | StillUnknown | approved     | StillUnknown | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved      | StillUnknown   | StillUnknown    | StillUnknown   | Declined
HostedPayment           | approved     | StillUnknown | StillUnknown | StillUnknown | approved     | StillUnknown | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved      | StillUnknown   | StillUnknown    | StillUnknown   | Declined
HostedPayOut            | approved     | StillUnknown | StillUnknown | StillUnknown | approved     | StillUnknown | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved      | StillUnknown   | StillUnknown    | StillUnknown   | Declined
HostedVerification      | approved     | StillUnknown | StillUnknown | StillUnknown | approved     | StillUnknown | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved      | StillUnknown   | StillUnknown    | StillUnknown   | Declined
`
  },
  {
    name: "that refuses a repeated request",
    settings: refused,
    profile: {},
    table: `
flow                    | request lost | answer lost  | request late | request twice | interrupted
CardSale                | StillUnknown | approved     | approved     | approved      | StillUnknown
CardSale, 3DS gateway   | StillUnknown | approved     | approved     | approved      | StillUnknown
CardSale, 3DS merchant  | StillUnknown | approved     | approved     | approved      | StillUnknown
CardSale, 3DS 1.0.2     | StillUnknown | approved     | approved     | approved      | StillUnknown
Authorization           | StillUnknown | approved     | approved     | approved      | StillUnknown
VerifyAccount           | StillUnknown | approved     | approved     | approved      | StillUnknown
Capture, a part         | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson  | NeedsAPerson
Void                    | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson  | NeedsAPerson
Refund, a part          | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson  | NeedsAPerson
Tokenize                | approved     | approved     | approved     | approved      | approved
KeepCard                | approved     | approved     | approved     | approved      | approved
Rebill                  | StillUnknown | approved     | approved     | approved      | StillUnknown
Subscribe               | StillUnknown | approved     | approved     | approved      | StillUnknown
Subscribe, 3DS          | StillUnknown | approved     | approved     | approved      | StillUnknown
ChargeSubscription      | StillUnknown | approved     | approved     | approved      | StillUnknown
ChangeSubscription      | approved     | approved     | approved     | approved      | approved
PayOut                  | StillUnknown | approved     | approved     | approved      | StillUnknown
PayOutV2                | StillUnknown | approved     | approved     | approved      | StillUnknown
CheckPayOut, PayChecked | NeedsAPerson | approved     | approved     | approved      | StillUnknown
Transfer                | StillUnknown | approved     | approved     | approved      | StillUnknown
Transfer, 3DS           | StillUnknown | approved     | approved     | approved      | StillUnknown
TransferByRef           | StillUnknown | approved     | approved     | approved      | StillUnknown
CanSend                 | StillUnknown | approved     | approved     | approved      | StillUnknown
HostedSale              | StillUnknown | StillUnknown | StillUnknown | StillUnknown  | StillUnknown
HostedAuthorization     | StillUnknown | StillUnknown | StillUnknown | StillUnknown  | StillUnknown
HostedPayment           | StillUnknown | StillUnknown | StillUnknown | StillUnknown  | StillUnknown
HostedPayOut            | StillUnknown | StillUnknown | StillUnknown | StillUnknown  | StillUnknown
HostedVerification      | StillUnknown | StillUnknown | StillUnknown | StillUnknown  | StillUnknown
`
  },
  {
    name: "that refuses a repeated request, with the message for an unknown order in its profile",
    settings: refused,
    profile: { notFound: ["Unknown order"] },
    table: `
flow                    | request lost | request late | merchant killed
CardSale                | approved     | approved     | NeverHappened, approved
CardSale, 3DS gateway   | approved     | approved     | NeverHappened, approved
CardSale, 3DS merchant  | approved     | approved     | NeverHappened, approved
CardSale, 3DS 1.0.2     | approved     | approved     | NeverHappened, approved
Authorization           | approved     | approved     | NeverHappened, approved
VerifyAccount           | approved     | approved     | NeverHappened, approved
Capture, a part         | NeedsAPerson | NeedsAPerson | NeedsAPerson
Void                    | NeedsAPerson | NeedsAPerson | NeedsAPerson
Refund, a part          | NeedsAPerson | NeedsAPerson | NeedsAPerson
Tokenize                | approved     | approved     | approved
KeepCard                | approved     | approved     | approved
Rebill                  | approved     | approved     | approved
Subscribe               | approved     | approved     | NeverHappened, approved
Subscribe, 3DS          | approved     | approved     | NeverHappened, approved
ChargeSubscription      | approved     | approved     | approved
ChangeSubscription      | approved     | approved     | approved
PayOut                  | approved     | approved     | approved
PayOutV2                | approved     | approved     | approved
CheckPayOut, PayChecked | NeedsAPerson | approved     | approved
Transfer                | approved     | approved     | NeverHappened, approved
Transfer, 3DS           | approved     | approved     | NeverHappened, approved
TransferByRef           | approved     | approved     | approved
CanSend                 | approved     | approved     | approved
HostedSale              | approved     | StillUnknown | approved
HostedAuthorization     | approved     | StillUnknown | approved
HostedPayment           | approved     | StillUnknown | approved
HostedPayOut            | approved     | StillUnknown | approved
HostedVerification      | approved     | StillUnknown | approved
`
  }
]

/** The flows know nothing of the dialect: at each gateway every cell is the same in both. */
const dialects = [
  { says: "", dialect: "json", spoken: "specification" },
  { says: ", in the older dialect", dialect: "pairs", spoken: "paynet" }
] as const

/** Faults after which the client reads nothing that it does not read without a fault. They are tried in one dialect. */
const ofNoDialect = new Set([
  ...["answer twice", "unreachable", "callback first", "callback never", "clock jumps", "interrupted"],
  ...["started twice", "gateway killed", "killed at once"]
])

// `npm test` runs each flow with each fault at one of three gateways.
for (const [number, { name, profile, settings, table }] of gateways.entries()) {
  const [head = [], ...rows] = TextTable.rows(table)
  describe(`a gateway ${name}`, () => {
    it("is tested with each flow", () =>
      assert.deepStrictEqual(
        rows.map(([flow]) => flow),
        cases.map((flow) => flow.name)
      ))
  })
  for (const { dialect, says, spoken } of dialects) {
    const gateway = { settings: { ...settings, dialect }, profile: { ...Profile.named[spoken], ...profile } }
    describe(`a gateway ${name}${says}`, () => {
      for (const [row, [flow = "", ...cells]] of rows.entries()) {
        for (const [column, end] of cells.entries()) {
          const fault = StubOutcome.faultOf(head[column + 1] ?? "")
          if (dialect === "pairs" && ofNoDialect.has(fault.name)) continue
          const others = (row + column + number) % 5 === 0 ? "" : ", as the others"
          it.effect(`${flow}, ${fault.name}${others}: ${end}`, () =>
            Effect.gen(function* () {
              assert.strictEqual(yield* StubOutcome.outcomeOf(gateway, byName(flow), fault), end)
            })
          )
        }
      }
    })
  }
}

/** The end on a file. A run after a pause has no security code there, as after a kill: a lost request is not sent again. */
const endOnFile = (fault: string, cellOf: (name: string) => string | undefined) => {
  const killed = cellOf("merchant killed") ?? ""
  return fault === "request lost" && killed.startsWith("NeverHappened") ? killed : cellOf(fault)
}

for (const { name, profile, settings, table } of gateways) {
  const [[, ...names] = [], ...rows] = TextTable.rows(table)
  const gateway = {
    settings: { ...settings, dialect: "json" as const },
    profile: { ...Profile.named.specification, ...profile }
  }
  // Kills are tried on a file above. An operator's interruption lets a request end, which a caller's does not. A customer who leaves is
  // waited for in many steps, at each gateway in the same way.
  const isTried = ({ abandoned, cutOff, killPlan }: Fault) => killPlan === undefined && !cutOff && !abandoned
  const tried = names.map(StubOutcome.faultOf).filter(isTried)
  describe.concurrent(`flows on a file at a gateway ${name}`, () => {
    for (const [flow = "", ...cells] of rows) {
      for (const fault of tried) {
        const end = endOnFile(fault.name, (each) => cells[names.indexOf(each)])
        it.effect(`${flow}, ${fault.name}: ${end}`, () =>
          Effect.gen(function* () {
            assert.strictEqual(yield* StubOutcome.outcomeOf(gateway, byName(flow), fault, { on: "file" }), end)
          })
        )
      }
    }
  })
}
