/** Defects in money that leaves a merchant's balance. */
import { behindApi, type Defect, unseen, untested, visible } from "./Defect.ts"

const payoutAnswer = "gateway/gateway/src/payouts/decide/PayoutAnswer.ts"
const payoutRegister = "gateway/gateway/src/payouts/decide/PayoutRegister.ts"
const ledgerTable = "gateway/gateway/src/kernel/LedgerTable.ts"
const decideApproval = "gateway/gateway/src/payouts/DecideApproval.ts"

export const payouts: ReadonlyArray<Defect> = [
  behindApi(
    "the merchant gets the same answers; only the rail's books differ",
    visible(
      "a payout that is sent again has another reference",
      "the rail pays one request twice",
      "gateway/gateway/src/payouts/PayoutJob.ts",
      "reference: reference(subject),\n      orderId",
      "reference: `${reference(subject)}-${order.version}`,\n      orderId"
    )
  ),
  visible(
    "a payout with an unknown outcome is treated as declined",
    "the rail paid what was reported to the merchant as declined",
    payoutAnswer,
    'lost: ({ order }) => PayoutLifecycle.after(order.state, "lose")',
    'lost: ({ order }) => PayoutLifecycle.after(order.state, "decline")'
  ),
  visible(
    "a payout does not hold its amount",
    "the available balance is not the funded amount minus paid and held amounts",
    payoutRegister,
    '...LedgerTable.book(order, orderId, requestId, "payoutHold", order.amountMinor, nowMs),\n        ...(action === "check"',
    '...(action === "check"'
  ),
  {
    ...visible(
      "the balance is not checked",
      "more is paid out than was funded",
      payoutRegister,
      "guards: [...guards(order), Decision.balanceAtLeast(available, order.amountMinor), ...room(order)],\n      writes: [\n        ...rows(order, request),",
      "guards: [...guards(order), Decision.balanceAtLeast(available, -1e15), ...room(order)],\n      writes: [\n        ...rows(order, request),"
    ),
    maxConcurrent: 100,
    frequentFault: "burst"
  },
  visible(
    "a refused payout keeps its amount held",
    "the available balance is not the funded amount minus paid and held amounts",
    payoutAnswer,
    '{ progress, errorCode, errorMessage }, "payoutRelease")',
    '{ progress, errorCode, errorMessage }, "payout")'
  ),
  visible(
    "a late refusal by the rail does not return the amount",
    "the ledger has the payout as paid, and the rail returned the money",
    ledgerTable,
    'payoutReturn: [{ from: "payout_rail", to: "payout_available" }]',
    'payoutReturn: [{ from: "payout_rail", to: "payout_rail" }]'
  ),
  visible(
    "a confirmed payout is not inquired about again",
    "the rail refused what was reported to the merchant as paid",
    payoutAnswer,
    "const afterMs = terms.lateRefusalAfterMs.find((ms) => paidAtMs + ms > terms.nowMs)",
    "const afterMs = terms.lateRefusalAfterMs.find((ms) => paidAtMs + ms < 0)"
  ),
  {
    ...untested(
      "the state of the payout refuses the repeat too",
      unseen(
        "a repeated payout-pay is not recognised",
        "the state of the payout refuses the repeat too; only the answer differs, and flows then request the status",
        "gateway/gateway/src/payouts/CreatePayout.ts",
        "once: true",
        "once: false"
      )
    ),
    atApi: { is: true, by: "an answer differs" }
  },
  {
    ...behindApi(
      "the approver does not use the API",
      visible(
        "a payout is paid although its approver rejected it",
        "the rail makes a payout without an approval",
        decideApproval,
        "PayoutApproval[statement.decision]({ approval, order, request, form }, signed, terms)",
        "PayoutApproval.approve({ approval, order, request, form }, signed, terms)"
      )
    ),
    frequentFault: "approve"
  }
]
