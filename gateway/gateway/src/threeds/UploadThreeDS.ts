/**
 * The uploads of merchants who run 3-D Secure on their own site (docs/specification.md#3-d-secure-uploads). Each upload is
 * bound to its order, stage, version and transaction. An upload that does not fit changes nothing; a repetition of the accepted
 * one is a replay.
 */
import type { Operation, Request } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Result } from "effect"
import * as MerchantUrls from "../callbacks/MerchantUrls.ts"
import { type Answer, refuse, refuseFields } from "../kernel/Answer.ts"
import * as Decision from "../kernel/Decision.ts"
import { Ids } from "../kernel/Ids.ts"
import type { Rows } from "../kernel/Rows.ts"
import * as SerialNumber from "../kernel/SerialNumber.ts"
import { Settings } from "../kernel/Settings.ts"
import { Store } from "../kernel/Store.ts"
import type { Call, Handler } from "../merchants/Call.ts"
import * as CustomerAddress from "../network/CustomerAddress.ts"
import { ofForm } from "../orders/record/CustomerBrowser.ts"
import type { Order } from "../orders/record/Order.ts"
import { OrderRequest } from "../orders/record/OrderRequest.ts"
import { acknowledge } from "../orders/requests/Acknowledge.ts"
import * as CardIdentity from "../orders/requests/CardIdentity.ts"
import { namedOrder } from "../orders/requests/NamedOrder.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as AdvanceAuthentication from "./AdvanceAuthentication.ts"
import { Authentication, readUpload, type UploadColumn, writeUpload } from "./decide/Authentication.ts"
import * as ThreeDSAnswer from "./decide/ThreeDSAnswer.ts"
import * as ThreeDSPaRes from "./ThreeDSPaRes.ts"

const { TDS_UPLOAD_CRES_RESULT, TDS_UPLOAD_METHOD_URL_RESULT, TDS_UPLOAD_PARES_RESULT } = PayApi.operations

interface CallbackUrls {
  readonly server_callback_url?: string
  readonly notify_url?: string
}

const upload = <O extends Operation & { readonly request: { readonly Type: CallbackUrls } }, R>(
  operation: O,
  column: UploadColumn,
  makeCheck: Effect.Effect<(request: Request<O>) => Effect.Effect<ThreeDSAnswer.StepCheck>, never, R>
) =>
  Effect.gen(function* () {
    const store = yield* Store
    const vault = yield* KeyVault
    const ids = yield* Ids
    const settings = yield* Settings
    const advance = yield* AdvanceAuthentication.make
    const checkOf = yield* makeCheck

    const again = (call: Call, order: Order, authentication: Authentication): Answer | undefined => {
      const accepted = readUpload(authentication[column])
      return accepted?.fingerprint === CardIdentity.contentFingerprint(vault, operation, call, accepted?.fingerprint)
        ? acknowledge(order, SerialNumber.again(accepted.requestId, ids.salt()))
        : undefined
    }

    const load = Effect.fnUntraced(function* (call: Call, rows: Rows) {
      const order = yield* namedOrder(rows, call)
      const authentication = order === undefined ? undefined : yield* rows.load(Authentication, [order.orderId])
      return { order, authentication }
    })

    const replay = Effect.fnUntraced(function* (call: Call, rows: Rows = call.rows) {
      const { authentication, order } = yield* load(call, rows)
      return order === undefined || authentication === undefined ? undefined : again(call, order, authentication)
    })

    /**
     * Returns the write that sets the upload's own callback address, if it has one, as the address of the order's
     * callback.
     */
    const callback = Effect.fnUntraced(function* (order: Order, urls: CallbackUrls) {
      const callbackUrl = urls.server_callback_url ?? urls.notify_url
      const request = callbackUrl === undefined ? undefined : yield* store.load(OrderRequest, [order.requestId])
      return callbackUrl === undefined || request === undefined
        ? []
        : [Decision.put(OrderRequest, { ...request, callbackUrl })]
    })

    const perform = Effect.fnUntraced(function* (call: Call) {
      const decoded = operation.decodeFields(call.fields)
      const clientOrderId = call.fields["client-order-id"]
      if (Result.isFailure(decoded)) return yield* refuseFields(decoded.failure, clientOrderId)
      yield* Effect.fromResult(MerchantUrls.check(decoded.success, settings, clientOrderId))
      const { authentication, order } = yield* load(call, call.rows)
      if (order === undefined) return yield* refuse("orderNotFound")
      const names = { clientOrderId: order.clientOrderId, orderId: order.orderId }
      if (authentication === undefined) {
        return yield* refuse("orderState", { ...names, message: "This order does not go through 3-D Secure" })
      }
      if (authentication.mode !== "merchant") {
        return yield* refuse("orderState", { ...names, message: "The gateway itself runs this order's 3-D Secure" })
      }
      const requestId = ids.next()
      const result = yield* advance({ order, authentication }, yield* checkOf(decoded.success), {
        changes: {
          [column]: writeUpload({ requestId, fingerprint: CardIdentity.contentFingerprint(vault, operation, call) })
        },
        writes: yield* callback(order, decoded.success)
      })
      if (result._tag === "Accept") return acknowledge(order, SerialNumber.first(requestId))
      if (result._tag === "Refuse") return yield* refuse(result.error, { ...names, ...result })
      return (yield* replay(call, store)) ?? (yield* refuse("orderState", { ...names, message: result.message }))
    })

    const handler: Handler = { operation, replay, perform, reads: false }
    return handler
  })

export const method = upload(
  TDS_UPLOAD_METHOD_URL_RESULT,
  "methodUpload",
  Effect.succeed((request) =>
    Effect.succeed(
      ThreeDSAnswer.method(
        request.threeDSCompInd,
        ofForm(request, CustomerAddress.addressOf(request.browserIP)),
        request.threeDSServerTransID
      )
    )
  )
)

export const cres = upload(
  TDS_UPLOAD_CRES_RESULT,
  "endUpload",
  Effect.succeed(({ cRes }) => Effect.succeed(ThreeDSAnswer.challenge(cRes)))
)

export const pares = upload(
  TDS_UPLOAD_PARES_RESULT,
  "endUpload",
  Effect.map(
    ThreeDSPaRes.make,
    (check) =>
      ({ md, paRes }) =>
        check(paRes, md)
  )
)
