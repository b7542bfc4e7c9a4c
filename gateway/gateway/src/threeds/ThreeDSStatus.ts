/**
 * The fields of `status` about 3-D Secure: where the merchant sends the browser, which step the merchant runs now, or
 * the result.
 */
import * as OrderStage from "@pay/schema/OrderStage"
import type { StatusResponse } from "@pay/schema/StatusResponse"
import { Effect } from "effect"
import { PublicAddress } from "../kernel/PublicAddress.ts"
import { Store } from "../kernel/Store.ts"
import * as TransactionType from "../orders/decide/TransactionType.ts"
import type { Order } from "../orders/record/Order.ts"
import type { LoadSection } from "../orders/requests/AnswerStatus.ts"
import { Authentication, hasUpload } from "./decide/Authentication.ts"
import * as ThreeDSAddresses from "./decide/ThreeDSAddresses.ts"
import * as ThreeDSStages from "./decide/ThreeDSStages.ts"
import * as IssuerForm from "./IssuerForm.ts"

type Fields = Partial<StatusResponse>

const version = ({ protocol }: Authentication): Fields => (protocol === null ? {} : { "threeds-version": protocol })

/**
 * Returns the fields of the method step. Without a method URL the merchant only uploads the browser's data, with `U`.
 */
const method = (authentication: Authentication, backTo: string): Fields => {
  const { methodUrl, serverTransId } = authentication
  if (serverTransId === null) return {}
  const step = { "threeds-stage": "method", "threeds-server-trans-id": serverTransId }
  if (methodUrl === null) return step
  const data = ThreeDSAddresses.methodData(authentication, backTo)
  return {
    ...step,
    "threeds-method-url": methodUrl,
    "threeds-method-data": data,
    html: IssuerForm.render({ action: methodUrl, fields: { threeDSMethodData: data }, hidden: true })
  }
}

const challenge = ({ acsUrl, creq, serverTransId }: Authentication): Fields =>
  acsUrl === null || creq === null || serverTransId === null
    ? {}
    : {
        "threeds-stage": "challenge",
        "threeds-server-trans-id": serverTransId,
        "acs-url": acsUrl,
        creq,
        html: IssuerForm.render({ action: acsUrl, fields: { creq }, hidden: false })
      }

const pareqStep = ({ acsUrl, md, pareq }: Authentication, backTo: string): Fields => {
  if (acsUrl === null || pareq === null || md === null) return {}
  const fields = { PaReq: pareq, MD: md, TermUrl: backTo }
  const html = IssuerForm.render({ action: acsUrl, fields, hidden: false })
  return { "threeds-stage": "pareq", "acs-url": acsUrl, pareq, md, html }
}

/**
 * Returns the fields of the browser's step for a merchant who runs 3-D Secure. The issuer sends the browser to the
 * order's `redirect_url`.
 */
const merchants = (order: Order, authentication: Authentication): Fields => {
  const backTo = order.redirectUrl ?? ""
  switch (authentication.stage) {
    case "method":
      return method(authentication, backTo)
    case "challenge":
      return challenge(authentication)
    case "pareq":
      return pareqStep(authentication, backTo)
    default:
      return {}
  }
}

const fields = (order: Order, authentication: Authentication, baseUrl: string): Fields => {
  const word = ThreeDSStages.wireVerdict(authentication)
  if (word !== undefined) return { ...version(authentication), "verified-3d-status": word }
  return {
    ...version(authentication),
    "order-stage": OrderStage.make(TransactionType.ofOrder(order), "3d_validating"),
    ...(authentication.mode === "gateway"
      ? { "redirect-to": ThreeDSAddresses.make(baseUrl, authentication.pageToken).page }
      : merchants(order, authentication))
  }
}

/** Loads the section of `status` about an order's authentication. The merchant's uploads belong to it. */
export const section = Effect.gen(function* () {
  const store = yield* Store
  const publicAddress = yield* PublicAddress
  const loadSections: LoadSection = Effect.fnUntraced(function* (order) {
    const authentication =
      order.hasAuthentication === 1 ? yield* store.load(Authentication, [order.orderId]) : undefined
    return authentication === undefined
      ? undefined
      : {
          fields: fields(order, authentication, publicAddress.baseUrl()),
          owns: (requestId: string) => hasUpload(authentication, requestId)
        }
  })
  return loadSections
})
