/** What a flow's own definition says of it: what goes in, how it can end, and its way there as a diagram. */
import { SchemaAST } from "effect"
import { AwaitFinal } from "../src/AwaitFinal.ts"
import { CardSale, Reserve, VerifyAccount } from "../src/CardPayment.ts"
import type * as Flow from "../src/Flow.ts"
import * as FlowError from "../src/FlowError.ts"
import { HostedPayment, HostedPayOut, HostedReserve, HostedSale, HostedVerification } from "../src/HostedCheckout.ts"
import { Capture, GiveBack, Release } from "../src/OrderAction.ts"
import { CheckPayOut, PayChecked, PayOut } from "../src/PayOut.ts"
import { Rebill, Tokenize } from "../src/StoredCard.ts"
import { ChangeSubscription, ChargeSubscription, Subscribe } from "../src/Subscription.ts"
import { CanSend, Transfer, TransferByRef } from "../src/Transfer.ts"

/** What of a flow can be read from its value. */
type Described = Pick<
  Flow.Flow<string, Flow.Fields, Flow.Written, Flow.Written, never>,
  "name" | "summary" | "payload" | "error" | "neverKept" | "keptSealed"
>

interface Group {
  readonly title: string
  readonly about: string
  /** Where each of its ends comes from. */
  readonly way: ReadonlyArray<string>
  readonly from: Readonly<Record<string, string>>
  readonly flows: ReadonlyArray<Described>
}

const lookedFor = [
  "create --> looking: answer lost",
  "looking --> create: definitely not there",
  "looking --> waiting: found"
]
const creationEnds = {
  Refused: "create",
  Unreachable: "create",
  NeverHappened: "looking",
  StillUnknown: "waiting",
  Declined: "waiting",
  Filtered: "waiting",
  Failed: "waiting"
}
const waits = "waiting --> waiting: callback, or time to ask"

const groups: ReadonlyArray<Group> = [
  {
    title: "Orders with a shopper",
    about:
      "`shopping` is the browser at the issuer's or the gateway's page; where no browser is needed, it is passed over.",
    way: [
      "[*] --> create",
      "create --> waiting: acknowledged",
      ...lookedFor,
      waits,
      "waiting --> shopping: the browser is needed",
      "shopping --> waiting: it came back, or time is up",
      "waiting --> approved"
    ],
    from: { ...creationEnds, NotAuthenticated: "waiting", Abandoned: "waiting" },
    flows: [
      CardSale,
      Reserve,
      VerifyAccount,
      HostedSale,
      HostedReserve,
      HostedPayment,
      HostedVerification,
      HostedPayOut,
      Transfer,
      Subscribe
    ]
  },
  {
    title: "Orders without a shopper",
    about: "",
    way: ["[*] --> create", "create --> waiting: acknowledged", ...lookedFor, waits, "waiting --> approved"],
    from: creationEnds,
    flows: [Rebill, PayOut, CheckPayOut, TransferByRef, CanSend, ChargeSubscription]
  },
  {
    title: "Actions on an order",
    about:
      "The same request goes again under the same key. `comparing` takes its place at gateways that do not honour `Idempotency-Key`: the amounts before and after decide.",
    way: [
      "[*] --> act",
      "act --> act: answer lost, same key",
      "act --> waiting: acknowledged",
      "act --> comparing: answer lost, no keys",
      "comparing --> act: nothing has moved",
      "comparing --> approved: it has happened",
      waits,
      "waiting --> approved"
    ],
    from: {
      Refused: "act",
      Unreachable: "act",
      NeverHappened: "comparing",
      NeedsAPerson: "comparing",
      StillUnknown: "waiting",
      Declined: "waiting",
      Filtered: "waiting",
      Failed: "waiting"
    },
    flows: [Capture, Release, GiveBack]
  },
  {
    title: "Requests that are answered at once",
    about: "",
    way: ["[*] --> act", "act --> act: answer lost, same key", "act --> done: answered"],
    from: { Refused: "act", Unreachable: "act", NeverHappened: "act", StillUnknown: "act" },
    flows: [Tokenize, ChangeSubscription]
  },
  {
    title: "The second step of a payout",
    about: "",
    way: [
      "[*] --> act",
      "act --> act: answer lost, same key",
      "act --> waiting: acknowledged",
      waits,
      "waiting --> approved"
    ],
    from: {
      Refused: "act",
      Unreachable: "act",
      NeverHappened: "act",
      StillUnknown: "waiting",
      Declined: "waiting",
      Filtered: "waiting",
      Failed: "waiting"
    },
    flows: [PayChecked]
  },
  {
    title: "Only waiting",
    about: "",
    way: ["[*] --> waiting", waits, "waiting --> approved"],
    from: { StillUnknown: "waiting", Declined: "waiting", Filtered: "waiting", Failed: "waiting" },
    flows: [AwaitFinal]
  }
]

const tagOf = (ast: SchemaAST.AST): string => {
  const [identifier] = [SchemaAST.resolveAt<string>("identifier")(ast)]
  return identifier ?? "?"
}

/** The errors of a flow, by the union it declares. */
const endsOf = ({ error }: Described): ReadonlyArray<string> => {
  const known = FlowError.FlowError.members.map(({ identifier }) => identifier)
  const { ast } = error
  const members = SchemaAST.isUnion(ast) ? ast.types : [ast]
  return members.map(tagOf).filter((tag) => known.includes(tag))
}

const diagram = (group: Group, ends: ReadonlyArray<string>): string =>
  [
    "```mermaid",
    "stateDiagram-v2",
    ...group.way.map((line) => `  ${line}`),
    ...ends.map((end) => `  ${group.from[end] ?? "?"} --> ${end}`),
    "```"
  ].join("\n")

const fieldsOf = ({ payload }: Described): string => {
  const names = Object.entries(payload.fields)
  const required = names.filter(([, field]) => !SchemaAST.isOptional(field.ast)).map(([name]) => `\`${name}\``)
  const optional = names.length - required.length
  return `${required.join(", ")}${optional === 0 ? "" : `; ${optional} more may be given`}`
}

const code = (names: ReadonlyArray<string>): string => names.map((name) => `\`${name}\``).join(", ") || "–"

const section = (group: Group): string => {
  const ends = Object.keys(group.from)
  for (const flow of group.flows) {
    const declared = endsOf(flow)
    const drawn = ends.every((end) => declared.includes(end)) && declared.length === ends.length
    if (!drawn) throw new Error(`${flow.name} ends as ${declared.join(", ")}: draw that in "${group.title}"`)
  }
  const rows = group.flows.map(
    (flow) =>
      `| \`${flow.name}\` | ${flow.summary} | ${fieldsOf(flow)} | ${code(flow.keptSealed)} | ${code(flow.neverKept)} |`
  )
  return [
    `## ${group.title}`,
    ...(group.about === "" ? [] : [group.about]),
    diagram(group, ends),
    ["| flow | does | needs | kept only sealed | never kept |", "|---|---|---|---|---|", ...rows].join("\n")
  ].join("\n\n")
}

export const flowsPage = (): string =>
  `${[
    "# Flows, one by one",
    "Generated from the flows themselves. [flows.md](flows.md) tells how to use them.",
    ...groups.map(section)
  ].join("\n\n")}\n`
