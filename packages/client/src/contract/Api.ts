// Written by `npm run docs` from the contract. Do not edit.

import type { AnswerFields } from "./Answers.ts"
import type { Browser, Card, Customer, Fields, Some } from "./Fields.ts"

/** The names of operations in the contract. */
export type OperationName = "TDS_UPLOAD_CRES_RESULT" | "TDS_UPLOAD_METHOD_URL_RESULT" | "TDS_UPLOAD_PARES_RESULT" | "ACCOUNT_VERIFICATION_FORM" | "ACCOUNT_VERIFICATION" | "CAPTURE" | "CARDREF" | "CARDINFO" | "REBILL" | "PAYMENTFORM" | "PAYOUTFORM" | "PAYOUT" | "PREAUTHFORM" | "PREAUTH" | "RETURN" | "SALEFORM" | "SALE" | "STATUS" | "VOID" | "CARDREF_V4" | "CREATE_RP_V4" | "PAYOUT_V4_CHECK" | "PAYOUT_V4_PAY" | "PAN_ELIGIBILITY_SEND" | "TRANSFER_V4" | "TRANSFER_BY_REF_V4" | "PAYOUT_V4" | "PROCESS_RP_V4" | "UPDATE_RP_V4" | "SYNC_ACCOUNT_VERIFICATION" | "TRANSFERFORM" | "TRANSFER_BY_REF" | "REBILL_SALE" | "REBILL_PREAUTH" | "SALE_V4" | "STATUS_V4"

/** The fields of single operations, by method of `api`. */
export interface ApiInputs {
  /** Uploads the challenge response (CRes) that the issuer returned at the end of a 3DS 2 challenge. */
  tdsUploadCresResult: Some<Fields, "clientOrderId" | "orderId" | "cRes", "serverCallbackUrl" | "notifyUrl">
  /** Uploads the result of the 3DS 2 method page, or the browser's data. */
  tdsUploadMethodUrlResult: Some<Fields, "clientOrderId" | "orderId" | "threeDSCompInd" | "threeDSServerTransID", "browserAcceptHeader" | "browserIP" | "browserJavaEnabled" | "browserJavascriptEnabled" | "browserLanguage" | "browserColorDepth" | "browserScreenHeight" | "browserScreenWidth" | "browserTZ" | "browserUserAgent" | "serverCallbackUrl" | "notifyUrl">
  /** Uploads the payer authentication response (PaRes) of a 3DS 1.0.2 flow. */
  tdsUploadParesResult: Some<Fields, "clientOrderId" | "orderId" | "paRes", "md" | "serverCallbackUrl" | "notifyUrl">
  /** Verifies a card that the customer enters on the hosted page. */
  accountVerificationForm: Some<Fields, "clientOrderId", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData"> & { readonly customer: Some<Customer, "address1" | "city" | "country" | "email" | "ipAddress", "zipCode" | "state" | "phone" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone"> }
  /** Verifies a card with its issuer without charging it: an authorization with amount zero. */
  accountVerification: Some<Fields, "clientOrderId", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData"> & { readonly customer: Some<Customer, "address1" | "city" | "country" | "email" | "ipAddress", "zipCode" | "state" | "phone" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone">; readonly card: Some<Card, "holder" | "number" | "expireMonth" | "expireYear" | "cvv">; readonly browser?: Some<Browser, never, "info" | "acceptHeader" | "userAgent" | "acceptLanguage" | "javascriptEnabled" | "javaEnabled" | "colorDepth" | "screenHeight" | "screenWidth" | "timeZone"> | undefined }
  /** Captures a part of a preauth, or without an amount all that is left. */
  capture: Some<Fields, "clientOrderId" | "orderId", "amount" | "currency" | "reason" | "serverCallbackUrl" | "notifyUrl">
  /** Stores the card of an approved order and returns its reference. */
  cardref: Some<Fields, "clientOrderId" | "orderId">
  /** Returns the brand, the first and last digits and the expiry of a stored card. */
  cardinfo: Some<Fields, "cardRefId">
  /** Charges a stored card without the cardholder. */
  rebill: Some<Fields, "clientOrderId" | "cardRefId" | "amount" | "currency", "orderDesc" | "reason" | "redirectUrl" | "serverCallbackUrl" | "notifyUrl" | "enumerateAmounts" | "recurrentScenario" | "recurrentInitiator"> & { readonly customer: Some<Customer, "ipAddress">; readonly card?: Some<Card, never, "cvv"> | undefined }
  /** Takes a payment by a method that the hosted page offers. Today the only method is a card, as with sale-form. */
  paymentform: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData"> & { readonly customer: Some<Customer, "address1" | "city" | "country" | "email" | "ipAddress", "zipCode" | "state" | "phone" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone"> }
  /** Pays out to a destination that the recipient enters on the hosted page. */
  payoutform: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "purpose" | "merchantData" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl"> & { readonly customer?: Some<Customer, never, "ipAddress"> | undefined }
  /** Pays out to a card, bank account, e-wallet or phone in one step. */
  payout: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "purpose" | "merchantData" | "creditCardNumber" | "cardPrintedName" | "expireMonth" | "expireYear" | "accountNumber" | "accountName" | "bankName" | "bankBranch" | "bankCode" | "bankAddress1" | "bankZipCode" | "bankCity" | "bankProvince" | "bankArea" | "routingNumber" | "ewalletId" | "ewalletType" | "phone" | "country" | "ipAddress" | "firstName" | "lastName" | "email" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl">
  /** Authorizes an amount on a card that the customer enters on the hosted page. */
  preauthform: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData"> & { readonly customer: Some<Customer, "address1" | "city" | "country" | "email" | "ipAddress", "zipCode" | "state" | "phone" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone"> }
  /** Authorizes an amount on a card without charging it. A capture charges it, a void releases it. */
  preauth: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData" | "destinationCardNo"> & { readonly card: Some<Card, "holder" | "number" | "expireMonth" | "expireYear" | "cvv">; readonly customer: Some<Customer, "address1" | "city" | "country" | "email" | "ipAddress", "zipCode" | "state" | "phone" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone">; readonly browser?: Some<Browser, never, "info" | "acceptHeader" | "userAgent" | "acceptLanguage" | "javascriptEnabled" | "javaEnabled" | "colorDepth" | "screenHeight" | "screenWidth" | "timeZone"> | undefined }
  /** Refunds a sale or a captured preauth, in part or in whole, or cancels a preauth without a capture. */
  return: Some<Fields, "clientOrderId" | "orderId", "amount" | "currency" | "reason" | "serverCallbackUrl" | "notifyUrl">
  /** Charges a card that the customer enters on the hosted page. */
  saleform: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData"> & { readonly customer: Some<Customer, "address1" | "city" | "country" | "email" | "ipAddress", "zipCode" | "state" | "phone" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone"> }
  /** Charges a card at once, with or without 3-D Secure: authorization and capture in one request. */
  sale: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData" | "destinationCardNo"> & { readonly card: Some<Card, "holder" | "number" | "expireMonth" | "expireYear" | "cvv">; readonly customer: Some<Customer, "address1" | "city" | "country" | "email" | "ipAddress", "zipCode" | "state" | "phone" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone">; readonly browser?: Some<Browser, never, "info" | "acceptHeader" | "userAgent" | "acceptLanguage" | "javascriptEnabled" | "javaEnabled" | "colorDepth" | "screenHeight" | "screenWidth" | "timeZone"> | undefined }
  /** Returns the status of an order, by orderid, by client_orderid, or by both. */
  status: Some<Fields, never, "clientOrderId" | "orderId" | "byRequestSn">
  /** Voids the amount of a preauth that is not captured. */
  void: Some<Fields, "clientOrderId" | "orderId", "amount" | "currency" | "reason" | "serverCallbackUrl" | "notifyUrl">
  /** Stores the card of an approved order, or the card of the request, and returns its reference. */
  cardrefV4: Some<Fields, "clientOrderId", "orderId"> & { readonly card?: Some<Card, never, "holder" | "number" | "expireMonth" | "expireYear" | "cvv"> | undefined }
  /** Creates a recurring payment: a card, an amount and a schedule. */
  createRpV4: Some<Fields, "clientOrderId" | "amount" | "currency" | "period" | "interval", "orderDesc" | "startDate" | "finishDate" | "occurrences" | "rpCardType" | "cardRefId" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl"> & { readonly card?: Some<Card, never, "holder" | "number" | "expireMonth" | "expireYear" | "cvv"> | undefined; readonly customer: Some<Customer, "address1" | "city" | "country" | "email", "zipCode" | "state" | "phone" | "ipAddress" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone"> }
  /** Checks the recipient of a payout and holds the amount. Pays nothing: payout-pay does. */
  payoutV4Check: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "purpose" | "merchantData" | "creditCardNumber" | "cardPrintedName" | "expireMonth" | "expireYear" | "accountNumber" | "accountName" | "bankName" | "bankBranch" | "bankCode" | "bankAddress1" | "bankZipCode" | "bankCity" | "bankProvince" | "bankArea" | "routingNumber" | "ewalletId" | "ewalletType" | "phone" | "country" | "ipAddress" | "firstName" | "lastName" | "email" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl">
  /** Pays a payout that payout-check has checked, exactly once. */
  payoutV4Pay: Some<Fields, "clientOrderId" | "orderId", "serverCallbackUrl" | "notifyUrl">
  /** Checks whether a card can send money. */
  panEligibilitySend: Some<Fields, "clientOrderId", "sendingCardRefId" | "sendingCardNumber" | "serverCallbackUrl" | "notifyUrl"> & { readonly card?: Some<Card, never, "holder" | "expireMonth" | "expireYear"> | undefined }
  /** Moves money from a card, or from the merchant's balance, to a card. */
  transferV4: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "cardRecurringPaymentId" | "destinationCardNo" | "destinationCardRecurringPaymentId" | "deposit2card" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl"> & { readonly customer?: Some<Customer, never, "ipAddress"> | undefined; readonly card?: Some<Card, never, "holder" | "number" | "expireMonth" | "expireYear" | "cvv"> | undefined }
  /** Moves money to a card from a stored card, or without one from the merchant's balance. */
  transferByRefV4: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "sourceCardRefId" | "destinationCardNo" | "destinationCardRefId" | "serverCallbackUrl" | "notifyUrl"> & { readonly customer?: Some<Customer, never, "ipAddress"> | undefined }
  /** Pays out to a card, bank account, e-wallet or phone in one step, signed with the merchant's RSA key. */
  payoutV4: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "purpose" | "merchantData" | "creditCardNumber" | "cardPrintedName" | "expireMonth" | "expireYear" | "accountNumber" | "accountName" | "bankName" | "bankBranch" | "bankCode" | "bankAddress1" | "bankZipCode" | "bankCity" | "bankProvince" | "bankArea" | "routingNumber" | "ewalletId" | "ewalletType" | "phone" | "country" | "ipAddress" | "firstName" | "lastName" | "email" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl">
  /** Charges a recurring payment now, as a separate order. The schedule does not change. */
  processRpV4: Some<Fields, "clientOrderId" | "recurringPaymentId", "amount" | "currency" | "orderDesc" | "serverCallbackUrl" | "notifyUrl"> & { readonly customer?: Some<Customer, never, "ipAddress"> | undefined; readonly card?: Some<Card, never, "cvv"> | undefined }
  /** Changes the amount or the card of a recurring payment, or pauses, resumes or cancels it. */
  updateRpV4: Some<Fields, "recurringPaymentId", "amount" | "currency" | "cardRefId"> & { readonly card?: Some<Card, never, "holder" | "number" | "expireMonth" | "expireYear" | "cvv"> | undefined; readonly change?: "pause" | "resume" | "cancel" | undefined }
  /** Verifies a card, waits for the final status for a limited time, and answers as status does. */
  syncAccountVerification: Some<Fields, "clientOrderId", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData"> & { readonly customer: Some<Customer, "address1" | "city" | "country" | "email" | "ipAddress", "zipCode" | "state" | "phone" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone">; readonly card: Some<Card, "holder" | "number" | "expireMonth" | "expireYear" | "cvv">; readonly browser?: Some<Browser, never, "info" | "acceptHeader" | "userAgent" | "acceptLanguage" | "javascriptEnabled" | "javaEnabled" | "colorDepth" | "screenHeight" | "screenWidth" | "timeZone"> | undefined }
  /** Moves money from card to card. The payer enters the card on the hosted page, and also the receiving card if the request has none. */
  transferform: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData" | "destinationCardNo" | "destinationCardRefId"> & { readonly customer: Some<Customer, "address1" | "city" | "country" | "email" | "ipAddress", "zipCode" | "state" | "phone" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone"> }
  /** Moves money to a stored card from another stored card, or without one from the merchant's balance. */
  transferByRef: Some<Fields, "clientOrderId" | "destinationCardRefId" | "amount" | "currency", "sourceCardRefId" | "orderDesc" | "serverCallbackUrl" | "notifyUrl"> & { readonly customer?: Some<Customer, never, "ipAddress"> | undefined; readonly card?: Some<Card, never, "cvv"> | undefined }
  /** Charges a stored card without the cardholder, as make-rebill does. */
  rebillSale: Some<Fields, "clientOrderId" | "cardRefId" | "amount" | "currency", "orderDesc" | "reason" | "redirectUrl" | "serverCallbackUrl" | "notifyUrl" | "enumerateAmounts" | "recurrentScenario" | "recurrentInitiator"> & { readonly customer: Some<Customer, "ipAddress">; readonly card?: Some<Card, never, "cvv"> | undefined }
  /** Authorizes an amount on a stored card without the cardholder. A capture charges it, a void releases it. */
  rebillPreauth: Some<Fields, "clientOrderId" | "cardRefId" | "amount" | "currency", "orderDesc" | "reason" | "redirectUrl" | "serverCallbackUrl" | "notifyUrl" | "recurrentScenario" | "recurrentInitiator"> & { readonly customer: Some<Customer, "ipAddress">; readonly card?: Some<Card, never, "cvv"> | undefined }
  /** Charges a card at once, like sale, signed with the merchant's RSA key. */
  saleV4: Some<Fields, "clientOrderId" | "amount" | "currency", "orderDesc" | "redirectUrl" | "redirectSuccessUrl" | "redirectFailUrl" | "serverCallbackUrl" | "notifyUrl" | "purpose" | "siteUrl" | "merchantData" | "destinationCardNo"> & { readonly card: Some<Card, "holder" | "number" | "expireMonth" | "expireYear" | "cvv">; readonly customer: Some<Customer, "address1" | "city" | "country" | "email" | "ipAddress", "zipCode" | "state" | "phone" | "firstName" | "lastName" | "ssn" | "birthday" | "cellPhone">; readonly browser?: Some<Browser, never, "info" | "acceptHeader" | "userAgent" | "acceptLanguage" | "javascriptEnabled" | "javaEnabled" | "colorDepth" | "screenHeight" | "screenWidth" | "timeZone"> | undefined }
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
  status: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId" | "status", "endPointId" | "transactionType" | "amount" | "currency" | "authorizedAmount" | "capturedAmount" | "returnedAmount" | "remainingAmount" | "totalReversalAmount" | "gatePartialCapture" | "gatePartialReversal" | "name" | "cardholderName" | "email" | "phone" | "merchantdata" | "bin" | "lastFourDigits" | "cardType" | "cardExpMonth" | "cardExpYear" | "cardRefId" | "cardHashId" | "destination" | "destBin" | "destLastFourDigits" | "destCardType" | "orderStage" | "descriptor" | "processorTxId" | "processorRrn" | "authResponseCode" | "approvalCode" | "paynetProcessingDate" | "byRequestSn" | "recurringPaymentId" | "recurringPaymentStatus" | "nextChargeDate" | "transactionId" | "payoutId" | "redirectTo" | "html" | "verified3dStatus" | "threedsStage" | "threedsVersion" | "threedsServerTransId" | "threedsMethodUrl" | "threedsMethodData" | "acsUrl" | "creq" | "pareq" | "md" | "errorCode" | "errorMessage">
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
  syncAccountVerification: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId" | "status", "endPointId" | "transactionType" | "amount" | "currency" | "authorizedAmount" | "capturedAmount" | "returnedAmount" | "remainingAmount" | "totalReversalAmount" | "gatePartialCapture" | "gatePartialReversal" | "name" | "cardholderName" | "email" | "phone" | "merchantdata" | "bin" | "lastFourDigits" | "cardType" | "cardExpMonth" | "cardExpYear" | "cardRefId" | "cardHashId" | "destination" | "destBin" | "destLastFourDigits" | "destCardType" | "orderStage" | "descriptor" | "processorTxId" | "processorRrn" | "authResponseCode" | "approvalCode" | "paynetProcessingDate" | "byRequestSn" | "recurringPaymentId" | "recurringPaymentStatus" | "nextChargeDate" | "transactionId" | "payoutId" | "redirectTo" | "html" | "verified3dStatus" | "threedsStage" | "threedsVersion" | "threedsServerTransId" | "threedsMethodUrl" | "threedsMethodData" | "acsUrl" | "creq" | "pareq" | "md" | "errorCode" | "errorMessage">
  transferform: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId" | "redirectUrl", "endPointId" | "status">
  transferByRef: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  rebillSale: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  rebillPreauth: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  saleV4: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId", "endPointId" | "transactionId" | "payoutId">
  statusV4: Some<AnswerFields, "type" | "serialNumber" | "paynetOrderId" | "merchantOrderId" | "status", "endPointId" | "transactionType" | "amount" | "currency" | "authorizedAmount" | "capturedAmount" | "returnedAmount" | "remainingAmount" | "totalReversalAmount" | "gatePartialCapture" | "gatePartialReversal" | "name" | "cardholderName" | "email" | "phone" | "merchantdata" | "bin" | "lastFourDigits" | "cardType" | "cardExpMonth" | "cardExpYear" | "cardRefId" | "cardHashId" | "destination" | "destBin" | "destLastFourDigits" | "destCardType" | "orderStage" | "descriptor" | "processorTxId" | "processorRrn" | "authResponseCode" | "approvalCode" | "paynetProcessingDate" | "byRequestSn" | "recurringPaymentId" | "recurringPaymentStatus" | "nextChargeDate" | "transactionId" | "payoutId" | "redirectTo" | "html" | "verified3dStatus" | "threedsStage" | "threedsVersion" | "threedsServerTransId" | "threedsMethodUrl" | "threedsMethodData" | "acsUrl" | "creq" | "pareq" | "md" | "errorCode" | "errorMessage">
}
