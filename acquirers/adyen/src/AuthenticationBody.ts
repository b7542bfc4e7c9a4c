/** The bodies of an authentication without a payment: it begins with `POST /payments` and goes on with `POST /payments/details`. */
import type { Lookup } from "@pay/gateway/ThreeDSServer"
import { toAdyen } from "./AdyenAmount.ts"
import type { AdyenSettings, Reveal } from "./AdyenSettings.ts"

/** The version of EMV 3-D Secure that is requested. */
export const version = "2.2.0"

/** Longest name of a merchant in a message to an issuer, in characters. */
const longestName = 40

/** Adyen requires every fact about the browser. A screen of size 0 says that it was not measured. */
const browserOf = ({ browser }: Lookup) => ({
  acceptHeader: browser.acceptHeader,
  userAgent: browser.userAgent,
  language: browser.language,
  javaScriptEnabled: browser.javascriptEnabled,
  javaEnabled: browser.javaEnabled ?? false,
  colorDepth: browser.colorDepth ?? 24,
  screenHeight: browser.screenHeight ?? 0,
  screenWidth: browser.screenWidth ?? 0,
  timeZoneOffset: browser.timeZoneMinutes ?? 0
})

/** Returns the body that begins an authentication; undefined if Adyen does not take the amount. */
export const beginning = (lookup: Lookup, { merchantAccount, returnUrl }: AdyenSettings, reveal: Reveal) => {
  const { amountMinor, browser, currency, expireMonth, expireYear, merchantName, notificationUrl, pan, reference } =
    lookup
  const amount = toAdyen(amountMinor, currency)
  const shopperIP: string | undefined = browser.ip
  if (amount === undefined) return undefined
  return {
    merchantAccount,
    reference,
    amount,
    returnUrl,
    paymentMethod: {
      type: "scheme",
      number: reveal(pan),
      expiryMonth: String(expireMonth).padStart(2, "0"),
      expiryYear: String(expireYear)
    },
    channel: "Web",
    origin: new URL(notificationUrl).origin,
    browserInfo: browserOf(lookup),
    ...(shopperIP === undefined ? {} : { shopperIP }),
    authenticationData: {
      attemptAuthentication: "always",
      authenticationOnly: true,
      threeDSRequestData: { nativeThreeDS: "preferred", threeDSVersion: version }
    },
    threeDS2RequestData: { notificationURL: notificationUrl, merchantName: merchantName.slice(0, longestName) }
  }
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64")

/** Returns the body that says how the method step ended. */
export const fingerprint = (session: string, threeDSCompInd: string) => ({
  details: { "threeds2.fingerprint": encoded({ threeDSCompInd }) },
  paymentData: session
})

/** Returns the body that says that the challenge has ended. Its result is the one that Adyen has from the issuer itself. */
export const challengeEnd = (session: string) => ({
  details: { "threeds2.challengeResult": encoded({ transStatus: "Y" }) },
  paymentData: session
})
