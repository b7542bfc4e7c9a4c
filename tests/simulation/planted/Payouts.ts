/** Defects in money that leaves a merchant's balance. */
import { behindApi, type Planted, unseen, visible } from "./Patch.ts"

const work = "packages/gateway/src/payouts/PayoutAnswer.ts"
const register = "packages/gateway/src/payouts/PayoutRegister.ts"
const ledger = "packages/gateway/src/kernel/LedgerTable.ts"
const approval = "packages/gateway/src/payouts/DecideApproval.ts"

export const payouts: ReadonlyArray<Planted> = [
  behindApi(
    "its merchant gets the same answers; only the rail's books differ",
    visible(
      "a payout that is sent again has another reference",
      "the rail pays one request twice",
      "packages/gateway/src/payouts/PayoutJob.ts",
      "reference: reference(subject),\n      orderId",
      "reference: `${reference(subject)}-${order.version}`,\n      orderId"
    )
  ),
  visible(
    "a payout whose outcome is unknown is released",
    "the rail paid what was reported to the merchant as declined",
    work,
    'lost: ({ order }) => PayoutLifecycle.after(order.state, "lose")',
    'lost: ({ order }) => PayoutLifecycle.after(order.state, "decline")'
  ),
  visible(
    "a payout does not hold its amount",
    "the balance that is available is not what was funded less what was paid or is held",
    register,
    '...LedgerTable.book(order, orderId, requestId, "payoutHold", order.amountMinor, nowMs),\n        ...(action === "check"',
    '...(action === "check"'
  ),
  {
    ...visible(
      "the balance is not looked at",
      "more is paid out than was funded",
      register,
      "guards: [...guards(order), Decision.balanceAtLeast(available, order.amountMinor)],\n      writes: [\n        ...rows(order, request),",
      "guards: [...guards(order), Decision.balanceAtLeast(available, -1e15)],\n      writes: [\n        ...rows(order, request),"
    ),
    maxConcurrent: 100,
    frequentFault: "burst"
  },
  visible(
    "a refused payout keeps its amount held",
    "the balance that is available is not what was funded less what was paid or is held",
    work,
    '{ progress, errorCode, errorMessage }, "payoutRelease")',
    '{ progress, errorCode, errorMessage }, "payout")'
  ),
  visible(
    "a late refusal of the rail gives nothing back",
    "the books say paid, and the rail has the money",
    ledger,
    'payoutReturn: [{ from: "payout_rail", to: "payout_available" }]',
    'payoutReturn: [{ from: "payout_rail", to: "payout_rail" }]'
  ),
  visible(
    "no later inquiry shows that a confirmed payout was refused",
    "the rail refused what was reported to the merchant as paid",
    work,
    "const afterMs = terms.lateRefusalAfterMs.find((ms) => paidAtMs + ms > terms.nowMs)",
    "const afterMs = terms.lateRefusalAfterMs.find((ms) => paidAtMs + ms < 0)"
  ),
  {
    ...unseen(
      "a payout-pay is carried out as often as it is sent",
      "the state of the payout refuses the second one all the same; only the answer to the repeat differs, and flows then ask for the status",
      "packages/gateway/src/payouts/CreatePayout.ts",
      "once: true",
      "once: false"
    ),
    atApi: { is: true }
  },
  {
    ...behindApi(
      "an approver decides, who is no part of the API",
      visible(
        "a payout is paid although its approver rejected it",
        "the rail pays without an approval",
        approval,
        "PayoutApproval[statement.decision]({ approval, order, request, form }, signed, terms)",
        "PayoutApproval.approve({ approval, order, request, form }, signed, terms)"
      )
    ),
    frequentFault: "approve"
  }
]
