// Written by `npm run docs` from the contract. Do not edit.

import type { Order } from "./Answers.ts"
import type { Browser, Card, Customer, Fields, Some } from "./Fields.ts"

/** The fields of flows, by method. */
export interface FlowInputs {
  /** Charges a card at once. Uses 3-D Secure if the endpoint requires it. */
  cardSale: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData" | "destinationCardNo" | "endpointId"> & { readonly card: Some<Card, "holder" | "number" | "expireMonth" | "expireYear", "cvv">; readonly customer: Some<Customer, "address1" | "city" | "country" | "email" | "ipAddress", "zipCode" | "state" | "phone" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone">; readonly browser?: Some<Browser, never, "info" | "acceptHeader" | "userAgent" | "acceptLanguage" | "javascriptEnabled" | "javaEnabled" | "colorDepth" | "screenHeight" | "screenWidth" | "timeZone"> | undefined }
  /** Authorizes an amount on a card without capturing it. */
  authorize: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData" | "destinationCardNo" | "endpointId"> & { readonly card: Some<Card, "holder" | "number" | "expireMonth" | "expireYear", "cvv">; readonly customer: Some<Customer, "address1" | "city" | "country" | "email" | "ipAddress", "zipCode" | "state" | "phone" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone">; readonly browser?: Some<Browser, never, "info" | "acceptHeader" | "userAgent" | "acceptLanguage" | "javascriptEnabled" | "javaEnabled" | "colorDepth" | "screenHeight" | "screenWidth" | "timeZone"> | undefined }
  /** Verifies a card with its issuer without charging it. */
  verifyCard: Some<Fields, "clientOrderId", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData" | "endpointId"> & { readonly customer: Some<Customer, "address1" | "city" | "country" | "email" | "ipAddress", "zipCode" | "state" | "phone" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone">; readonly card: Some<Card, "holder" | "number" | "expireMonth" | "expireYear", "cvv">; readonly browser?: Some<Browser, never, "info" | "acceptHeader" | "userAgent" | "acceptLanguage" | "javascriptEnabled" | "javaEnabled" | "colorDepth" | "screenHeight" | "screenWidth" | "timeZone"> | undefined }
  /** Stores a card at the gateway without charging it and returns its reference. */
  keepCard: Some<Fields, "clientOrderId", "endpointId"> & { readonly card: Some<Card, "number" | "expireMonth" | "expireYear", "holder"> }
  /** Charges a stored card without the cardholder. */
  rebill: Some<Fields, "clientOrderId" | "cardRefId" | "amount" | "currency", "orderDesc" | "reason" | "redirectUrl" | "serverCallbackUrl" | "notifyUrl" | "enumerateAmounts" | "recurrentScenario" | "recurrentInitiator" | "endpointId"> & { readonly customer: Some<Customer, "ipAddress">; readonly card?: Some<Card, never, "cvv"> | undefined }
  /** Creates a recurring payment. Its first order charges the card or verifies it. */
  subscribe: Some<Fields, "clientOrderId" | "amount" | "currency" | "period" | "interval", "orderDesc" | "startDate" | "finishDate" | "occurrences" | "rpCardType" | "cardRefId" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "endpointId"> & { readonly card?: Some<Card, never, "holder" | "number" | "expireMonth" | "expireYear" | "cvv"> | undefined; readonly customer: Some<Customer, "address1" | "city" | "country" | "email", "zipCode" | "state" | "phone" | "ipAddress" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone"> }
  /** Charges a recurring payment now. The schedule does not change. */
  chargeSubscription: Some<Fields, "clientOrderId" | "recurringPaymentId", "amount" | "currency" | "orderDesc" | "serverCallbackUrl" | "notifyUrl" | "endpointId"> & { readonly customer?: Some<Customer, never, "ipAddress"> | undefined; readonly card?: Some<Card, never, "cvv"> | undefined }
  /** Changes the amount or the card of a recurring payment, or pauses, resumes or cancels it. */
  changeSubscription: Some<Fields, "recurringPaymentId" | "change" | "name", "amount" | "currency" | "cardRefId" | "endpointId"> & { readonly card?: Some<Card, never, "holder" | "number" | "expireMonth" | "expireYear" | "cvv"> | undefined }
  /** Pays out to a card, bank account, e-wallet or phone in one step. */
  payOut: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "purpose" | "merchantData" | "creditCardNumber" | "cardPrintedName" | "expireMonth" | "expireYear" | "accountNumber" | "accountName" | "bankName" | "bankBranch" | "bankCode" | "bankAddress1" | "bankZipCode" | "bankCity" | "bankProvince" | "bankArea" | "routingNumber" | "ewalletId" | "ewalletType" | "phone" | "country" | "ipAddress" | "firstName" | "lastName" | "email" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "endpointId">
  /** Pays out in one step, signed with the control key instead of an RSA key. */
  payOutV2: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "purpose" | "merchantData" | "creditCardNumber" | "cardPrintedName" | "expireMonth" | "expireYear" | "accountNumber" | "accountName" | "bankName" | "bankBranch" | "bankCode" | "bankAddress1" | "bankZipCode" | "bankCity" | "bankProvince" | "bankArea" | "routingNumber" | "ewalletId" | "ewalletType" | "phone" | "country" | "ipAddress" | "firstName" | "lastName" | "email" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "endpointId">
  /** Checks the recipient of a payout and holds the amount on the balance. */
  checkPayOut: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "purpose" | "merchantData" | "creditCardNumber" | "cardPrintedName" | "expireMonth" | "expireYear" | "accountNumber" | "accountName" | "bankName" | "bankBranch" | "bankCode" | "bankAddress1" | "bankZipCode" | "bankCity" | "bankProvince" | "bankArea" | "routingNumber" | "ewalletId" | "ewalletType" | "phone" | "country" | "ipAddress" | "firstName" | "lastName" | "email" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "endpointId">
  /** Moves money from a card, or from the merchant's balance, to a card. */
  transfer: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "cardRecurringPaymentId" | "destinationCardNo" | "destinationCardRecurringPaymentId" | "deposit2card" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "endpointId"> & { readonly customer?: Some<Customer, never, "ipAddress"> | undefined; readonly card?: Some<Card, never, "holder" | "number" | "expireMonth" | "expireYear" | "cvv"> | undefined }
  /** Moves money to a card from a stored card, or from the merchant's balance. */
  transferByRef: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "sourceCardRefId" | "destinationCardNo" | "destinationCardRefId" | "serverCallbackUrl" | "notifyUrl" | "endpointId"> & { readonly customer?: Some<Customer, never, "ipAddress"> | undefined }
  /** Checks whether a card can send money. */
  canSend: Some<Fields, "clientOrderId", "sendingCardRefId" | "sendingCardNumber" | "serverCallbackUrl" | "notifyUrl" | "endpointId"> & { readonly card?: Some<Card, never, "holder" | "expireMonth" | "expireYear"> | undefined }
}

/** The results of flows that succeed, by method. */
export interface FlowOutputs {
  /** Charges a card at once. Uses 3-D Secure if the endpoint requires it. */
  cardSale: { readonly order: Order }
  /** Authorizes an amount on a card without capturing it. */
  authorize: { readonly order: Order }
  /** Verifies a card with its issuer without charging it. */
  verifyCard: { readonly order: Order }
  /** Stores a card at the gateway without charging it and returns its reference. */
  keepCard: { readonly cardRefId: string }
  /** Charges a stored card without the cardholder. */
  rebill: { readonly order: Order }
  /** Creates a recurring payment. Its first order charges the card or verifies it. */
  subscribe: { readonly recurringPaymentId: string; readonly nextChargeDate?: string; readonly order: Order }
  /** Charges a recurring payment now. The schedule does not change. */
  chargeSubscription: { readonly order: Order }
  /** Changes the amount or the card of a recurring payment, or pauses, resumes or cancels it. */
  changeSubscription: { readonly recurringPaymentId: string; readonly status?: string; readonly nextChargeDate?: string }
  /** Pays out to a card, bank account, e-wallet or phone in one step. */
  payOut: { readonly order: Order }
  /** Pays out in one step, signed with the control key instead of an RSA key. */
  payOutV2: { readonly order: Order }
  /** Checks the recipient of a payout and holds the amount on the balance. */
  checkPayOut: { readonly order: Order }
  /** Moves money from a card, or from the merchant's balance, to a card. */
  transfer: { readonly order: Order }
  /** Moves money to a card from a stored card, or from the merchant's balance. */
  transferByRef: { readonly order: Order }
  /** Checks whether a card can send money. */
  canSend: { readonly order: Order }
}

/** The fields of actions on an order, by method. The order itself is a separate argument. */
export interface ActionInputs {
  /** Captures a part of an authorization, or all that is left. */
  capture: Some<Fields, "name", "amount" | "currency" | "reason" | "serverCallbackUrl" | "notifyUrl" | "endpointId">
  /** Voids what an authorization still holds. */
  void: Some<Fields, never, "reason" | "serverCallbackUrl" | "notifyUrl" | "endpointId" | "name">
  /** Refunds a part of a payment, or all of it. */
  refund: Some<Fields, "name", "amount" | "currency" | "reason" | "serverCallbackUrl" | "notifyUrl" | "endpointId">
  /** Stores the card of an approved order at the gateway and returns its reference. */
  storeCard: Some<Fields, never, "endpointId">
  /** Pays a payout that `CheckPayOut` has checked. */
  payChecked: Some<Fields, never, "serverCallbackUrl" | "notifyUrl" | "endpointId">
  /** Waits for the final status of an order, or of one request about it. */
  awaitFinal: Some<Fields, never, "serialNumber" | "endpointId">
}

/** The results of actions on an order that succeed, by method. */
export interface ActionOutputs {
  /** Captures a part of an authorization, or all that is left. */
  capture: { readonly order: Order }
  /** Voids what an authorization still holds. */
  void: { readonly order: Order }
  /** Refunds a part of a payment, or all of it. */
  refund: { readonly order: Order }
  /** Stores the card of an approved order at the gateway and returns its reference. */
  storeCard: { readonly cardRefId: string }
  /** Pays a payout that `CheckPayOut` has checked. */
  payChecked: { readonly order: Order }
  /** Waits for the final status of an order, or of one request about it. */
  awaitFinal: { readonly order: Order }
}

/** The fields of payments on a page of the gateway, by method of `hosted`. */
export interface HostedInputs {
  /** Makes the order of `HostedSale` and returns the address of its page. */
  sale: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData" | "endpointId"> & { readonly customer: Some<Customer, "address1" | "city" | "country" | "email" | "ipAddress", "zipCode" | "state" | "phone" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone"> }
  /** Makes the order of `HostedAuthorization` and returns the address of its page. */
  authorize: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData" | "endpointId"> & { readonly customer: Some<Customer, "address1" | "city" | "country" | "email" | "ipAddress", "zipCode" | "state" | "phone" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone"> }
  /** Makes the order of `HostedPayment` and returns the address of its page. */
  payment: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData" | "endpointId"> & { readonly customer: Some<Customer, "address1" | "city" | "country" | "email" | "ipAddress", "zipCode" | "state" | "phone" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone"> }
  /** Makes the order of `HostedVerification` and returns the address of its page. */
  verify: Some<Fields, "clientOrderId", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData" | "endpointId"> & { readonly customer: Some<Customer, "address1" | "city" | "country" | "email" | "ipAddress", "zipCode" | "state" | "phone" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone"> }
  /** Makes the order of `HostedPayOut` and returns the address of its page. */
  payOut: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "purpose" | "merchantData" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "endpointId"> & { readonly customer?: Some<Customer, never, "ipAddress"> | undefined }
}

/** The order, and the page of the gateway for it. Send the customer's browser to `url`. */
export interface HostedPage {
  readonly clientOrderId: string
  readonly orderId: string
  readonly url: string
}
