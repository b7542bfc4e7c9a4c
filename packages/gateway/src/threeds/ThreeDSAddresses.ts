/** The gateway's own addresses of one authentication (endpoint setting `threeds: gateway`), each under its page token. */
import * as ThreeDS from "@pay/schema/ThreeDS"
import type { Authentication } from "./Authentication.ts"

export interface Addresses {
  /** `redirect-to`: where the merchant sends the browser. */
  readonly page: string
  /** `threeDSMethodNotificationURL`: the issuer posts `threeDSMethodData` here, inside the hidden frame. */
  readonly method: string
  /** `notificationURL`: the issuer sends the browser here with `cres`. */
  readonly challenge: string
  /** `TermUrl`: the issuer sends the browser here with `PaRes` and `MD`. */
  readonly pares: string
}

export const make = (baseUrl: string, pageToken: string): Addresses => {
  const page = `${baseUrl}/3ds/${pageToken}`
  return { page, method: `${page}/method`, challenge: `${page}/challenge`, pares: `${page}/pares` }
}

/** `threeDSMethodData`, which the browser posts to the issuer in the method step (EMV 3-D Secure, 3DS Method); the issuer posts to `notificationUrl` when it is done. */
export const methodData = ({ serverTransId }: Authentication, notificationUrl: string): string =>
  ThreeDS.methodData.encode({
    threeDSServerTransID: serverTransId ?? "",
    threeDSMethodNotificationURL: notificationUrl
  })
