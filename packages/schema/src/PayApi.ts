/** The whole interface: every operation by name, by path and by command. */
import type { Operation } from "./Operation.ts"
import { AccountVerification, AccountVerificationForm } from "./operations/AccountVerification.ts"
import { CreateCardRef, CreateCardRefV4, GetCardInfo, MakeRebill } from "./operations/CardReference.ts"
import {
  MakeRebillPreauth,
  MakeRebillSale,
  SaleV4,
  StatusV4,
  SyncAccountVerification,
  TransferByRefV2,
  TransferForm
} from "./operations/Family.ts"
import { Capture, Return, Status, Void } from "./operations/FollowUp.ts"
import { PaymentForm, PreauthForm, SaleForm } from "./operations/HostedForm.ts"
import { Preauth, Sale } from "./operations/Payment.ts"
import { Payout, PayoutCheck, PayoutForm, PayoutPay, PayoutV4 } from "./operations/Payout.ts"
import { CreateRecurringPayment, ProcessRecurringPayment, UpdateRecurringPayment } from "./operations/Recurring.ts"
import { UploadCresResult, UploadMethodUrlResult, UploadParesResult } from "./operations/ThreeDSUpload.ts"
import { PanEligibilitySend, Transfer, TransferByRef } from "./operations/Transfer.ts"

/**
 * All operations by name, in the order of the specification: first its lists, then its signing examples and the two additions for
 * recurring payments, at last the operations of the protocol family.
 */
export const operations = {
  TDS_UPLOAD_CRES_RESULT: UploadCresResult,
  TDS_UPLOAD_METHOD_URL_RESULT: UploadMethodUrlResult,
  TDS_UPLOAD_PARES_RESULT: UploadParesResult,
  ACCOUNT_VERIFICATION_FORM: AccountVerificationForm,
  ACCOUNT_VERIFICATION: AccountVerification,
  CAPTURE: Capture,
  CARDREF: CreateCardRef,
  CARDINFO: GetCardInfo,
  REBILL: MakeRebill,
  PAYMENTFORM: PaymentForm,
  PAYOUTFORM: PayoutForm,
  PAYOUT: Payout,
  PREAUTHFORM: PreauthForm,
  PREAUTH: Preauth,
  RETURN: Return,
  SALEFORM: SaleForm,
  SALE: Sale,
  STATUS: Status,
  VOID: Void,
  CARDREF_V4: CreateCardRefV4,
  CREATE_RP_V4: CreateRecurringPayment,
  PAYOUT_V4_CHECK: PayoutCheck,
  PAYOUT_V4_PAY: PayoutPay,
  PAN_ELIGIBILITY_SEND: PanEligibilitySend,
  TRANSFER_V4: Transfer,
  TRANSFER_BY_REF_V4: TransferByRef,
  PAYOUT_V4: PayoutV4,
  PROCESS_RP_V4: ProcessRecurringPayment,
  UPDATE_RP_V4: UpdateRecurringPayment,
  SYNC_ACCOUNT_VERIFICATION: SyncAccountVerification,
  TRANSFERFORM: TransferForm,
  TRANSFER_BY_REF: TransferByRefV2,
  REBILL_SALE: MakeRebillSale,
  REBILL_PREAUTH: MakeRebillPreauth,
  SALE_V4: SaleV4,
  STATUS_V4: StatusV4
} as const

export type Name = keyof typeof operations

/** All operations as a list. */
export const all: ReadonlyArray<Operation> = Object.values(operations)

/** The operations by path without the endpoint id: `/api/v2/sale`. */
export const byPath: ReadonlyMap<string, Operation> = new Map(all.map((operation) => [operation.path, operation]))

/** The operations by command: `sale`, `v4/payout`. */
export const byCommand: ReadonlyMap<string, Operation> = new Map(all.map((operation) => [operation.command, operation]))
