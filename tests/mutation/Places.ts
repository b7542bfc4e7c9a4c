/** The places of the money path: the source files whose guards are mutated, and the tests that are to notice it. */

export interface Place {
  readonly sources: ReadonlyArray<string>
  readonly tests: ReadonlyArray<string>
}

const within =
  (folder: string, ending: ".ts" | ".test.ts") =>
  (names: string): ReadonlyArray<string> =>
    names.split(" ").map((name) => `${folder}/${name}${ending}`)

const gateway = within("packages/gateway/src", ".ts")
const domain = within("packages/gateway/src/domain", ".ts")
const usecases = within("packages/gateway/src/usecases", ".ts")
const flows = within("packages/flows/src", ".ts")
const ofGateway = within("packages/gateway/test", ".test.ts")
const ofDomain = within("packages/gateway/test/domain", ".test.ts")
const ofUsecases = within("packages/gateway/test/usecases", ".test.ts")
const ofFlows = within("packages/flows/test", ".test.ts")
const workflows = within("tests/workflows", ".test.ts")

export const places: Readonly<Record<string, Place>> = {
  settlement: {
    sources: [
      ...domain("Asking BankWork BankOutcome AmountOutcome AmountAttempts Ending Unexpected Lifecycle CardKinds"),
      ...usecases("Asker CarryOut NextAmount AmountsInTurn")
    ],
    tests: [
      ...ofDomain("AmountAttempts Asking BankEnding BankWork Lifecycle Unexpected WholeReturn"),
      ...ofUsecases("Asker AskerRestored CarryOut CarryOutTries")
    ]
  },
  "follow-ups": {
    sources: [...domain("FollowUp Resolve"), ...usecases("ActOnOrder Lapse NamedOrder ResolveOrder")],
    tests: [
      ...ofDomain("FollowUp FollowUpRefusals Resolve"),
      ...ofUsecases("ActOnOrder ActOnOrderRaces Lapse NamedOrder ResolveConfirm ResolveOrder")
    ]
  },
  payouts: {
    sources: [
      ...domain("PayoutRegister PayoutWork PayoutEnding PayoutLifecycle PayoutPlan PayoutApproval FormerPayout Fund"),
      ...usecases("PayOut PayChecked PayoutLapse CreatePayout PayoutOrder FundBalance DecideApproval FormerPayments")
    ],
    tests: [
      ...ofDomain("FormerPayout Fund PayoutApproval PayoutEnding PayoutLifecycle PayoutRegister PayoutWork Unexpected"),
      ...ofUsecases("CreatePayout DecideApproval FundBalance Lapse PayOut")
    ]
  },
  replay: {
    sources: [
      ...domain("Repeat Register Restored Forgotten"),
      ...usecases("Creation CreateOrder CardOrder AdoptBooking FormerTries ContentFingerprint"),
      "packages/gateway/src/http/Call.ts"
    ],
    tests: [
      ...ofDomain("Forgotten Register Repeat Restored"),
      ...ofUsecases(
        "ActOnOrder ActOnOrderRaces AdoptBooking CardOrder CarryOutTries CreateOrder CreatePayout FormerTries"
      )
    ]
  },
  books: {
    sources: [
      ...domain("LedgerTable ParityCheck ParityBooking ParityTasks"),
      ...gateway("Parity ParityBooks"),
      ...usecases("SettlementDay ReverseAnswer ManageTasks")
    ],
    tests: [
      ...ofDomain("BankWork LedgerTable ParityBooking ParityCheck PayoutWork"),
      ...ofUsecases("SettlementDay Tasks"),
      ...ofGateway("ParityRun ParityLists Parity ManageBookings")
    ]
  },
  flows: {
    sources: flows("Action Ask AwaitFinal ByAmounts ByStatus Creation Ending Evidence FollowUp OrderKind Resolve"),
    tests: [
      ...ofFlows(
        "Endings ByStatus ByAmounts ByAmountsEnds CreationFound CreationTurns CreationLooks Ask AwaitFinal BegunBefore Creation FlowTrace FollowUp FollowUpTurns GatewayProfile Resolve Steps"
      ),
      ...workflows("StubMoney")
    ]
  }
}

/** A place by its name, or one source file with the tests of its places, or with all where it is in none. */
export const placeOf = (name: string): Place | undefined => {
  if (Object.hasOwn(places, name)) return places[name]
  if (!name.endsWith(".ts")) return undefined
  const all = Object.values(places)
  const its = all.filter(({ sources }) => sources.includes(name))
  return { sources: [name], tests: [...new Set((its.length === 0 ? all : its).flatMap(({ tests }) => tests))] }
}
