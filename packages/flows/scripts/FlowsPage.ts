/** The flows by the shape of their way: how it is drawn, and where each of their ends comes from. */
import * as PayApi from "@pay/schema/PayApi"
import { SchemaAST } from "effect"
import { AwaitFinal } from "../src/AwaitFinal.ts"
import { Authorization, CardSale, VerifyAccount } from "../src/CardPayment.ts"
import type * as Flow from "../src/Flow.ts"
import * as FlowError from "../src/FlowError.ts"
import {
  HostedAuthorization,
  HostedPayment,
  HostedPayOut,
  HostedSale,
  HostedVerification
} from "../src/HostedCheckout.ts"
import { Capture, Refund, Void } from "../src/OrderAction.ts"
import { CheckPayOut, PayChecked, PayOut, PayOutV2 } from "../src/PayOut.ts"
import { KeepCard, Rebill, Tokenize } from "../src/StoredCard.ts"
import { ChangeSubscription, ChargeSubscription, Subscribe } from "../src/Subscription.ts"
import { CanSend, Transfer, TransferByRef } from "../src/Transfer.ts"

/** What of a flow can be read from its value. */
export type Described = Pick<
  Flow.Flow<string, Flow.Fields, Flow.Written, Flow.Written, never>,
  "name" | "summary" | "operation" | "payload" | "success" | "error" | "neverKept" | "keptSealed"
>

/** A flow under the name by which programs import it. */
export interface Exported extends Described {
  /** The name in durable stores, traces and messages (`Flow.name`), which never changes. */
  readonly storedName: string
}

const exported = (flows: Readonly<Record<string, Described>>): ReadonlyArray<Exported> =>
  Object.entries(flows).map(([name, flow]) => ({ ...flow, name, storedName: flow.name }))

export interface Group {
  /** What of the diagram does not explain itself. */
  readonly about?: string
  /**
   * The reaction to a lost request. `creates`: the flow looks for the order and sends the request again. `repeats`: it only sends
   * the request again, under its key.
   */
  readonly acts: "creates" | "repeats" | "only waits"
  readonly way: ReadonlyArray<string>
  /** The states of the diagram from which each error can follow. */
  readonly from: Readonly<Record<string, ReadonlyArray<string>>>
  readonly flows: ReadonlyArray<Exported>
}

const lookedFor = [
  "create --> looking: answer lost",
  "looking --> create: definitely not there",
  "looking --> waiting: found"
]
const askedAgain = [
  "create --> looking: answer lost",
  "looking --> create: found or definitely not there, the same again"
]
const creationEnds = {
  Refused: ["create"],
  Unreachable: ["create"],
  NeverHappened: ["looking"],
  StillUnknown: ["looking", "waiting"],
  Declined: ["waiting"],
  Filtered: ["waiting"],
  Failed: ["waiting"],
  NeedsAPerson: ["looking"]
}
const shopperEnds = { ...creationEnds, NotAuthenticated: ["waiting"], Abandoned: ["waiting"] }
const followUpEnds = {
  Refused: ["act"],
  Unreachable: ["act"],
  NeverHappened: ["act"],
  StillUnknown: ["act", "waiting"],
  Declined: ["waiting"],
  Filtered: ["waiting"],
  Failed: ["waiting"]
}
const browser = ["waiting --> shopping: the browser is needed", "shopping --> waiting: it came back, or time is up"]
const shopping =
  "`shopping` is the browser at the issuer's or the gateway's page; where no browser is needed, it is passed over."
const waits = "waiting --> waiting: callback, or time to ask"

export const groups: ReadonlyArray<Group> = [
  {
    about: shopping,
    acts: "creates",
    way: [
      "[*] --> create",
      "create --> waiting: acknowledged",
      ...lookedFor,
      waits,
      ...browser,
      "waiting --> approved"
    ],
    from: shopperEnds,
    flows: exported({ CardSale, Reserve: Authorization, VerifyAccount, Transfer })
  },
  {
    about: `${shopping} The acknowledgement holds what \`status\` does not tell, so an order that is found is asked for again: the gateway answers the identical request as it did the first time.`,
    acts: "creates",
    way: [
      "[*] --> create",
      "create --> waiting: acknowledged",
      ...askedAgain,
      waits,
      ...browser,
      "waiting --> approved"
    ],
    from: shopperEnds,
    flows: exported({ HostedSale, HostedAuthorization, HostedPayment, HostedVerification, HostedPayOut, Subscribe })
  },
  {
    acts: "creates",
    way: ["[*] --> create", "create --> waiting: acknowledged", ...lookedFor, waits, "waiting --> approved"],
    from: creationEnds,
    flows: exported({ Rebill, PayOut, PayOutV2, TransferByRef, CanSend, ChargeSubscription })
  },
  {
    about: "`checked` is an order whose stage is `payout_checked`; `PayChecked` goes on from there.",
    acts: "creates",
    way: ["[*] --> create", "create --> waiting: acknowledged", ...lookedFor, waits, "waiting --> checked"],
    from: creationEnds,
    flows: exported({ CheckPayOut })
  },
  {
    about:
      "The same request goes again under the same key, once the gateway has said that it still honours keys. `comparing` takes its place where it has not: the amounts before and after decide.",
    acts: "repeats",
    way: [
      "[*] --> act",
      "act --> act: answer lost, same key",
      "act --> waiting: acknowledged",
      "act --> comparing: answer lost, no keys",
      "comparing --> act: nothing has moved, which proves it",
      "comparing --> approved: it has happened",
      waits,
      "waiting --> approved"
    ],
    from: { ...followUpEnds, NeverHappened: ["act", "comparing"], NeedsAPerson: ["act", "comparing"] },
    flows: exported({ Capture, Release: Void, Refund })
  },
  {
    acts: "repeats",
    way: ["[*] --> act", "act --> act: answer lost, same key", "act --> done: answered"],
    from: { Refused: ["act"], Unreachable: ["act"], NeverHappened: ["act"], StillUnknown: ["act"] },
    flows: exported({ Tokenize, KeepCard, ChangeSubscription })
  },
  {
    about:
      "The same request goes again under the same key, once the gateway has said that it still honours keys. Where it has not, it is sent once: only that the order comes to its end tells whether a lost one has arrived.",
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
    flows: exported({ PayChecked })
  },
  {
    acts: "only waits",
    way: ["[*] --> waiting", waits, "waiting --> approved"],
    from: { StillUnknown: ["waiting"], Declined: ["waiting"], Filtered: ["waiting"], Failed: ["waiting"] },
    flows: exported({ AwaitFinal })
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

/** The ends that a group draws; a flow that declares others is drawn wrongly. */
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
  TDS_UPLOAD_CRES_RESULT: "inside every flow with a shopper",
  TDS_UPLOAD_METHOD_URL_RESULT: "inside every flow with a shopper",
  TDS_UPLOAD_PARES_RESULT: "inside every flow with a shopper",
  STATUS: "inside every flow that waits; alone as [`AwaitFinal`](flows/await-final.md)",
  CARDINFO: "none: a question that changes nothing, `cardinfo` of `PayClient`"
}

/** Which flow carries which operation out; an operation without a line is a mistake. */
const operations = (link: (name: string) => string): string => {
  const flows = groups.flatMap((group) => group.flows)
  const rows = PayApi.all.map((operation) => {
    const carriers = flows.filter((flow) => flow.operation === operation).map(({ name }) => link(name))
    const other = Object.entries(others).find(([name]) => name === operation.name)?.[1]
    if (carriers.length === 0 && other === undefined) {
      throw new Error(`no flow carries ${operation.name} out: write one, or say why there is none`)
    }
    return `| \`${operation.command}\` | ${other ?? carriers.join(", ")} |`
  })
  return ["| operation | flow |", "|---|---|", ...rows].join("\n")
}

/** The index: every flow, and the guide that tells of it. */
export const flowsPage = (guides: ReadonlyMap<string, string>): string => {
  const link = (name: string): string => {
    const guide = guides.get(name)
    if (guide === undefined) throw new Error(`no guide tells of ${name}: name it in one of docs/flows/*.md`)
    return `[\`${name}\`](flows/${guide})`
  }
  const rows = groups.flatMap(({ flows }) => flows).map(({ name, summary }) => `| ${link(name)} | ${summary} |`)
  return `${[
    "# Every flow and its guide",
    "Generated from the flows themselves. [flows.md](flows.md) tells how to use them.",
    ["| flow | does |", "|---|---|", ...rows].join("\n"),
    "## Which flow carries an operation out",
    operations(link)
  ].join("\n\n")}\n`
}
