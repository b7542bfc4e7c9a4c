/** Makes the handlers of all operations that the gateway serves. */
import type * as PayApi from "@pay/schema/PayApi"
import { Context, Effect, Layer, Option } from "effect"
import * as AnswerCardInfo from "../cards/AnswerCardInfo.ts"
import * as Rebill from "../cards/Rebill.ts"
import * as StoreCard from "../cards/StoreCard.ts"
import * as VerifyAndWait from "../cards/VerifyAndWait.ts"
import * as CreateHostedSession from "../hosted/CreateHostedSession.ts"
import type { Handler } from "../merchants/Call.ts"
import * as Acts from "../orders/decide/Acts.ts"
import * as ActOnOrder from "../orders/requests/ActOnOrder.ts"
import * as AnswerStatus from "../orders/requests/AnswerStatus.ts"
import * as CreateOrder from "../orders/requests/CreateOrder.ts"
import * as CreateHostedPayout from "../payouts/CreateHostedPayout.ts"
import * as CreatePayout from "../payouts/CreatePayout.ts"
import { PayoutRail } from "../payouts/PayoutRail.ts"
import * as CreateRecurring from "../recurring/CreateRecurring.ts"
import * as ProcessRecurring from "../recurring/ProcessRecurring.ts"
import * as UpdateRecurring from "../recurring/UpdateRecurring.ts"
import * as UploadThreeDS from "../threeds/UploadThreeDS.ts"
import * as Eligibility from "../transfers/Eligibility.ts"
import * as Transfer from "../transfers/Transfer.ts"
import * as TransferForm from "../transfers/TransferForm.ts"

/** The handlers by the name of the operation. An operation without a handler is refused as not enabled on the endpoint. */
export class Handlers extends Context.Service<Handlers, ReadonlyMap<string, Handler>>()("@pay/gateway/Handlers") {}

/** Makes a handler for payouts, or `undefined` if there is no payout rail. */
const withRail = <E, R>(make: Effect.Effect<Handler, E, R>) =>
  Effect.flatMap(
    Effect.serviceOption(PayoutRail),
    Option.match({
      onNone: () => Effect.succeed<Handler | undefined>(undefined),
      onSome: (rail) => Effect.provideService(make, PayoutRail, rail)
    })
  )

const makers = {
  SALE: CreateOrder.make("SALE"),
  PREAUTH: CreateOrder.make("PREAUTH"),
  ACCOUNT_VERIFICATION: CreateOrder.make("ACCOUNT_VERIFICATION"),
  REBILL: Rebill.make("REBILL"),
  SALEFORM: CreateHostedSession.make("SALEFORM"),
  PREAUTHFORM: CreateHostedSession.make("PREAUTHFORM"),
  PAYMENTFORM: CreateHostedSession.make("PAYMENTFORM"),
  ACCOUNT_VERIFICATION_FORM: CreateHostedSession.make("ACCOUNT_VERIFICATION_FORM"),
  CAPTURE: ActOnOrder.make(Acts.capture),
  VOID: ActOnOrder.make(Acts.voidHold),
  RETURN: ActOnOrder.make(Acts.refund),
  STATUS: AnswerStatus.make("STATUS"),
  TDS_UPLOAD_METHOD_URL_RESULT: UploadThreeDS.method,
  TDS_UPLOAD_CRES_RESULT: UploadThreeDS.cres,
  TDS_UPLOAD_PARES_RESULT: UploadThreeDS.pares,
  CARDREF: StoreCard.make("CARDREF"),
  CARDREF_V4: StoreCard.make("CARDREF_V4"),
  CARDINFO: AnswerCardInfo.make,
  PAN_ELIGIBILITY_SEND: Eligibility.make,
  TRANSFER_V4: Transfer.make("TRANSFER_V4"),
  TRANSFER_BY_REF_V4: Transfer.make("TRANSFER_BY_REF_V4"),
  PAYOUTFORM: withRail(CreateHostedPayout.make),
  PAYOUT: withRail(CreatePayout.make("PAYOUT")),
  PAYOUT_V4: withRail(CreatePayout.make("PAYOUT_V4")),
  PAYOUT_V4_CHECK: withRail(CreatePayout.make("PAYOUT_V4_CHECK")),
  PAYOUT_V4_PAY: withRail(CreatePayout.payChecked),
  CREATE_RP_V4: CreateRecurring.make,
  PROCESS_RP_V4: ProcessRecurring.make,
  UPDATE_RP_V4: UpdateRecurring.make,
  SYNC_ACCOUNT_VERIFICATION: VerifyAndWait.make,
  TRANSFERFORM: TransferForm.make,
  TRANSFER_BY_REF: Transfer.make("TRANSFER_BY_REF"),
  REBILL_SALE: Rebill.make("REBILL_SALE"),
  REBILL_PREAUTH: Rebill.make("REBILL_PREAUTH"),
  SALE_V4: CreateOrder.make("SALE_V4"),
  STATUS_V4: AnswerStatus.make("STATUS_V4")
} satisfies { readonly [Name in PayApi.Name]: unknown }

export const layer = Layer.effect(
  Handlers,
  Effect.map(
    Effect.all(makers),
    (handlers) =>
      new Map(
        Object.entries<Handler | undefined>(handlers).flatMap(([name, handler]) =>
          handler === undefined ? [] : [[name, handler] as const]
        )
      )
  )
)
