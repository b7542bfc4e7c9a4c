/** Every entity of the gateway, in the order in which a store creates their tables. */

import { CallbackAttempt, CallbackEvent } from "./callbacks/decide/CallbackEvent.ts"
import { CardRef } from "./cards/decide/CardRef.ts"
import { HostedSession } from "./hosted/decide/HostedSession.ts"
import { AuditEntry } from "./kernel/Audit.ts"
import { CertainTime } from "./kernel/CertainTime.ts"
import type { Entity } from "./kernel/Entity.ts"
import { Evidence } from "./kernel/Evidence.ts"
import { Job } from "./kernel/Job.ts"
import { Balance, LedgerEntry } from "./kernel/LedgerTable.ts"
import { Process } from "./kernel/Process.ts"
import { Revision } from "./kernel/Revision.ts"
import { Run } from "./kernel/SingleRun.ts"
import { Nonce } from "./merchants/Call.ts"
import { MerchantKey } from "./merchants/decide/MerchantKey.ts"
import { Resolution } from "./orders/decide/Resolve.ts"
import { BankNotice } from "./orders/record/BankNotice.ts"
import { BankNumber } from "./orders/record/BankNumber.ts"
import { BankTask } from "./orders/record/BankTask.ts"
import { Card, Cvv } from "./orders/record/Card.ts"
import { Dispute } from "./orders/record/Dispute.ts"
import { Order } from "./orders/record/Order.ts"
import { OrderRequest } from "./orders/record/OrderRequest.ts"
import { StoppedCard } from "./orders/record/StoppedCard.ts"
import { NumberSequence } from "./orders/requests/OrderNumbers.ts"
import { Approval } from "./payouts/decide/Approval.ts"
import { Funding } from "./payouts/decide/Fund.ts"
import { Payout } from "./recipients/Recipient.ts"
import { DayBalance } from "./reconciliation/SettlementDay.ts"
import { Occurrence, Subscription } from "./recurring/decide/Subscription.ts"
import { BankBooking } from "./restore/BankBooking.ts"
import { HeldJob } from "./restore/HeldJob.ts"
import { Enumeration, Restoration } from "./restore/Restoration.ts"
import { VelocityCounter, VelocityEntry } from "./risk/Risk.ts"
import { ConsoleSession } from "./signin/decide/ConsoleSession.ts"
import { OperatorAccount } from "./signin/decide/OperatorAccount.ts"
import { Proposal } from "./signin/decide/Proposal.ts"
import { SecondFactor } from "./signin/decide/SecondFactor.ts"
import { Authentication } from "./threeds/decide/Authentication.ts"

export const all: ReadonlyArray<Entity> = [
  Order,
  OrderRequest,
  BankNumber,
  Card,
  Cvv,
  CardRef,
  StoppedCard,
  Authentication,
  HostedSession,
  Subscription,
  Occurrence,
  LedgerEntry,
  Balance,
  Job,
  CallbackEvent,
  CallbackAttempt,
  Nonce,
  VelocityEntry,
  Evidence,
  BankNotice,
  Dispute,
  AuditEntry,
  MerchantKey,
  Revision,
  Payout,
  Approval,
  Funding,
  Restoration,
  BankBooking,
  Enumeration,
  HeldJob,
  BankTask,
  Resolution,
  DayBalance,
  Process,
  VelocityCounter,
  Run,
  NumberSequence,
  CertainTime,
  OperatorAccount,
  Proposal,
  ConsoleSession,
  SecondFactor
]
