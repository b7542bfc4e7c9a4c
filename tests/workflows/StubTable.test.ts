import { assert, describe, it } from "@effect/vitest"
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import * as CustomerBrowsers from "@pay/flows/CustomerBrowser"
import { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import * as Steps from "@pay/flows/Steps"
import type { GatewayProfile } from "@pay/schema/GatewayProfile"
import { Effect, Layer, Redacted } from "effect"
import type { PreparedRun } from "./Begun.ts"
import type { Case } from "./Case.ts"
import { byName, cases } from "./Cases.ts"
import { type Fault, faults } from "./Faults.ts"
import { cutOffEverywhere } from "./Interruptions.ts"
import { type Alive, anew, type Death, lives } from "./MerchantProcesses.ts"
import { clientOrderId } from "./Requests.ts"
import * as StubContract from "./stub/StubContract.ts"
import type * as StubGateway from "./stub/StubGateway.ts"
import * as StubWorld from "./stub/StubWorld.ts"

interface Gateway {
  readonly name: string
  readonly settings: StubGateway.Settings
  readonly profile: Partial<GatewayProfile>
  readonly table: string
}

const faultOf = (name: string): Fault => {
  const result = faults.find((fault) => fault.name === name)
  assert(result !== undefined, `no fault is called ${name}`)
  return result
}

/** What the shop's callback address does. */
const listener = Effect.fnUntraced(function* ({ callbacks }: Pick<Fault, "callbacks">) {
  if (callbacks === "never") return undefined
  const inbox = yield* CallbackInbox.make({ keys: { controlKeys: [Redacted.make(StubContract.controlKey)] } })
  const receive = (url: string) => inbox.receive({ method: "GET", url, headers: {} })
  return Effect.fnUntraced(function* (url: string) {
    if (callbacks === "forged") {
      assert.strictEqual((yield* receive(url.replace("status=approved", "status=declined"))).status, 403)
    }
    yield* receive(url)
  })
})

/** Does at the page what it asks for, and comes back. */
const willing = ({ gateway }: StubWorld.StubWorld) =>
  Layer.succeed(CustomerBrowser, {
    send: ({ clientOrderId, nextAction }) =>
      Effect.suspend(() => {
        if (nextAction._tag === "Redirect") gateway.visit(nextAction.url)
        return CustomerBrowsers.cameBack(clientOrderId, {})
      })
  })

const inOneLife = ({ program }: PreparedRun, { cutOff, twice, unreachable }: Fault) => {
  const callbacks = program.pipe(
    Effect.retry({ while: ({ retryable }) => retryable, times: unreachable === undefined ? 0 : 1 }),
    Effect.catch(({ _tag }) => Effect.succeed(_tag))
  )
  const begun =
    twice === true
      ? Effect.map(Effect.all([callbacks, callbacks], { concurrency: "unbounded" }), (ends) =>
          [...new Set(ends)].join(", ")
        )
      : callbacks
  return cutOff === true ? Effect.map(cutOffEverywhere(begun), ({ outcome }) => outcome) : begun
}

/** What was done at the bank, each once at most; all of it where the flow says so. */
const assertOnce = (world: StubWorld.StubWorld, { effects }: Case, ends: string) => {
  const booked = world.gateway.booked(clientOrderId)
  if (ends.endsWith("approved")) assert.deepStrictEqual(booked, effects, ends)
  const left = [...effects]
  for (const movement of booked) {
    const at = left.indexOf(movement)
    assert.notStrictEqual(at, -1, `${booked.join(", ")} where once was asked for ${effects.join(", ")}`)
    left.splice(at, 1)
  }
}

const outcomeOf = ({ profile, settings }: Pick<Gateway, "profile" | "settings">, flow: Case, fault: Fault) =>
  Effect.suspend(() => {
    const world = StubWorld.make(settings, profile)
    const customerBrowser = fault.abandoned === true ? CustomerBrowsers.layerNone : willing(world)
    return Effect.gen(function* () {
      const begun = yield* flow.begin(world.settle)
      if (fault.line !== undefined) world.next(fault.line, begun.operation.path)
      world.refuseNext(fault.unreachable ?? 0)
      const ends = yield* fault.death === undefined
        ? Effect.gen(function* () {
            const deliver = yield* listener(fault)
            return [yield* world.inTime({ deliver, jumps: fault.clockJumps === true })(inOneLife(begun, fault))]
          })
        : inManyLives(world, begun, fault.death)
      yield* world.settle
      assertOnce(world, flow, ends.join(", "))
      assert.strictEqual(world.unmet(), 0)
      return ends.join(", ")
    }).pipe(
      Effect.provideService(Steps.Steps, Steps.makeMemory()),
      Effect.provide(Layer.merge(world.client, customerBrowser))
    )
  })

const inManyLives = Effect.fnUntraced(function* (world: StubWorld.StubWorld, begun: PreparedRun, death: Death) {
  const alive: Alive = { open: Effect.void, shut: Effect.void, rest: Effect.void }
  const inTime = world.inTime({ rest: Effect.suspend(() => alive.rest) })
  const { ended, path } = yield* inTime(lives(begun, alive, death))
  return ended === "NeverHappened" ? [ended, yield* inTime(anew(begun, alive, path))] : [ended]
})

const doubled = { repeats: "doubled", isTerse: true } as const
const refused = { repeats: "refused", isTerse: false } as const

/**
 * Runs the flows against the faults at gateways that do only what the specification says. A flow ends `StillUnknown` or
 * `NeedsAPerson` if `status` cannot tell the outcome. No flow makes a movement twice. A request that is sent twice on its way is
 * two requests to a gateway that repeats what it receives: no client can prevent that.
 */
const gateways: ReadonlyArray<Gateway> = [
  {
    name: "that does again what it is told again, and tells nothing that is optional",
    settings: doubled,
    profile: {},
    table: `
flow                    | nothing      | request lost | answer lost  | answer late  | answer twice | request late | unreachable  | callback first | callback never | callback forged | clock jumps  | cut off      | begun twice  | gateway dies | merchant dies | dies at once | shopper leaves
CardSale                | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved     | approved     | StillUnknown  | StillUnknown | approved
CardSale, 3DS gateway   | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved     | approved     | StillUnknown  | StillUnknown | Declined
CardSale, 3DS merchant  | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved     | approved     | StillUnknown  | StillUnknown | Declined
CardSale, 3DS 1.0.2     | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved     | approved     | StillUnknown  | StillUnknown | Declined
Reserve                 | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved     | approved     | StillUnknown  | StillUnknown | approved
VerifyAccount           | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved     | approved     | StillUnknown  | StillUnknown | approved
Capture, a part         | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson   | NeedsAPerson   | NeedsAPerson    | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson  | NeedsAPerson | NeedsAPerson
Release                 | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson   | NeedsAPerson   | NeedsAPerson    | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson  | NeedsAPerson | NeedsAPerson
GiveBack, a part        | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson   | NeedsAPerson   | NeedsAPerson    | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson  | NeedsAPerson | NeedsAPerson
Tokenize                | approved     | approved     | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | approved     | approved     | approved     | approved      | approved     | approved
KeepCard                | approved     | approved     | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | approved     | approved     | approved     | approved      | approved     | approved
Rebill                  | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved     | approved     | StillUnknown  | StillUnknown | approved
Subscribe               | approved     | StillUnknown | StillUnknown | StillUnknown | approved     | StillUnknown | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved     | StillUnknown | StillUnknown  | StillUnknown | approved
Subscribe, 3DS          | approved     | StillUnknown | StillUnknown | StillUnknown | approved     | StillUnknown | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved     | StillUnknown | StillUnknown  | StillUnknown | Declined
ChargeSubscription      | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved     | approved     | StillUnknown  | StillUnknown | approved
ChangeSubscription      | approved     | approved     | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | approved     | approved     | approved     | approved      | approved     | approved
PayOut                  | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved     | approved     | StillUnknown  | StillUnknown | approved
PayOutV2                | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved     | approved     | StillUnknown  | StillUnknown | approved
CheckPayOut, PayChecked | approved     | NeedsAPerson | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved     | approved     | StillUnknown  | StillUnknown | approved
Transfer                | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved     | approved     | StillUnknown  | StillUnknown | approved
Transfer, 3DS           | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved     | approved     | StillUnknown  | StillUnknown | Declined
TransferByRef           | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved     | approved     | StillUnknown  | StillUnknown | approved
CanSend                 | approved     | StillUnknown | approved     | approved     | approved     | approved     | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved     | approved     | StillUnknown  | StillUnknown | approved
HostedSale              | approved     | StillUnknown | StillUnknown | StillUnknown | approved     | StillUnknown | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved     | StillUnknown | StillUnknown  | StillUnknown | Declined
HostedReserve           | approved     | StillUnknown | StillUnknown | StillUnknown | approved     | StillUnknown | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved     | StillUnknown | StillUnknown  | StillUnknown | Declined
HostedPayment           | approved     | StillUnknown | StillUnknown | StillUnknown | approved     | StillUnknown | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved     | StillUnknown | StillUnknown  | StillUnknown | Declined
HostedPayOut            | approved     | StillUnknown | StillUnknown | StillUnknown | approved     | StillUnknown | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved     | StillUnknown | StillUnknown  | StillUnknown | Declined
HostedVerification      | approved     | StillUnknown | StillUnknown | StillUnknown | approved     | StillUnknown | approved     | approved       | approved       | approved        | approved     | StillUnknown | approved     | StillUnknown | StillUnknown  | StillUnknown | Declined
`
  },
  {
    name: "that refuses what it is told again",
    settings: refused,
    profile: {},
    table: `
flow                    | request lost | answer lost  | request late | request twice | cut off
CardSale                | StillUnknown | approved     | approved     | approved      | StillUnknown
CardSale, 3DS gateway   | StillUnknown | approved     | approved     | approved      | StillUnknown
CardSale, 3DS merchant  | StillUnknown | approved     | approved     | approved      | StillUnknown
CardSale, 3DS 1.0.2     | StillUnknown | approved     | approved     | approved      | StillUnknown
Reserve                 | StillUnknown | approved     | approved     | approved      | StillUnknown
VerifyAccount           | StillUnknown | approved     | approved     | approved      | StillUnknown
Capture, a part         | NeedsAPerson | NeedsAPerson | NeedsAPerson | NeedsAPerson  | NeedsAPerson
Release                 | NeedsAPerson | approved     | NeedsAPerson | approved      | NeedsAPerson
GiveBack, a part        | NeedsAPerson | approved     | NeedsAPerson | approved      | NeedsAPerson
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
HostedReserve           | StillUnknown | StillUnknown | StillUnknown | StillUnknown  | StillUnknown
HostedPayment           | StillUnknown | StillUnknown | StillUnknown | StillUnknown  | StillUnknown
HostedPayOut            | StillUnknown | StillUnknown | StillUnknown | StillUnknown  | StillUnknown
HostedVerification      | StillUnknown | StillUnknown | StillUnknown | StillUnknown  | StillUnknown
`
  },
  {
    name: "that refuses what it is told again, and whose merchant knows what it says of an order that it has not",
    settings: refused,
    profile: { notFound: ["Unknown order"] },
    table: `
flow                    | request lost | request late | merchant dies
CardSale                | approved     | approved     | NeverHappened, approved
CardSale, 3DS gateway   | approved     | approved     | NeverHappened, approved
CardSale, 3DS merchant  | approved     | approved     | NeverHappened, approved
CardSale, 3DS 1.0.2     | approved     | approved     | NeverHappened, approved
Reserve                 | approved     | approved     | NeverHappened, approved
VerifyAccount           | approved     | approved     | NeverHappened, approved
Capture, a part         | NeedsAPerson | NeedsAPerson | NeedsAPerson
Release                 | NeedsAPerson | NeedsAPerson | NeedsAPerson
GiveBack, a part        | NeedsAPerson | NeedsAPerson | NeedsAPerson
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
HostedReserve           | approved     | StillUnknown | approved
HostedPayment           | approved     | StillUnknown | approved
HostedPayOut            | approved     | StillUnknown | approved
HostedVerification      | approved     | StillUnknown | approved
`
  }
]

for (const { name, profile, settings, table } of gateways) {
  const [head = [], ...rows] = table
    .trim()
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
  describe(`a gateway ${name}`, () => {
    it("is tried with every flow", () =>
      assert.deepStrictEqual(
        rows.map(([flow]) => flow),
        cases.map((flow) => flow.name)
      ))
    for (const [flow = "", ...cells] of rows) {
      for (const [column, end] of cells.entries()) {
        const fault = faultOf(head[column + 1] ?? "")
        it.effect(`${flow}, ${fault.name}: ${end}`, () =>
          Effect.gen(function* () {
            assert.strictEqual(yield* outcomeOf({ settings, profile }, byName(flow), fault), end)
          })
        )
      }
    }
  })
}
