/** The body of `POST /payments` for an authorisation of the gateway. Card data is revealed here, and nowhere earlier. */
import type { Authorization, BankCard, CardholderProof, Customer, StoredCredential } from "@pay/gateway/Acquirer"
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
  ...(proof.dsTransId === undefined ? {} : { dsTransID: proof.dsTransId }),
  ...(proof.protocol.startsWith("1.") ? { xid: proof.transactionId } : {})
})

/** Adyen's words for a series of payments (https://docs.adyen.com/online-payments/tokenization). */
const processingModels: Readonly<Record<StoredCredential["series"], string>> = {
  cardOnFile: "CardOnFile",
  recurring: "Subscription",
  instalment: "Subscription",
  unscheduled: "UnscheduledCardOnFile"
}

/** Returns who starts the payment, and how it uses a stored card. Adyen itself stores nothing: the gateway keeps the card. */
const initiationOf = ({ card, credential, initiator }: Authorization) => ({
  shopperInteraction:
    credential?.use === "use" || initiator === "merchant" || (initiator === undefined && card.cvv === undefined)
      ? "ContAuth"
      : "Ecommerce",
  ...(credential === undefined ? {} : { recurringProcessingModel: processingModels[credential.series] })
})

/** Adyen takes an address only as a whole. The gateway has the house number in the street. */
const addressOf = ({ billing }: Customer) => {
  const { city, country, postalCode, state, street } = billing ?? {}
  if (city === undefined || country === undefined || postalCode === undefined || street === undefined) return {}
  const place = { city, country, postalCode, street, houseNumberOrName: "" }
  return { billingAddress: state === undefined ? place : { ...place, stateOrProvince: state } }
}

const customerOf = (customer: Customer) => {
  const { billing, email, ipAddress, phone } = customer
  const { firstName, lastName } = billing ?? {}
  return {
    ...(email === undefined ? {} : { shopperEmail: email }),
    ...(ipAddress === undefined ? {} : { shopperIP: ipAddress }),
    ...(phone === undefined ? {} : { telephoneNumber: phone }),
    ...(firstName === undefined || lastName === undefined ? {} : { shopperName: { firstName, lastName } }),
    ...addressOf(customer)
  }
}

/** Returns the merchant account of a request: the number of its terminal, or that of the settings. */
export const merchantAccountOf = ({ terminal }: Pick<Authorization, "terminal">, settings: AdyenSettings): string =>
  terminal?.mid ?? settings.merchantAccount

/** Returns the body; undefined if Adyen does not take the amount. The same authorisation always has the same body. */
export const paymentBody = (authorization: Authorization, settings: AdyenSettings, reveal: Reveal) => {
  const { authentication, capture, card, clientOrderId, credential, customer, descriptor, merchantId, reference } =
    authorization
  const amount = toAdyen(authorization.amountMinor, authorization.currency)
  if (amount === undefined) return undefined
  const { categoryCode } = authorization.terminal ?? {}
  const scheme = credential?.use === "use" ? credential.schemeReference?.id : undefined
  return {
    merchantAccount: merchantAccountOf(authorization, settings),
    reference,
    amount,
    paymentMethod: { ...cardOf(card, reveal), ...(scheme === undefined ? {} : { networkPaymentReference: scheme }) },
    returnUrl: settings.returnUrl,
    ...initiationOf(authorization),
    // The gateway has authenticated the cardholder, or its endpoint takes payments without. Adyen must not begin on its own.
    authenticationData: { attemptAuthentication: "never" },
    ...(authentication === undefined ? {} : { mpiData: proofOf(authentication, reveal) }),
    ...(capture ? { captureDelayHours: 0 } : { additionalData: { manualCapture: "true" } }),
    ...(categoryCode === undefined ? {} : { mcc: categoryCode }),
    ...(descriptor === undefined ? {} : { shopperStatement: descriptor }),
    ...(customer === undefined ? {} : customerOf(customer)),
    metadata: { order: clientOrderId.slice(0, longestMetadata), merchant: merchantId.slice(0, longestMetadata) }
  }
}
