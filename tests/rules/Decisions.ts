/** Files of the gateway that decide: pure, without a clock, a store or a runtime. A new one is added here. */
const names: Readonly<Record<string, string>> = {
  callbacks: "CallbackEvent CallbackUrl Delivery",
  cards: "CardRef",
  hosted: "HostedAttempt HostedSession",
  kernel:
    "Answer Audit CardFacts Change Decision Entity Evidence Job Jobs LedgerTable LifecycleTable LogText SerialNumber",
  merchants: "KeyLifecycle MerchantKey",
  network: "AddressPolicy CustomerAddress SpecialAddresses",
  orders:
    "CallbackContent Callbacks Card CardKinds CustomerBrowser FollowUp Lifecycle Order OrderRequest Payment PayoutLifecycle Register Repeat TransactionType",
  "orders/outcomes":
    "AmountAttempts AmountOutcome Inquiry ApprovedAnswer BankTask CardAnswer RequestEnd HoldTask OutcomeContext Resolve Unexpected",
  payouts: "Approval Fund PayoutApproval PayoutEnd PayoutForm PayoutPlan PayoutRegister PayoutAnswer",
  recipients: "Destination Recipient",
  reconciliation: "BookingComparison OrderComparison ExplainedDifferences",
  recurring:
    "Billing BillingDays BillingOutcome BillingPayment BillingPlan SkippedOccurrences BillingDecisions SkipReason Subscription SubscriptionBegin SubscriptionChange SubscriptionLifecycle SubscriptionEvents",
  restore: "BankBooking Adoption HeldJob Restoration",
  retention: "Erasure",
  risk: "Risk",
  threeds:
    "Authentication BrowserFacts ThreeDSAddresses ThreeDSAnswer ThreeDSBegin ThreeDSStages AuthenticationProgress"
}

/** Their paths below the gateway's sources, without the ending. */
export const decisions: ReadonlyArray<string> = Object.entries(names).flatMap(([folder, files]) =>
  files.split(" ").map((name) => `${folder}/${name}`)
)

export const isDecision = new RegExp(`^gateway/gateway/src/(?:${decisions.join("|")})\\.ts$`)
