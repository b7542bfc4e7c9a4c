/** The whole operator interface: every operation by its name. */
import { decideApproval, listApprovals } from "./contract/Approvals.ts"
import { listAudit } from "./contract/Audit.ts"
import { closeBooking, importBookings, listBookings, showRestoration } from "./contract/Bookings.ts"
import { beginReconciliation, exportSettlement, showReconciliation } from "./contract/Books.ts"
import { listCallbacks, pushCallbacks, resendCallback } from "./contract/Callbacks.ts"
import { eraseCard, eraseCustomer, eraseOrder, eraseSubscription } from "./contract/Cards.ts"
import { refundOrder, voidOrder } from "./contract/FollowUps.ts"
import { inquireOrder, inquireUnknown } from "./contract/Inquiries.ts"
import { addKey, beginKeyRotation, listKeys, revokeKey, rotateKey, showKeyRotation } from "./contract/Keys.ts"
import { listMerchants, reloadMerchants, showMerchant } from "./contract/Merchants.ts"
import { showNow } from "./contract/Now.ts"
import {
  addOperator,
  changeOperator,
  enrolOperator,
  listOperators,
  removeOperator,
  replaceToken,
  resetOperator,
  unenrolOperator,
  verifyOperator
} from "./contract/Operators.ts"
import { searchOrders, showOrder } from "./contract/Orders.ts"
import { addBalance, listPayouts, showBalances } from "./contract/Payouts.ts"
import { confirmProposal, listProposals, withdrawProposal } from "./contract/Proposals.ts"
import { listRequests, setLogLevel } from "./contract/Requests.ts"
import { confirmResolution, proposeResolution, withdrawResolution } from "./contract/Resolutions.ts"
import { listSubscriptions, showSubscription } from "./contract/Subscriptions.ts"
import { answerTask, closeTask, listTasks, reverseTask } from "./contract/Tasks.ts"
import { listUnknown } from "./contract/Unknown.ts"
import type { OperatorOperation } from "./OperatorOperation.ts"

export { ListedBooking } from "./contract/Bookings.ts"

export const operations = {
  showNow,
  listMerchants,
  showMerchant,
  reloadMerchants,
  listKeys,
  addKey,
  rotateKey,
  revokeKey,
  beginKeyRotation,
  showKeyRotation,
  listOperators,
  addOperator,
  changeOperator,
  resetOperator,
  replaceToken,
  enrolOperator,
  verifyOperator,
  unenrolOperator,
  removeOperator,
  listProposals,
  confirmProposal,
  withdrawProposal,
  listAudit,
  listRequests,
  setLogLevel,
  searchOrders,
  showOrder,
  listUnknown,
  inquireOrder,
  inquireUnknown,
  refundOrder,
  voidOrder,
  proposeResolution,
  confirmResolution,
  withdrawResolution,
  listSubscriptions,
  showSubscription,
  listCallbacks,
  resendCallback,
  pushCallbacks,
  listPayouts,
  addBalance,
  showBalances,
  listTasks,
  answerTask,
  reverseTask,
  closeTask,
  showRestoration,
  listBookings,
  importBookings,
  closeBooking,
  beginReconciliation,
  showReconciliation,
  exportSettlement,
  eraseOrder,
  eraseCard,
  eraseSubscription,
  eraseCustomer
} as const

export type Operations = typeof operations
export type Name = keyof Operations

/** The operations of second approvers, who sign their requests. An operator's token does not allow them. */
export const approvals = { listApprovals, decideApproval } as const

/** Every operation of operators and approvers. */
export const all: ReadonlyArray<OperatorOperation> = [...Object.values(operations), ...Object.values(approvals)]

export const isName = (name: string): name is Name => Object.hasOwn(operations, name)

export const names: ReadonlyArray<Name> = Object.keys(operations).filter(isName)
