/**
 * The addresses of the gateway's own 3-D Secure pages of one authentication (endpoint setting `threeds: gateway`). Each contains
 * the page token.
 */
import * as ThreeDS from "@pay/schema/ThreeDS"
import type { Authentication } from "./Authentication.ts"

export interface Addresses {
  /** The value of `redirect-to`: the page to which the merchant sends the browser. */
  readonly page: string
  /** The value of `threeDSMethodNotificationURL`: the issuer posts `threeDSMethodData` here, inside the hidden frame. */
  readonly method: string
  /** The value of `notificationURL`: the issuer sends the browser here with `cres`. */
  readonly challenge: string
  /** The value of `TermUrl`: the issuer sends the browser here with `PaRes` and `MD`. */
  readonly pares: string
}

export const make = (baseUrl: string, pageToken: string): Addresses => {
  const page = `${baseUrl}/3ds/${pageToken}`
  return { page, method: `${page}/method`, challenge: `${page}/challenge`, pares: `${page}/pares` }
}

/**
 * Returns `threeDSMethodData`, which the browser posts to the issuer in the method step (EMV 3-D Secure, 3DS Method). The issuer
 * posts to `notificationUrl` when the step has ended.
 */
export const methodData = ({ serverTransId }: Authentication, notificationUrl: string): string =>
  ThreeDS.methodData.encode({
    threeDSServerTransID: serverTransId ?? "",
    threeDSMethodNotificationURL: notificationUrl
  })
