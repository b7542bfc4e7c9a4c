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
const flows = within("packages/flows/src", ".ts")
const ofGateway = within("packages/gateway/test", ".test.ts")
const ofDomain = within("packages/gateway/test/domain", ".test.ts")
const ofUsecases = within("packages/gateway/test/usecases", ".test.ts")
const ofFlows = within("packages/flows/test", ".test.ts")
const system = within("tests/system", ".test.ts")
const workflows = within("tests/workflows", ".test.ts")

export const places: Readonly<Record<string, Place>> = {
  settlement: {
    sources: gateway(
      "orders/outcomes/Asking orders/outcomes/BankWork orders/outcomes/BankOutcome orders/outcomes/AmountOutcome orders/outcomes/AmountAttempts orders/outcomes/Ending orders/outcomes/Unexpected orders/Lifecycle orders/CardKinds orders/outcomes/Asker orders/outcomes/CarryOut orders/outcomes/NextAmount orders/outcomes/AmountsInTurn recurring/BillingOutcome kernel/Transact"
    ),
    tests: [
      ...ofGateway("Transact"),
      ...ofDomain("BillingTurn Billing Restored"),
      ...ofDomain("AmountAttempts Asking BankEnding BankWork Lifecycle Unexpected WholeReturn"),
      ...ofUsecases("Asker AskerRestored CarryOut CarryOutTries LateAnswer LateReversal SentTimes Tasks"),
      ...system("HoldTask LostAnswers")
    ]
  },
  "follow-ups": {
    sources: gateway(
      "orders/FollowUp orders/outcomes/Resolve orders/ActOnOrder orders/Lapse JobHandlers orders/NamedOrder reconciliation/ResolveOrder"
    ),
    tests: [
      ...ofDomain("FollowUp FollowUpRefusals Resolve"),
      ...ofUsecases("ActOnOrder ActOnOrderRaces Lapse NamedOrder ResolveConfirm ResolveOrder")
    ]
  },
  payouts: {
    sources: gateway(
      "payouts/PayoutRegister payouts/PayoutWork payouts/PayoutEnding orders/PayoutLifecycle payouts/PayoutPlan payouts/PayoutApproval payouts/FormerPayout payouts/Fund payouts/PayOut payouts/PayChecked payouts/PayoutLapse payouts/CreatePayout payouts/PayoutOrder payouts/FundBalance payouts/DecideApproval payouts/FormerPayments"
    ),
    tests: [
      ...ofDomain("FormerPayout Fund PayoutApproval PayoutEnding PayoutLifecycle PayoutRegister PayoutWork Unexpected"),
      ...ofUsecases("CreatePayout DecideApproval FundBalance Lapse PayOut")
    ]
  },
  replay: {
    sources: gateway(
      "orders/Repeat orders/Payment orders/Register orders/restored/Restored orders/restored/Forgotten orders/Creation orders/CreateOrder orders/CardOrder orders/restored/AdoptBooking orders/restored/FormerTries orders/CardIdentity merchants/Call"
    ),
    tests: [
      ...ofDomain("Forgotten Register Repeat Restored"),
      ...ofUsecases(
        "ActOnOrder ActOnOrderRaces AdoptBooking CardOrder CarryOutTries CreateOrder CreatePayout FormerTries"
      )
    ]
  },
  books: {
    sources: gateway(
      "kernel/LedgerTable reconciliation/ParityCheck reconciliation/ParityBooking reconciliation/ParityTasks reconciliation/Parity reconciliation/ParityBooks reconciliation/SettlementDay orders/outcomes/ReverseAnswer reconciliation/ManageTasks"
    ),
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
