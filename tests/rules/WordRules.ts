import type { SourceRule } from "./SourceRules.ts"

const participles = "told|held|heard|found|asked|said|seen|brought|those|known|whoever"
const coinages =
  "Errand|Accompany|Asker|Asking|Turns|Reruns|Rewrap|Hangup|Ruling|Desk|Seats?|Forgotten|BegunBefore|GiveBack|giveBack|Told|Held|Asked|Said|Seen|Shown|Brought|Doom|Lives|Play"

const stored = "the name of a stored column or field, which never changes"
const sent = "the name of a field that is sent, which never changes"

/** Words that a payments engineer would have to learn first, as whole names; and comments that no one can read alone. */
export const wordRules: ReadonlyArray<SourceRule> = [
  {
    name: "names say what a thing is",
    where: /^(packages|apps|tests)\/.*\.ts$/,
    pattern: new RegExp(
      `(?:\\b(?:const|let|function|class|interface|type|readonly)|[(,{])\\s*\\b(?:${participles}|${coinages})\\b(?=\\s*[:=,<({})?])`
    ),
    instead: "a noun of the trade: request, match, context, report, existingOrder",
    reads: "code",
    except: {
      "packages/flows/src/Ask.ts": stored,
      "packages/flows/src/Creation.ts": stored,
      "packages/flows/test/Ask.test.ts": stored,
      "packages/gateway/src/merchants/Call.ts": stored,
      "packages/gateway/src/orders/outcomes/Resolve.ts": stored,
      "packages/gateway/src/reconciliation/ResolveOrder.ts": stored,
      "packages/gateway/src/http/operator/ResolveHandlers.ts": stored,
      "packages/gateway/test/domain/Resolve.test.ts": stored,
      "packages/gateway/test/domain/Sample.ts": stored,
      "packages/gateway/test/usecases/ResolveConfirm.test.ts": stored,
      "packages/gateway/test/usecases/ResolveOrder.test.ts": stored,
      "packages/sandbox/src/SandboxThreeDS.ts": stored,
      "packages/sandbox/src/ThreeDSRecord.ts": stored,
      "packages/sandbox/src/ThreeDSRecords.ts": stored,
      "packages/workflow-sqlite/src/engine/Records.ts": stored,
      "packages/workflow-sqlite/src/engine/Run.ts": stored,
      "packages/gateway/src/http/ApprovalApi.ts": sent,
      "packages/gateway/src/http/operator/PayoutHandlers.ts": sent,
      "packages/gateway/src/operators/contract/Payouts.ts": sent,
      "tests/system/Funding.test.ts": sent,
      "tests/workflows/FormerVersion.test.ts": stored
    },
    bad: ["const found = find(orders)", "({ asked, order }) => order", "(held: Order) => held", "interface Told {"],
    good: [
      "const match = find(orders)",
      "const isHeld = true",
      "/** What was asked, */",
      "Option.match({ onNone, onSome })"
    ]
  },
  {
    name: "comments are sentences",
    where: /^(packages|apps|tests)\/.*\.ts$/,
    pattern:
      /(?:\/\*\*|^\s*\*|\/\/) (?:Of|The same|As|By which|Whoever|In place|What becomes|Where|That which|Nobody|Who) /m,
    instead: "a sentence that stands alone, with its subject: Returns the status of a finished execution.",
    reads: "everything",
    bad: ["/** Of one that has. */", "// As it travels over the wire.", "/**\n * Where the money goes.\n */"],
    good: ["/** Returns the status of a finished execution. */", "/** Offers one. */", "// Assumes nothing."]
  }
]
