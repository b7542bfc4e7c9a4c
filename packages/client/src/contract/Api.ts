// Written by `npm run docs` from the contract. Do not edit.

import type { AnswerFields } from "./Answers.ts"
import type { Browser, Card, Customer, Fields, Some } from "./Fields.ts"

/** The names of operations in the contract. */
export type OperationName = "TDS_UPLOAD_CRES_RESULT" | "TDS_UPLOAD_METHOD_URL_RESULT" | "TDS_UPLOAD_PARES_RESULT" | "ACCOUNT_VERIFICATION_FORM" | "ACCOUNT_VERIFICATION" | "CAPTURE" | "CARDREF" | "CARDINFO" | "REBILL" | "PAYMENTFORM" | "PAYOUTFORM" | "PAYOUT" | "PREAUTHFORM" | "PREAUTH" | "RETURN" | "SALEFORM" | "SALE" | "STATUS" | "VOID" | "CARDREF_V4" | "CREATE_RP_V4" | "PAYOUT_V4_CHECK" | "PAYOUT_V4_PAY" | "PAN_ELIGIBILITY_SEND" | "TRANSFER_V4" | "TRANSFER_BY_REF_V4" | "PAYOUT_V4" | "PROCESS_RP_V4" | "UPDATE_RP_V4" | "SYNC_ACCOUNT_VERIFICATION" | "TRANSFERFORM" | "TRANSFER_BY_REF" | "REBILL_SALE" | "REBILL_PREAUTH" | "SALE_V4" | "STATUS_V4"

/** The fields of single operations, by method of `api`. */
export interface ApiInputs {
  /** Uploads the challenge response (CRes) that the issuer returned at the end of a 3DS 2 challenge. */
  tdsUploadCresResult: Some<Fields, "clientOrderId" | "orderId" | "cRes", "serverCallbackUrl" | "notifyUrl">
  /** Uploads the result of the 3DS 2 Method step and what is known of the browser. */
  tdsUploadMethodUrlResult: Some<Fields, "clientOrderId" | "orderId" | "threeDSCompInd" | "threeDSServerTransID", "browserAcceptHeader" | "browserIP" | "browserJavaEnabled" | "browserJavascriptEnabled" | "browserLanguage" | "browserColorDepth" | "browserScreenHeight" | "browserScreenWidth" | "browserTZ" | "browserUserAgent" | "serverCallbackUrl" | "notifyUrl">
  /** Uploads the payer authentication response (PaRes) of a 3DS 1.0.2 flow. */
  tdsUploadParesResult: Some<Fields, "clientOrderId" | "orderId" | "paRes", "md" | "serverCallbackUrl" | "notifyUrl">
  /** Account verification whose card data the customer enters on the hosted page. */
  accountVerificationForm: Some<Fields, "clientOrderId", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData"> & { readonly customer: Some<Customer, "address1" | "city" | "zipCode" | "country" | "email" | "ipAddress", "state" | "phone" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone"> }
  /** A zero-amount authorization that confirms the card account is in good standing. */
  accountVerification: Some<Fields, "clientOrderId", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData"> & { readonly customer: Some<Customer, "address1" | "city" | "zipCode" | "country" | "email" | "ipAddress", "state" | "phone" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone">; readonly card: Some<Card, "holder" | "number" | "expireMonth" | "expireYear" | "cvv">; readonly browser?: Some<Browser, never, "info" | "acceptHeader" | "userAgent" | "acceptLanguage" | "javascriptEnabled" | "javaEnabled" | "colorDepth" | "screenHeight" | "screenWidth" | "timeZone"> | undefined }
  /** Settles what a preauth reserved: a part with amount and currency, else all that is left. */
  capture: Some<Fields, "clientOrderId" | "orderId", "amount" | "currency" | "reason" | "serverCallbackUrl" | "notifyUrl">
  /** Stores the card of an approved order and answers with its reference. */
  cardref: Some<Fields, "clientOrderId" | "orderId">
  /** Tells brand, first and last digits and expiry of a stored card. */
  cardinfo: Some<Fields, "cardRefId">
  /** Charges a stored card while its holder is absent. */
  rebill: Some<Fields, "clientOrderId" | "cardRefId" | "amount" | "currency", "orderDesc" | "reason" | "redirectUrl" | "serverCallbackUrl" | "notifyUrl" | "enumerateAmounts" | "recurrentScenario" | "recurrentInitiator"> & { readonly customer: Some<Customer, "ipAddress">; readonly card?: Some<Card, never, "cvv"> | undefined }
  /** The universal hosted form. Its one method is the card: a sale whose card data the customer enters there, as sale-form. */
  paymentform: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData"> & { readonly customer: Some<Customer, "address1" | "city" | "zipCode" | "country" | "phone" | "email" | "ipAddress", "state" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone"> }
  /** A payout whose destination the recipient enters on the hosted page. */
  payoutform: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "purpose" | "merchantData" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl"> & { readonly customer?: Some<Customer, never, "ipAddress"> | undefined }
  /** Pays out to a card, bank account, e-wallet or phone in one step. */
  payout: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "purpose" | "merchantData" | "creditCardNumber" | "cardPrintedName" | "expireMonth" | "expireYear" | "accountNumber" | "accountName" | "bankName" | "bankBranch" | "bankCode" | "bankAddress1" | "bankZipCode" | "bankCity" | "bankProvince" | "bankArea" | "routingNumber" | "ewalletId" | "ewalletType" | "phone" | "ipAddress" | "firstName" | "lastName" | "email" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl">
  /** A preauth whose card data the customer enters on the hosted page. */
  preauthform: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData"> & { readonly customer: Some<Customer, "address1" | "city" | "zipCode" | "country" | "phone" | "email" | "ipAddress", "state" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone"> }
  /** Reserves money on a card without settling it; a capture settles it, a void releases it. */
  preauth: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData" | "destinationCardNo"> & { readonly card: Some<Card, "holder" | "number" | "expireMonth" | "expireYear" | "cvv">; readonly customer: Some<Customer, "address1" | "city" | "zipCode" | "country" | "phone" | "email" | "ipAddress", "state" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone">; readonly browser?: Some<Browser, never, "info" | "acceptHeader" | "userAgent" | "acceptLanguage" | "javascriptEnabled" | "javaEnabled" | "colorDepth" | "screenHeight" | "screenWidth" | "timeZone"> | undefined }
  /** Gives money back: cancels a preauth, reverses or refunds a sale or capture, in part or in whole. */
  return: Some<Fields, "clientOrderId" | "orderId", "amount" | "currency" | "reason" | "serverCallbackUrl" | "notifyUrl">
  /** A sale whose card data the customer enters on the hosted page. */
  saleform: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData"> & { readonly customer: Some<Customer, "address1" | "city" | "zipCode" | "country" | "phone" | "email" | "ipAddress", "state" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone"> }
  /** Charges a card at once: authorization and capture in one request, with or without 3-D Secure. */
  sale: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData" | "destinationCardNo"> & { readonly card: Some<Card, "holder" | "number" | "expireMonth" | "expireYear" | "cvv">; readonly customer: Some<Customer, "address1" | "city" | "zipCode" | "country" | "phone" | "email" | "ipAddress", "state" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone">; readonly browser?: Some<Browser, never, "info" | "acceptHeader" | "userAgent" | "acceptLanguage" | "javascriptEnabled" | "javaEnabled" | "colorDepth" | "screenHeight" | "screenWidth" | "timeZone"> | undefined }
  /** Returns the status of an order, by orderid, by client_orderid, or by both. */
  status: Some<Fields, never, "clientOrderId" | "orderId" | "byRequestSn">
  /** Releases what a preauth reserved and no capture has settled. */
  void: Some<Fields, "clientOrderId" | "orderId", "amount" | "currency" | "reason" | "serverCallbackUrl" | "notifyUrl">
  /** Stores the card of an approved order, or the card given in the request. */
  cardrefV4: Some<Fields, "clientOrderId", "orderId"> & { readonly card?: Some<Card, never, "holder" | "number" | "expireMonth" | "expireYear" | "cvv"> | undefined }
  /** Creates a recurring payment: a card, an amount and a schedule. */
  createRpV4: Some<Fields, "clientOrderId" | "amount" | "currency" | "period" | "interval", "orderDesc" | "startDate" | "finishDate" | "occurrences" | "rpCardType" | "cardRefId" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl"> & { readonly card?: Some<Card, never, "holder" | "number" | "expireMonth" | "expireYear" | "cvv"> | undefined; readonly customer: Some<Customer, "address1" | "city" | "zipCode" | "country" | "email", "state" | "phone" | "ipAddress" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone"> }
  /** Step one of a payout: checks the recipient and registers the request without releasing money. */
  payoutV4Check: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "purpose" | "merchantData" | "creditCardNumber" | "cardPrintedName" | "expireMonth" | "expireYear" | "accountNumber" | "accountName" | "bankName" | "bankBranch" | "bankCode" | "bankAddress1" | "bankZipCode" | "bankCity" | "bankProvince" | "bankArea" | "routingNumber" | "ewalletId" | "ewalletType" | "phone" | "ipAddress" | "firstName" | "lastName" | "email" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl">
  /** Step two of a payout: executes what a payout-check registered, exactly once. */
  payoutV4Pay: Some<Fields, "clientOrderId" | "orderId", "serverCallbackUrl" | "notifyUrl">
  /** Asks whether a card can send money. */
  panEligibilitySend: Some<Fields, "clientOrderId", "sendingCardRefId" | "sendingCardNumber" | "serverCallbackUrl" | "notifyUrl"> & { readonly card?: Some<Card, never, "holder" | "expireMonth" | "expireYear"> | undefined }
  /** Moves money from a card, or from the merchant's balance, to a card. */
  transferV4: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "cardRecurringPaymentId" | "destinationCardNo" | "destinationCardRecurringPaymentId" | "deposit2card" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl"> & { readonly customer?: Some<Customer, never, "ipAddress"> | undefined; readonly card?: Some<Card, never, "holder" | "number" | "expireMonth" | "expireYear" | "cvv"> | undefined }
  /** Moves money to a card from a stored card, or from the merchant's balance where none is named. */
  transferByRefV4: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "sourceCardRefId" | "destinationCardNo" | "destinationCardRefId" | "serverCallbackUrl" | "notifyUrl"> & { readonly customer?: Some<Customer, never, "ipAddress"> | undefined }
  /** Pays out to a card, bank account, e-wallet or phone in one step, signed with the merchant's RSA key. */
  payoutV4: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "purpose" | "merchantData" | "creditCardNumber" | "cardPrintedName" | "expireMonth" | "expireYear" | "accountNumber" | "accountName" | "bankName" | "bankBranch" | "bankCode" | "bankAddress1" | "bankZipCode" | "bankCity" | "bankProvince" | "bankArea" | "routingNumber" | "ewalletId" | "ewalletType" | "phone" | "ipAddress" | "firstName" | "lastName" | "email" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl">
  /** Charges a recurring payment now, as an order of its own; the schedule does not move. */
  processRpV4: Some<Fields, "clientOrderId" | "recurringPaymentId", "amount" | "currency" | "orderDesc" | "serverCallbackUrl" | "notifyUrl"> & { readonly customer?: Some<Customer, never, "ipAddress"> | undefined; readonly card?: Some<Card, never, "cvv"> | undefined }
  /** Changes amount or card of a recurring payment, pauses, resumes or cancels it. */
  updateRpV4: Some<Fields, "recurringPaymentId", "amount" | "currency" | "cardRefId"> & { readonly card?: Some<Card, never, "holder" | "number" | "expireMonth" | "expireYear" | "cvv"> | undefined; readonly change?: "pause" | "resume" | "cancel" | undefined }
  /** An account verification that is answered with its status once that is final, or after a while. */
  syncAccountVerification: Some<Fields, "clientOrderId", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData"> & { readonly customer: Some<Customer, "address1" | "city" | "zipCode" | "country" | "email" | "ipAddress", "state" | "phone" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone">; readonly card: Some<Card, "holder" | "number" | "expireMonth" | "expireYear" | "cvv">; readonly browser?: Some<Browser, never, "info" | "acceptHeader" | "userAgent" | "acceptLanguage" | "javascriptEnabled" | "javaEnabled" | "colorDepth" | "screenHeight" | "screenWidth" | "timeZone"> | undefined }
  /** A transfer from card to card whose payer enters the card data on the hosted page, and the receiving card where the request names none. */
  transferform: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData" | "destinationCardNo" | "destinationCardRefId"> & { readonly customer: Some<Customer, "address1" | "city" | "zipCode" | "country" | "phone" | "email" | "ipAddress", "state" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone"> }
  /** Moves money to a stored card from another one, or from the merchant's balance where none is named. */
  transferByRef: Some<Fields, "clientOrderId" | "destinationCardRefId" | "amount" | "currency", "sourceCardRefId" | "orderDesc" | "serverCallbackUrl" | "notifyUrl"> & { readonly customer?: Some<Customer, never, "ipAddress"> | undefined; readonly card?: Some<Card, never, "cvv"> | undefined }
  /** Charges a stored card while its holder is absent, as make-rebill does. */
  rebillSale: Some<Fields, "clientOrderId" | "cardRefId" | "amount" | "currency", "orderDesc" | "reason" | "redirectUrl" | "serverCallbackUrl" | "notifyUrl" | "enumerateAmounts" | "recurrentScenario" | "recurrentInitiator"> & { readonly customer: Some<Customer, "ipAddress">; readonly card?: Some<Card, never, "cvv"> | undefined }
  /** Reserves money on a stored card while its holder is absent; a capture settles it, a void releases it. */
  rebillPreauth: Some<Fields, "clientOrderId" | "cardRefId" | "amount" | "currency", "orderDesc" | "reason" | "redirectUrl" | "serverCallbackUrl" | "notifyUrl" | "recurrentScenario" | "recurrentInitiator"> & { readonly customer: Some<Customer, "ipAddress">; readonly card?: Some<Card, never, "cvv"> | undefined }
  /** A sale, signed with the merchant's RSA key. */
  saleV4: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData" | "destinationCardNo"> & { readonly card: Some<Card, "holder" | "number" | "expireMonth" | "expireYear" | "cvv">; readonly customer: Some<Customer, "address1" | "city" | "zipCode" | "country" | "phone" | "email" | "ipAddress", "state" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone">; readonly browser?: Some<Browser, never, "info" | "acceptHeader" | "userAgent" | "acceptLanguage" | "javascriptEnabled" | "javaEnabled" | "colorDepth" | "screenHeight" | "screenWidth" | "timeZone"> | undefined }
  /** Returns the status of an order, signed with the merchant's RSA key. */
  statusV4: Some<Fields, never, "clientOrderId" | "orderId" | "byRequestSn">
}

/** The answers to single operations, by method of `api`. */
export interface ApiAnswers {
  tdsUploadCresResult: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  tdsUploadMethodUrlResult: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  tdsUploadParesResult: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  accountVerificationForm: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId" | "redirectUrl", "endPointId" | "status">
  accountVerification: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  capture: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  cardref: Some<AnswerFields, "type" | "serialNumber" | "cardRefId", "status" | "unqCardRefId" | "paynetOrderId" | "merchantOrderId" | "endPointId">
  cardinfo: Some<AnswerFields, "type" | "serialNumber" | "bin" | "lastFourDigits" | "expireMonth" | "expireYear", "cardType" | "maskedPan" | "cardPrintedName">
  rebill: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  paymentform: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId" | "redirectUrl", "endPointId" | "status">
  payoutform: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId" | "redirectUrl", "endPointId" | "status">
  payout: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  preauthform: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId" | "redirectUrl", "endPointId" | "status">
  preauth: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  return: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  saleform: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId" | "redirectUrl", "endPointId" | "status">
  sale: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  status: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId" | "status", "endPointId" | "transactionType" | "amount" | "currency" | "authorizedAmount" | "capturedAmount" | "returnedAmount" | "remainingAmount" | "totalReversalAmount" | "gatePartialCapture" | "gatePartialReversal" | "name" | "cardholderName" | "email" | "phone" | "merchantdata" | "bin" | "lastFourDigits" | "cardType" | "cardExpMonth" | "cardExpYear" | "destination" | "destBin" | "destLastFourDigits" | "destCardType" | "orderStage" | "descriptor" | "processorTxId" | "approvalCode" | "paynetProcessingDate" | "byRequestSn" | "recurringPaymentId" | "recurringPaymentStatus" | "nextChargeDate" | "transactionId" | "payoutId" | "redirectTo" | "html" | "verified3dStatus" | "threedsStage" | "threedsVersion" | "threedsServerTransId" | "threedsMethodUrl" | "threedsMethodData" | "acsUrl" | "creq" | "pareq" | "md" | "errorCode" | "errorMessage">
  void: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  cardrefV4: Some<AnswerFields, "type" | "serialNumber" | "cardRefId", "status" | "unqCardRefId" | "paynetOrderId" | "merchantOrderId" | "endPointId" | "recurringPaymentId" | "dstRecurringPaymentId">
  createRpV4: Some<AnswerFields, "type" | "serialNumber" | "recurringPaymentId", "status" | "nextChargeDate" | "paynetOrderId" | "merchantOrderId" | "endPointId">
  payoutV4Check: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  payoutV4Pay: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  panEligibilitySend: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  transferV4: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  transferByRefV4: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  payoutV4: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  processRpV4: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  updateRpV4: Some<AnswerFields, "type" | "serialNumber" | "recurringPaymentId", "status" | "nextChargeDate" | "endPointId">
  syncAccountVerification: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId" | "status", "endPointId" | "transactionType" | "amount" | "currency" | "authorizedAmount" | "capturedAmount" | "returnedAmount" | "remainingAmount" | "totalReversalAmount" | "gatePartialCapture" | "gatePartialReversal" | "name" | "cardholderName" | "email" | "phone" | "merchantdata" | "bin" | "lastFourDigits" | "cardType" | "cardExpMonth" | "cardExpYear" | "destination" | "destBin" | "destLastFourDigits" | "destCardType" | "orderStage" | "descriptor" | "processorTxId" | "approvalCode" | "paynetProcessingDate" | "byRequestSn" | "recurringPaymentId" | "recurringPaymentStatus" | "nextChargeDate" | "transactionId" | "payoutId" | "redirectTo" | "html" | "verified3dStatus" | "threedsStage" | "threedsVersion" | "threedsServerTransId" | "threedsMethodUrl" | "threedsMethodData" | "acsUrl" | "creq" | "pareq" | "md" | "errorCode" | "errorMessage">
  transferform: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId" | "redirectUrl", "endPointId" | "status">
  transferByRef: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  rebillSale: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  rebillPreauth: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  saleV4: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  statusV4: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId" | "status", "endPointId" | "transactionType" | "amount" | "currency" | "authorizedAmount" | "capturedAmount" | "returnedAmount" | "remainingAmount" | "totalReversalAmount" | "gatePartialCapture" | "gatePartialReversal" | "name" | "cardholderName" | "email" | "phone" | "merchantdata" | "bin" | "lastFourDigits" | "cardType" | "cardExpMonth" | "cardExpYear" | "destination" | "destBin" | "destLastFourDigits" | "destCardType" | "orderStage" | "descriptor" | "processorTxId" | "approvalCode" | "paynetProcessingDate" | "byRequestSn" | "recurringPaymentId" | "recurringPaymentStatus" | "nextChargeDate" | "transactionId" | "payoutId" | "redirectTo" | "html" | "verified3dStatus" | "threedsStage" | "threedsVersion" | "threedsServerTransId" | "threedsMethodUrl" | "threedsMethodData" | "acsUrl" | "creq" | "pareq" | "md" | "errorCode" | "errorMessage">
}
