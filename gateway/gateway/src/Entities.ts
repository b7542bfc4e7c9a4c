/** Every entity of the gateway, in the order in which a store creates their tables. */

import { CallbackAttempt, CallbackEvent } from "./callbacks/CallbackEvent.ts"
import { CardRef } from "./cards/CardRef.ts"
import { HostedSession } from "./hosted/HostedSession.ts"
import { AuditEntry } from "./kernel/Audit.ts"
import { CertainTime } from "./kernel/CertainTime.ts"
import type { Entity } from "./kernel/Entity.ts"
import { Evidence } from "./kernel/Evidence.ts"
import { Job } from "./kernel/Job.ts"
import { Balance, LedgerEntry } from "./kernel/LedgerTable.ts"
import { Process } from "./kernel/ProcessLease.ts"
import { Revision } from "./kernel/Revision.ts"
import { Run } from "./kernel/SingleRun.ts"
import { Nonce } from "./merchants/Call.ts"
import { MerchantKey } from "./merchants/MerchantKey.ts"
import { Card, Cvv } from "./orders/Card.ts"
import { Order } from "./orders/Order.ts"
import { NumberSequence } from "./orders/OrderNumbers.ts"
import { OrderRequest } from "./orders/OrderRequest.ts"
import { BankTask } from "./orders/outcomes/BankTask.ts"
import { Resolution } from "./orders/outcomes/Resolve.ts"
import { Approval } from "./payouts/Approval.ts"
import { Funding } from "./payouts/Fund.ts"
import { Payout } from "./recipients/Recipient.ts"
import { DayBalance } from "./reconciliation/SettlementDay.ts"
import { Occurrence, Subscription } from "./recurring/Subscription.ts"
import { BankBooking } from "./restore/BankBooking.ts"
import { HeldJob } from "./restore/HeldJob.ts"
import { Enumeration, Restoration } from "./restore/Restoration.ts"
import { VelocityCounter, VelocityEntry } from "./risk/Risk.ts"
import { Authentication } from "./threeds/Authentication.ts"

export const all: ReadonlyArray<Entity> = [
  Order,
  OrderRequest,
  Card,
  Cvv,
  CardRef,
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
  CertainTime
]
