/** The places of the money path: source files whose guards are mutated, and the tests that should detect it. */

export interface Place {
  readonly sources: ReadonlyArray<string>
  readonly tests: ReadonlyArray<string>
}

const within =
  (folder: string, ending: ".ts" | ".test.ts") =>
  (names: string): ReadonlyArray<string> =>
    names.split(" ").map((name) => `${folder}/${name}${ending}`)

const gateway = within("gateway/gateway/src", ".ts")
const flows = within("packages/flows/src", ".ts")
const ofGateway = within("gateway/gateway/test", ".test.ts")
const ofDomain = within("gateway/gateway/test/domain", ".test.ts")
const ofRestore = within("gateway/gateway/test/restore", ".test.ts")
const ofUsecases = within("gateway/gateway/test/usecases", ".test.ts")
const ofFlows = within("packages/flows/test", ".test.ts")
const system = within("tests/system", ".test.ts")
const older = within("tests/older", ".test.ts")
const workflows = within("tests/workflows", ".test.ts")

export const places: Readonly<Record<string, Place>> = {
  settlement: {
    sources: gateway(
      "orders/decide/Inquiry orders/decide/CardAnswer orders/decide/ApprovedAnswer orders/decide/AmountOutcome orders/decide/AmountAttempts orders/decide/RequestEnd orders/decide/Unexpected orders/record/Lifecycle orders/record/CardKinds orders/outcomes/BankJob orders/outcomes/Counterparty orders/outcomes/SettleAnswer orders/outcomes/BankCalls orders/outcomes/CardJob orders/outcomes/LoadPayer orders/outcomes/NextAmount orders/outcomes/SelectAmount recurring/decide/BillingOutcome kernel/Transact"
    ),
    tests: [
      ...ofGateway("Transact"),
      ...ofDomain("BillingDecisions Billing"),
      ...ofDomain("AmountAttempts Inquiry RequestEnd CardAnswer Lifecycle Unexpected WholeReturn"),
      ...ofUsecases("BankJob CardJob CardJobAttempts LateAnswer LateReversal SentTimes Tasks"),
      ...system("HoldTask LostAnswers")
    ]
  },
  "follow-ups": {
    sources: gateway(
      "orders/decide/FollowUp orders/decide/Resolve orders/decide/Acts orders/requests/ActOnOrder orders/requests/AcceptFollowUp orders/requests/JudgeRepeat orders/outcomes/Lapse JobHandlers orders/requests/NamedOrder reconciliation/ResolveOrder reconciliation/StatedAnswer reconciliation/UnknownRequest"
    ),
    tests: [
      ...ofDomain("FollowUp FollowUpRefusals Resolve"),
      ...ofUsecases("ActOnOrder ActOnOrderRaces Lapse NamedOrder ResolveConfirm ResolveOrder"),
      ...older("ActingControl Values")
    ]
  },
  payouts: {
    sources: gateway(
      "payouts/decide/PayoutRegister payouts/decide/PayoutAnswer payouts/decide/PayoutEnd orders/record/PayoutLifecycle payouts/decide/PayoutPlan payouts/decide/PayoutApproval payouts/decide/Fund payouts/PayoutJob payouts/PayoutLapse payouts/CreatePayout payouts/PayoutOrder payouts/FundBalance payouts/DecideApproval"
    ),
    tests: [
      ...ofDomain("Fund PayoutApproval PayoutEnd PayoutLifecycle PayoutRegister PayoutAnswer Unexpected"),
      ...ofUsecases("CreatePayout DecideApproval FundBalance Lapse PayoutJob")
    ]
  },
  restores: {
    sources: gateway(
      "restore/Attempts restore/Authentications restore/CatchUp restore/Charges restore/FollowUps restore/Gate restore/Hold restore/Pages restore/Payouts restore/Requests restore/Reversals restore/Unclear"
    ),
    tests: [
      ...ofRestore("CatchUp CatchUpOfPayouts Charges FollowUps Gate Hold List Payouts StatedAttempts"),
      ...system(
        "RestoredBookings RestoredFollowUps RestoredGate RestoredPages RestoredPayouts RestoredThreeDS RestoredTries"
      )
    ]
  },
  replay: {
    sources: gateway(
      "orders/decide/Repeat orders/record/Payment orders/decide/Register restore/Adoption orders/requests/Creation orders/requests/CreateOrder orders/requests/CardOrder restore/AdoptBooking orders/requests/CardIdentity merchants/Call"
    ),
    tests: [
      ...ofDomain("Adoption Payment ProcessingDate Register Repeat"),
      ...ofUsecases(
        "ActOnOrder ActOnOrderRaces AdoptBooking CardOrder CardJobAttempts CreateOrder CreatePayout LastAttempt"
      )
    ]
  },
  books: {
    sources: gateway(
      "kernel/LedgerTable reconciliation/decide/OrderComparison reconciliation/decide/BookingComparison reconciliation/decide/ExplainedDifferences reconciliation/Reconciliation reconciliation/BankBooksComparison reconciliation/SettlementDay orders/outcomes/ReverseAnswer orders/outcomes/SendReversal orders/outcomes/MadeReversal reconciliation/ManageTasks"
    ),
    tests: [
      ...ofDomain(
        "CardAnswer LedgerTable BookingComparison MadeReversal OrderComparison EvidenceComparison PayoutAnswer"
      ),
      ...ofUsecases("AnswerTask SettlementDay Tasks LateReversal"),
      ...ofGateway("ReconciliationLedger ReconciliationLists Reconciliation ManageBookings"),
      ...system("UnexpectedAnswer")
    ]
  },
  flows: {
    sources: flows(
      "order/Evidence order/OrderKind requests/Action requests/Ask requests/AwaitFinal requests/ByAmounts requests/ByStatus requests/Creation requests/Ending requests/FollowUp requests/Resolve"
    ),
    tests: [
      ...ofFlows(
        "Endings ByStatus ByAmounts ByAmountsEnds ByAmountsWhole CreationFound CreationTurns CreationLooks Ask AwaitFinal IsResumed Creation FlowTrace FollowUp FollowUpTurns GatewayProfile Resolve Steps"
      ),
      ...workflows("StubMoney")
    ]
  }
}

/** Returns the places that a source file is in. */
export const placesOf = (file: string): ReadonlyArray<Place> =>
  Object.values(places).filter(({ sources }) => sources.includes(file))

/** Returns the tests of a source file: those of its places, or all tests if it is in no place. */
export const testsOf = (file: string): ReadonlyArray<string> => {
  const own = placesOf(file)
  return [...new Set((own.length === 0 ? Object.values(places) : own).flatMap(({ tests }) => tests))]
}

/** Returns a place by its name, or one source file with its tests. */
export const placeOf = (name: string): Place | undefined => {
  if (Object.hasOwn(places, name)) return places[name]
  return name.endsWith(".ts") ? { sources: [name], tests: testsOf(name) } : undefined
}
