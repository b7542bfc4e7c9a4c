/** The gateway's own addresses of one authentication (endpoint setting `threeds: gateway`), each under its page token. */

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
