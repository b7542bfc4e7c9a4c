/** The flows in groups with one state diagram each: the transitions, and the states from which each error follows. */
import * as PayApi from "@pay/schema/PayApi"
import { SchemaAST } from "effect"
import type * as Flow from "../src/engine/Flow.ts"
import * as FlowError from "../src/order/FlowError.ts"
import { Authorization, CardSale, VerifyAccount } from "../src/payments/CardPayment.ts"
import {
  HostedAuthorization,
  HostedPayment,
  HostedPayOut,
  HostedSale,
  HostedVerification
} from "../src/payments/HostedCheckout.ts"
import { Capture, Refund, Void } from "../src/payments/OrderAction.ts"
import { CheckPayOut, PayChecked, PayOut, PayOutV2 } from "../src/payments/PayOut.ts"
import { KeepCard, Rebill, Tokenize } from "../src/payments/StoredCard.ts"
import { ChangeSubscription, ChargeSubscription, Subscribe } from "../src/payments/Subscription.ts"
import { CanSend, Transfer, TransferByRef } from "../src/payments/Transfer.ts"
import { AwaitFinal } from "../src/requests/AwaitFinal.ts"

/** What of a flow can be read from its value. */
export type Described = Pick<
  Flow.Flow<string, Flow.Fields, Flow.Written, Flow.Written, never>,
  "name" | "summary" | "operation" | "payload" | "success" | "error" | "neverPersisted" | "encryptedFields"
>

export interface Group {
  /** What of the diagram does not explain itself. */
  readonly about?: string
  /**
   * The reaction to a lost request. `creates`: the flow looks for the order and sends the request again. `repeats`: it only sends
   * the request again, under its key.
   */
  readonly acts: "creates" | "repeats" | "only waits"
  /** The reaction to a lost answer, if it is not that of `acts`. */
  readonly whenFound?: string
  readonly way: ReadonlyArray<string>
  /** The states of the diagram from which each error can follow. */
  readonly from: Readonly<Record<string, ReadonlyArray<string>>>
  readonly flows: ReadonlyArray<Described>
}

const lookedFor = [
  "create --> looking: answer lost",
  "looking --> create: not there, asked twice",
  "looking --> waiting: found"
]
const askedAgain = ["create --> looking: answer lost", "looking --> create: found or not there, the same request again"]
const creationEnds = {
  NotAccepted: ["create"],
  Unreachable: ["create"],
  NeverHappened: ["looking"],
  StillUnknown: ["looking", "waiting"],
  Declined: ["waiting"],
  Filtered: ["waiting"],
  Failed: ["waiting"],
  NeedsAPerson: ["looking", "waiting"]
}
const browserEnds = { ...creationEnds, NotAuthenticated: ["waiting"], Abandoned: ["waiting"] }
const followUpEnds = {
  NotAccepted: ["act"],
  Unreachable: ["act"],
  StillUnknown: ["act", "waiting"],
  Declined: ["waiting"],
  Filtered: ["waiting"],
  Failed: ["waiting"]
}
const browserTransitions = [
  "waiting --> browser: the browser is needed",
  "browser --> waiting: it came back, or time is up"
]
const browserState =
  "In the state `browser`, the customer's browser is at a page of the issuer or of the gateway. The flow skips this state if no browser is needed."
const waits = "waiting --> waiting: callback, or time to ask"

export const groups: ReadonlyArray<Group> = [
  {
    about: browserState,
    acts: "creates",
    way: [
      "[*] --> create",
      "create --> waiting: acknowledged",
      ...lookedFor,
      waits,
      ...browserTransitions,
      "waiting --> approved"
    ],
    from: browserEnds,
    flows: [CardSale, Authorization, VerifyAccount, Transfer]
  },
  {
    about: `${browserState} The flow needs the address of the page, or the identifier of the recurring payment, from the first answer. If this answer is lost, and \`status\` does not return the value, the flow sends the identical request again. The gateway then returns its first answer.`,
    acts: "creates",
    whenFound:
      "asks `status`, finds the order, sends the identical request again if it needs the first answer, and continues",
    way: [
      "[*] --> create",
      "create --> waiting: acknowledged",
      ...askedAgain,
      waits,
      ...browserTransitions,
      "waiting --> approved"
    ],
    from: browserEnds,
    flows: [HostedSale, HostedAuthorization, HostedPayment, HostedVerification, HostedPayOut, Subscribe]
  },
  {
    acts: "creates",
    way: ["[*] --> create", "create --> waiting: acknowledged", ...lookedFor, waits, "waiting --> approved"],
    from: creationEnds,
    flows: [Rebill, PayOut, PayOutV2, TransferByRef, CanSend, ChargeSubscription]
  },
  {
    about: "In the state `checked`, the order has the stage `payout_checked`. `PayChecked` continues from there.",
    acts: "creates",
    way: ["[*] --> create", "create --> waiting: acknowledged", ...lookedFor, waits, "waiting --> checked"],
    from: creationEnds,
    flows: [CheckPayOut]
  },
  {
    about:
      "After a lost answer, the flow asks whether the gateway still honours `Idempotency-Key`, and sends the same request again under the same key. At a gateway that does not honour keys, the flow goes to `comparing`: it compares the amounts before and after the request.",
    acts: "repeats",
    way: [
      "[*] --> act",
      "act --> act: answer lost, same key",
      "act --> waiting: acknowledged",
      "act --> comparing: answer lost, no keys",
      "comparing --> act: no amount changed, and the profile makes this a proof",
      "comparing --> approved: the amounts changed",
      waits,
      "waiting --> approved"
    ],
    from: { ...followUpEnds, NeverHappened: ["comparing"], NeedsAPerson: ["act", "comparing", "waiting"] },
    flows: [Capture, Void, Refund]
  },
  {
    acts: "repeats",
    way: ["[*] --> act", "act --> act: answer lost, same key", "act --> done: answered"],
    from: { NotAccepted: ["act"], Unreachable: ["act"], StillUnknown: ["act"] },
    flows: [Tokenize, KeepCard, ChangeSubscription]
  },
  {
    about:
      "After a lost answer, the flow asks whether the gateway still honours `Idempotency-Key`, and sends the same request again under the same key. At a gateway that does not honour keys, the flow sends the request only once: after a lost answer it waits for the final status of the order.",
    acts: "repeats",
    way: [
      "[*] --> act",
      "act --> act: answer lost, same key",
      "act --> waiting: acknowledged",
      "act --> waiting: answer lost, no keys",
      waits,
      "waiting --> approved"
    ],
    from: { ...followUpEnds, NeedsAPerson: ["act", "waiting"] },
    flows: [PayChecked]
  },
  {
    acts: "only waits",
    way: ["[*] --> waiting", waits, "waiting --> approved"],
    from: { StillUnknown: ["waiting"], Declined: ["waiting"], Filtered: ["waiting"], Failed: ["waiting"] },
    flows: [AwaitFinal]
  }
]

const tagOf = (ast: SchemaAST.AST): string => SchemaAST.resolveAt<string>("identifier")(ast) ?? "?"

/** The errors of a flow, by the union it declares. */
const endsOf = ({ error }: Described): ReadonlyArray<string> => {
  const identifiers = FlowError.FlowError.members.map(({ identifier }) => identifier)
  const { ast } = error
  const members = SchemaAST.isUnion(ast) ? ast.types : [ast]
  return members.map(tagOf).filter((tag) => identifiers.includes(tag))
}

/** The ends that a group draws; a flow that declares others is an error. */
export const ends = ({ flows, from }: Group): ReadonlyArray<string> => {
  const drawn = Object.keys(from)
  for (const flow of flows) {
    const declared = endsOf(flow)
    const isRight = drawn.every((end) => declared.includes(end)) && declared.length === drawn.length
    if (!isRight) throw new Error(`${flow.name} ends as ${declared.join(", ")}, and is drawn as ${drawn.join(", ")}`)
  }
  return drawn
}

export const diagram = (group: Group): string =>
  [
    "```mermaid",
    "stateDiagram-v2",
    ...group.way.map((line) => `  ${line}`),
    ...ends(group).flatMap((end) => (group.from[end] ?? []).map((state) => `  ${state} --> ${end}`)),
    "```"
  ].join("\n")

/** Operations that no flow is named after, and why. */
const others: { readonly [Name in PayApi.Name]?: string } = {
  TDS_UPLOAD_CRES_RESULT: "part of every flow with a browser",
  TDS_UPLOAD_METHOD_URL_RESULT: "part of every flow with a browser",
  TDS_UPLOAD_PARES_RESULT: "part of every flow with a browser",
  STATUS: "part of every flow that waits; also alone, as [`AwaitFinal`](flows/await-final.md)",
  CARDINFO: "none: it only reads; call `cardinfo` of `PayClient`"
}

/** The flow of each operation. An operation without a row is an error. */
const operations = (link: (name: string) => string): string => {
  const flows = groups.flatMap((group) => group.flows)
  const rows = PayApi.all.map((operation) => {
    const carriers = flows.filter((flow) => flow.operation === operation).map(({ name }) => link(name))
    const family =
      operation.origin === "family" ? "none: for modules of the [older dialect](older-dialect.md)" : undefined
    const other = Object.entries(others).find(([name]) => name === operation.name)?.[1] ?? family
    if (carriers.length === 0 && other === undefined) {
      throw new Error(`${operation.name} has no flow: write one, or give the reason in others`)
    }
    return `| \`${operation.command}\` | ${other ?? carriers.join(", ")} |`
  })
  return ["| operation | flow |", "|---|---|", ...rows].join("\n")
}

/** The index: every flow with its guide. */
export const flowsPage = (guides: ReadonlyMap<string, string>): string => {
  const link = (name: string): string => {
    const guide = guides.get(name)
    if (guide === undefined) throw new Error(`no guide describes ${name}: name it in one of docs/merchants/flows/*.md`)
    return `[\`${name}\`](flows/${guide})`
  }
  const rows = groups.flatMap(({ flows }) => flows).map(({ name, summary }) => `| ${link(name)} | ${summary} |`)
  return `${[
    "# Every flow and its guide",
    "This page is generated from the code of the flows. [flows.md](flows.md) explains how to use them.\nBelow stand, for all of them, the errors and what a flow does after faults of programs and networks.",
    ["| flow | what it does |", "|---|---|", ...rows].join("\n"),
    "## Flow of each operation",
    operations(link)
  ].join("\n\n")}\n`
}
