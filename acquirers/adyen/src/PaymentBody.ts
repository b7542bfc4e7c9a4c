/** The body of `POST /payments` for an authorisation of the gateway. Card data is revealed here, and nowhere earlier. */
import type { Authorization, BankCard, CardholderProof } from "@pay/gateway/Acquirer"
import { toAdyen } from "./AdyenAmount.ts"
import type { AdyenSettings, Reveal } from "./AdyenSettings.ts"

/** Longest value of `metadata`, in characters. */
const longestMetadata = 80

const cardOf = ({ cardholder, cvv, expireMonth, expireYear, pan }: BankCard, reveal: Reveal) => ({
  type: "scheme",
  number: reveal(pan),
  expiryMonth: String(expireMonth).padStart(2, "0"),
  expiryYear: String(expireYear),
  ...(cvv === undefined ? {} : { cvc: reveal(cvv) }),
  holderName: cardholder
})

/** Returns `mpiData`: the result of an authentication that ended before the payment. The XID is only of version 1. */
const proofOf = (proof: CardholderProof, reveal: Reveal) => ({
  directoryResponse: proof.transStatus,
  authenticationResponse: proof.transStatus,
  threeDSVersion: proof.protocol,
  ...(proof.eci === undefined ? {} : { eci: proof.eci }),
  ...(proof.authenticationValue === undefined ? {} : { cavv: reveal(proof.authenticationValue) }),
  ...(proof.protocol.startsWith("1.") ? { xid: proof.transactionId } : {})
})

/** Returns the body; undefined if Adyen does not take the amount. */
export const paymentBody = (authorization: Authorization, settings: AdyenSettings, reveal: Reveal) => {
  const { authentication, capture, card, clientOrderId, currency, merchantId, reference } = authorization
  const amount = toAdyen(authorization.amountMinor, currency)
  if (amount === undefined) return undefined
  return {
    merchantAccount: settings.merchantAccount,
    reference,
    amount,
    paymentMethod: cardOf(card, reveal),
    returnUrl: settings.returnUrl,
    shopperInteraction: card.cvv === undefined ? "ContAuth" : "Ecommerce",
    // The gateway has authenticated the cardholder, or its endpoint takes payments without. Adyen must not begin on its own.
    authenticationData: { attemptAuthentication: "never" },
    ...(authentication === undefined ? {} : { mpiData: proofOf(authentication, reveal) }),
    ...(capture ? { captureDelayHours: 0 } : { additionalData: { manualCapture: "true" } }),
    metadata: { order: clientOrderId.slice(0, longestMetadata), merchant: merchantId.slice(0, longestMetadata) }
  }
}
