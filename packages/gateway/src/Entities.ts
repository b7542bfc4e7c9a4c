/** Every entity, in the order in which their tables are made: what a store must hold. */

import { CallbackEvent, CallbackTry } from "./callbacks/CallbackEvent.ts"
import { CardRef } from "./cards/CardRef.ts"
import { FormSession } from "./hosted/FormSession.ts"
import { AgendaItem } from "./kernel/AgendaItem.ts"
import { AuditEntry } from "./kernel/Audit.ts"
import type { Entity } from "./kernel/Entity.ts"
import { Evidence } from "./kernel/Evidence.ts"
import { Balance, LedgerEntry } from "./kernel/Ledger.ts"
import { Nonce } from "./kernel/Nonce.ts"
import { MerchantKey, Revision } from "./merchants/MerchantKey.ts"
import { Card, Cvv } from "./orders/Card.ts"
import { Order } from "./orders/Order.ts"
import { OrderRequest } from "./orders/OrderRequest.ts"
import { BankTask } from "./orders/outcomes/BankTask.ts"
import { Resolution } from "./orders/outcomes/Resolution.ts"
import { BankBooking } from "./orders/restored/BankBooking.ts"
import { Enumeration, Restoration } from "./orders/restored/Restoration.ts"
import { Approval } from "./payouts/Approval.ts"
import { Funding } from "./payouts/Fund.ts"
import { Payout } from "./recipients/Payout.ts"
import { DayBalance } from "./reconciliation/SettlementDay.ts"
import { Occurrence } from "./recurring/Occurrence.ts"
import { Subscription } from "./recurring/Subscription.ts"
import { RiskMark } from "./risk/Risk.ts"
import { Authentication } from "./threeds/Authentication.ts"

export const all: ReadonlyArray<Entity> = [
  Order,
  OrderRequest,
  Card,
  Cvv,
  CardRef,
  Authentication,
  FormSession,
  Subscription,
  Occurrence,
  LedgerEntry,
  Balance,
  AgendaItem,
  CallbackEvent,
  CallbackTry,
  Nonce,
  RiskMark,
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
  BankTask,
  Resolution,
  DayBalance
]
