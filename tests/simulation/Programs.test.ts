/** What a merchant's program that authorizes an amount reports, and what the bank has booked. */
import { assert, describe, it } from "@effect/vitest"
import { FlowEngine } from "@pay/flows/FlowEngine"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Effect } from "effect"
import { inBusinessTime } from "../workflows/BusinessTime.ts"
import { decline, pass, paymentOf, type Services, world } from "../workflows/HoldWorld.ts"
import { atBank } from "../workflows/Trip.ts"
import { runAuthorization } from "./merchant/actions/Programs.ts"

/** A process of the merchant, which knows nothing of earlier ones. */
const inNewProcess = (release: string | undefined) =>
  Effect.flatMap(paymentOf("hotel"), (payment) =>
    Effect.provide(runAuthorization(payment, [], release), FlowEngine.layerMemory, { local: true })
  )
const undecided = Effect.flatMap(SandboxControl, (control) =>
  control.next("authorize", {
    verdict: { _tag: "Decline", code: 116, message: "declined" },
    delivery: { _tag: "Undecided" }
  })
)

/** What happens before, the name of the void if the amount is released at the end, the result, and what the bank has booked. */
type Row = readonly [
  what: string,
  before: Effect.Effect<unknown, never, Services>,
  release: string | undefined,
  expected: ReadonlyArray<unknown>
]
const rows: ReadonlyArray<Row> = [
  ["that it succeeded", Effect.void, undefined, ["Succeeded", {}, "authorize 1042, 10.42 is held"]],
  ["that it released the hold", Effect.void, "void", ["Succeeded", { void: "Succeeded" }, "authorize 1042, void 1042"]],
  [
    "a success if its hold cannot be released",
    decline("void", 5),
    "void",
    ["Succeeded", {}, "authorize 1042, void 1042, void 1042, 10.42 is held"]
  ],
  [
    "an unknown outcome if the bank never says that it declined",
    undecided,
    undefined,
    ["StillUnknown", {}, "authorize 1042"]
  ],
  [
    "a success if the hold of an earlier process has lapsed",
    Effect.andThen(inNewProcess(undefined), pass("8 days")),
    "void",
    ["Succeeded", {}, "authorize 1042, void 1042"]
  ]
]

describe("a program that authorizes an amount reports", () => {
  it.effect.each(rows)("%s", ([, before, release, expected]) =>
    Effect.gen(function* () {
      const { parts, tag } = yield* inBusinessTime(false)(Effect.andThen(before, inNewProcess(release)))
      assert.deepStrictEqual([tag, parts, ...(yield* atBank(["hotel"]))], expected)
    }).pipe(Effect.provide(world, { local: true }))
  )
})
