/** Every entity, in the order in which their tables are made: what a store must hold. */

import type { Entity } from "./Entity.ts"
import { AgendaItem } from "./entities/AgendaItem.ts"
import { Approval } from "./entities/Approval.ts"
import { AuditEntry } from "./entities/AuditEntry.ts"
import { Authentication } from "./entities/Authentication.ts"
import { BankBooking } from "./entities/BankBooking.ts"
import { BankTask } from "./entities/BankTask.ts"
import { CallbackEvent } from "./entities/CallbackEvent.ts"
import { CallbackTry } from "./entities/CallbackTry.ts"
import { Card, Cvv } from "./entities/Card.ts"
import { CardRef } from "./entities/CardRef.ts"
import { DayBalance } from "./entities/DayBalance.ts"
import { Enumeration } from "./entities/Enumeration.ts"
import { Evidence } from "./entities/Evidence.ts"
import { FormSession } from "./entities/FormSession.ts"
import { Funding } from "./entities/Funding.ts"
import { Balance, LedgerEntry } from "./entities/Ledger.ts"
import { MerchantKey, Revision } from "./entities/MerchantKey.ts"
import { Nonce } from "./entities/Nonce.ts"
import { Occurrence } from "./entities/Occurrence.ts"
import { Order } from "./entities/Order.ts"
import { OrderRequest } from "./entities/OrderRequest.ts"
import { Payout } from "./entities/Payout.ts"
import { Resolution } from "./entities/Resolution.ts"
import { Restoration } from "./entities/Restoration.ts"
import { RiskMark } from "./entities/RiskMark.ts"
import { Subscription } from "./entities/Subscription.ts"

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
