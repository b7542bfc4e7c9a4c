/** Whether a request whose answer was lost has happened, by what has moved with its order: a gateway that honours no keys. */
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as ByAmounts from "../src/ByAmounts.ts"
import type { OrderStatus } from "../src/OrderStatus.ts"
import type { Way } from "../src/Way.ts"
import * as Script from "./Script.ts"

type Name = "CAPTURE" | "RETURN" | "VOID"
type Moved = Pick<
  OrderStatus,
  "authorizedAmount" | "capturedAmount" | "currency" | "returnedAmount" | "transactionType"
>

const paths: Readonly<Record<Name, string>> = { CAPTURE: "capture", RETURN: "return", VOID: "void" }
const names = {
  authorizedAmount: "authorized-amount",
  capturedAmount: "captured-amount",
  currency: "currency",
  returnedAmount: "returned-amount",
  transactionType: "transaction-type"
} as const

const approved = (moved: Moved): Script.Say =>
  Script.stands("approved", {
    currency: undefined,
    ...Object.fromEntries(Object.entries(names).map(([name, field]) => [field, Reflect.get(moved, name)]))
  })

const act = (name: Name, amount: string | undefined, before: Moved | undefined, changes: Partial<Way> = {}) => {
  const currency = amount === undefined ? {} : { amount, currency: before?.currency ?? "USD" }
  return ByAmounts.carryOut(
    {
      operation: PayApi.operations[name],
      request: { client_orderid: "o-1", orderid: "7", ...currency },
      clientOrderId: "o-1",
      orderId: "7",
      endpointId: undefined,
      step: "act",
      trail: []
    },
    {
      isKeyed: false,
      answersByRequest: false,
      showsFollowUps: true,
      isOpen: false,
      ...(before === undefined ? {} : { order: { clientOrderId: "o-1", orderId: "7", status: "approved", ...before } }),
      ...changes
    }
  )
}

/** Sent once, the answer lost; a repeat would be refused. */
const outcome = (name: Name, amount: string | undefined, before: Moved, after: Moved) => {
  const flow = act(name, amount, before)
  return Script.play(
    { [paths[name]]: ["lost", Script.refuses(1)], status: [approved(after)] },
    flow,
    {},
    Script.keyless
  )
}

const held = {
  currency: "USD",
  transactionType: "preauth",
  authorizedAmount: "10.00",
  capturedAmount: "0.00",
  returnedAmount: "0.00"
}
const captured = { ...held, transactionType: "capture", capturedAmount: "10.00" }
const { capturedAmount: _held, ...untold } = held
const untoldAfter = { ...untold, transactionType: "capture" }
const { currency: _currency, ...bare } = captured
const yen = { ...held, currency: "JPY", authorizedAmount: "10" }

const rows: ReadonlyArray<
  readonly [what: string, name: Name, amount: string | undefined, before: Moved, after: Moved, end: string]
> = [
  ["a capture moved its amount", "CAPTURE", "4.00", held, { ...held, capturedAmount: "4.00" }, "approved"],
  ["a capture moved another amount", "CAPTURE", "4.00", held, { ...held, capturedAmount: "5.00" }, "NeedsAPerson"],
  [
    "money went back while a part was captured",
    "CAPTURE",
    "4.00",
    held,
    { ...held, capturedAmount: "4.00", returnedAmount: "1.00" },
    "NeedsAPerson"
  ],
  [
    "a second capture moved its amount",
    "CAPTURE",
    "4.00",
    { ...held, capturedAmount: "2.00" },
    { ...held, capturedAmount: "6.00" },
    "approved"
  ],
  ["a capture moved nothing", "CAPTURE", "4.00", held, held, "sent again"],
  [
    "a capture of what is only reserved, of which nothing is told, moved nothing",
    "CAPTURE",
    "4.00",
    untold,
    untold,
    "sent again"
  ],
  ["nobody tells what was captured", "CAPTURE", "4.00", untoldAfter, untoldAfter, "NeedsAPerson"],
  ["nobody tells the currency", "CAPTURE", "4.00", held, { ...bare, capturedAmount: "4.00" }, "NeedsAPerson"],
  ["a capture of all moved all", "CAPTURE", undefined, held, captured, "approved"],
  ["a capture of all moved a part", "CAPTURE", undefined, held, { ...held, capturedAmount: "6.00" }, "NeedsAPerson"],
  [
    "a capture of all ended the hold, and nobody tells how much",
    "CAPTURE",
    undefined,
    held,
    { transactionType: "capture" },
    "approved"
  ],
  [
    "a capture of an amount ended the hold, and nobody tells how much",
    "CAPTURE",
    "4.00",
    held,
    { transactionType: "capture" },
    "NeedsAPerson"
  ],
  [
    "a capture of all ended the hold, and moved nothing",
    "CAPTURE",
    undefined,
    held,
    { ...held, transactionType: "capture" },
    "NeedsAPerson"
  ],
  ["the hold was released meanwhile", "CAPTURE", undefined, held, { transactionType: "cancel" }, "NeedsAPerson"],
  [
    "a capture moved its amount of a currency without decimals",
    "CAPTURE",
    "4",
    { ...yen, capturedAmount: "0.00" },
    { ...yen, capturedAmount: "4" },
    "approved"
  ],
  ["a return moved its amount", "RETURN", "4.00", captured, { ...captured, returnedAmount: "4.00" }, "approved"],
  [
    "a return moved another amount",
    "RETURN",
    "4.00",
    captured,
    { ...captured, returnedAmount: "5.00" },
    "NeedsAPerson"
  ],
  ["a return of all moved all", "RETURN", undefined, captured, { ...captured, returnedAmount: "10.00" }, "approved"],
  [
    "a return of all moved a part",
    "RETURN",
    undefined,
    captured,
    { ...captured, returnedAmount: "6.00" },
    "NeedsAPerson"
  ],
  ["a return of all ended the hold", "RETURN", undefined, held, { ...held, transactionType: "cancel" }, "approved"],
  [
    "a return of an amount ended the hold",
    "RETURN",
    "4.00",
    held,
    { ...held, transactionType: "cancel" },
    "NeedsAPerson"
  ],
  ["a return of all met a capture", "RETURN", undefined, held, { ...held, transactionType: "capture" }, "NeedsAPerson"],
  ["a return moved nothing", "RETURN", "4.00", captured, captured, "sent again"],
  ["a void ended the hold", "VOID", undefined, held, { ...held, transactionType: "cancel" }, "approved"],
  ["a void moved nothing", "VOID", undefined, held, held, "sent again"],
  ["a void met a capture", "VOID", undefined, held, { ...held, transactionType: "capture" }, "NeedsAPerson"],
  ["a void of the rest after a capture tells nothing", "VOID", undefined, captured, captured, "NeedsAPerson"],
  [
    "money went back instead of a void",
    "VOID",
    undefined,
    held,
    { ...held, transactionType: "cancel", returnedAmount: "1.00" },
    "NeedsAPerson"
  ]
]

describe("a request whose answer was lost", () => {
  for (const [what, name, amount, before, after, end] of rows)
    it.effect(`${what}: ${end}`, () =>
      Effect.gen(function* () {
        const { asked, end: ended } = yield* outcome(name, amount, before, after)
        const isSentAgain = asked.filter((path) => path === paths[name]).length > 1
        assert.strictEqual(isSentAgain ? "sent again" : ended, end)
      })
    )
})

const moved = approved({ ...held, capturedAmount: "4.00" })
const unmoved = approved(held)
const stands = Script.stands
const capture = (changes: Partial<Way> = {}, before: Moved | undefined = held) =>
  act("CAPTURE", "4.00", before, changes)
const refused = Script.refuses(1)

const ends: ReadonlyArray<
  readonly [what: string, flow: ReturnType<typeof capture>, script: Script.Script, end: string, asked: string]
> = [
  ["was done", capture(), { capture: [Script.taken], status: [moved] }, "approved", "capture status"],
  [
    "was done a moment later",
    capture(),
    { capture: [Script.taken], status: [unmoved, moved] },
    "approved",
    "capture status status"
  ],
  [
    "was accepted, and is not to be seen",
    capture(),
    { capture: [Script.taken], status: [unmoved] },
    "NeedsAPerson",
    "capture status status"
  ],
  ["was declined", capture(), { capture: [Script.taken], status: [stands("declined")] }, "Declined", "capture status"],
  [
    "was accepted and declined a moment later",
    capture(),
    { capture: [Script.taken], status: [unmoved, stands("declined")] },
    "Declined",
    "capture status status"
  ],
  [
    "was answered about by its own number",
    capture({ answersByRequest: true }),
    { capture: [Script.taken], status: [unmoved] },
    "approved",
    "capture status"
  ],
  ["was not sent", capture(), { capture: ["notSent"] }, "Unreachable", "capture capture capture"],
  ["was refused, and nothing moved", capture(), { capture: [refused], status: [unmoved] }, "Refused", "capture status"],
  ["was refused after it was done", capture(), { capture: [refused], status: [moved] }, "approved", "capture status"],
  [
    "was refused while it was done",
    capture(),
    { capture: [refused], status: [stands("processing"), moved] },
    "approved",
    "capture status status"
  ],
  [
    "was refused while something moved",
    capture(),
    { capture: [refused], status: [stands("processing"), unmoved] },
    "NeedsAPerson",
    "capture status status"
  ],
  [
    "was refused of an order that is not known",
    capture(),
    { capture: [refused], status: [Script.unheardOf] },
    "Refused",
    "capture status"
  ],
  ["was refused of a former run", capture({ isFormer: true }), { capture: [refused] }, "Refused", "capture"],
  [
    "never happened",
    capture({}),
    { capture: ["lost"], status: [unmoved] },
    "NeverHappened",
    "capture status capture status capture status"
  ],
  [
    "is not sent again where its repeat may be hidden",
    capture({ showsFollowUps: false }),
    { capture: ["lost"], status: [unmoved] },
    "NeedsAPerson",
    "capture status"
  ],
  [
    "is refused when it is sent again",
    capture({}),
    { capture: ["lost", refused], status: [unmoved] },
    "Refused",
    "capture status capture status capture status"
  ],
  ["may have been sent before: nothing is sent", capture({ isOpen: true }), { status: [unmoved] }, "NeedsAPerson", ""],
  [
    "may have been sent before to an order of which nothing is known",
    act("CAPTURE", "4.00", undefined, { isOpen: true }),
    { status: [unmoved] },
    "NeedsAPerson",
    "status"
  ],
  [
    "asks how much has moved before it is sent",
    act("CAPTURE", "4.00", undefined),
    { capture: ["lost"], status: [unmoved, moved] },
    "approved",
    "status capture status"
  ],
  [
    "waits for an order that still moves before it is sent",
    act("CAPTURE", "4.00", { ...held }, { order: { clientOrderId: "o-1", orderId: "7", status: "processing" } }),
    { capture: ["lost"], status: [unmoved, moved] },
    "approved",
    "status capture status"
  ]
]

describe("a capture", () => {
  for (const [what, flow, script, end, asked] of ends)
    it.effect(`${what}: ${end}`, () =>
      Effect.gen(function* () {
        const played = yield* Script.play(script, flow, {}, Script.keyless)
        assert.deepStrictEqual([played.end, played.asked.join(" ")], [end, asked])
      })
    )
})
