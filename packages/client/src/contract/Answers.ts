// Written by `npm run docs` from the contract. Do not edit.

/** An order as the gateway describes it. Amounts are decimal text in `currency`. */
export interface Order {
  readonly clientOrderId: string
  readonly orderId: string
  readonly status: string
  readonly transactionType?: string
  readonly orderStage?: string
  readonly amount?: string
  readonly currency?: string
  readonly authorizedAmount?: string
  readonly capturedAmount?: string
  readonly returnedAmount?: string
  readonly remainingAmount?: string
  readonly bin?: string
  readonly lastFour?: string
  readonly cardType?: string
  readonly recurringPaymentId?: string
  readonly recurringPaymentStatus?: string
  readonly nextChargeDate?: string
  readonly approvalCode?: string
  readonly processorTxId?: string
  readonly descriptor?: string
  readonly verified3dStatus?: string
  readonly errorCode?: string
  readonly errorMessage?: string
}

/** The fields of all answers. Each is text. */
export interface AnswerFields {
  /** The kind of answer. */
  readonly type: string
  /** Identifies this request, not the order. */
  readonly serialNumber: string
  /** The gateway's identifier of the order: `orderid` of later requests. */
  readonly paynetOrderId: string
  /** The merchant's own identifier of the order. */
  readonly merchantOrderId: string
  /** The endpoint that took the order. */
  readonly endPointId: string
  /** Equal to `paynet-order-id`, for transfers and questions about cards. */
  readonly transactionId: string
  /** Equal to `paynet-order-id`, for payouts. */
  readonly payoutId: string
  /** The status of the order. */
  readonly status: string
  /** The address to which you send the customer. */
  readonly redirectUrl: string
  /** The stored card: `cardrefid` of later requests. */
  readonly cardRefId: string
  /** A reference that equal cards share. */
  readonly unqCardRefId: string
  /** The card's first six digits. */
  readonly bin: string
  /** The card's last four digits. */
  readonly lastFourDigits: string
  /** The card's brand. */
  readonly cardType: string
  /** First six and last four digits. */
  readonly maskedPan: string
  /** The month of expiry. */
  readonly expireMonth: string
  /** The year of expiry. */
  readonly expireYear: string
  /** The name on the card. */
  readonly cardPrintedName: string
  /** What the order is or has become. One of sale, preauth, capture, cancel, reversal, account_verification, payout, transfer, pan_eligibility, chargeback, fraud; more may come. */
  readonly transactionType: string
  /** The order's amount. */
  readonly amount: string
  /** The order's currency, ISO 4217. */
  readonly currency: string
  /** What the issuer has authorised. */
  readonly authorizedAmount: string
  /** What has been settled. */
  readonly capturedAmount: string
  /** What has been given back. */
  readonly returnedAmount: string
  /** What is left of the hold, neither captured nor being captured: a capture without an amount takes it. 0 where nothing is held. */
  readonly remainingAmount: string
  /** What has been given back, under its public name. */
  readonly totalReversalAmount: string
  /** Whether parts can be captured: enabled or disabled. */
  readonly gatePartialCapture: string
  /** Whether parts can be returned: enabled or disabled. */
  readonly gatePartialReversal: string
  /** The customer's name. */
  readonly name: string
  /** The name on the card. */
  readonly cardholderName: string
  /** The customer's e-mail address. */
  readonly email: string
  /** The customer's phone number. */
  readonly phone: string
  /** `merchant_data` of the request. */
  readonly merchantdata: string
  /** The card's month of expiry. */
  readonly cardExpMonth: string
  /** The card's year of expiry. */
  readonly cardExpYear: string
  /** Equal for equal cards of a merchant: the value of `card-ref-id`. */
  readonly cardHashId: string
  /** The recipient of a payout, as far as it may be shown. */
  readonly destination: string
  /** The receiving card's first six digits. */
  readonly destBin: string
  /** The receiving card's last four digits. */
  readonly destLastFourDigits: string
  /** The receiving card's brand. */
  readonly destCardType: string
  /** Transaction type and step. */
  readonly orderStage: string
  /** What the customer reads on the statement. */
  readonly descriptor: string
  /** The acquirer's identifier. */
  readonly processorTxId: string
  /** The acquirer's retrieval reference number, if its bank reports one. */
  readonly processorRrn: string
  /** The card network's own response code, if the bank reports one. */
  readonly authResponseCode: string
  /** The issuer's approval code. */
  readonly approvalCode: string
  /** When the gateway finished. */
  readonly paynetProcessingDate: string
  /** Identifies this request, not the order. */
  readonly byRequestSn: string
  /** The recurring payment this is a charge of. */
  readonly recurringPaymentId: string
  /** How that recurring payment stands. */
  readonly recurringPaymentStatus: string
  /** The day of its next scheduled charge. */
  readonly nextChargeDate: string
  /** The address to which you send the browser for 3-D Secure. */
  readonly redirectTo: string
  /** A page that sends the browser to the issuer by itself. */
  readonly html: string
  /** The result of 3-D Secure. */
  readonly verified3dStatus: string
  /** What the merchant has to run: method, challenge or pareq. */
  readonly threedsStage: string
  /** The version of the protocol, fixed at enrolment. */
  readonly threedsVersion: string
  /** The transaction at the 3DS server. */
  readonly threedsServerTransId: string
  /** The address for the method form. If the stage is `method` and it is absent, upload the browser's data with `threeDSCompInd` `U`. */
  readonly threedsMethodUrl: string
  /** `threeDSMethodData` of that form. */
  readonly threedsMethodData: string
  /** The address for the challenge form. */
  readonly acsUrl: string
  /** `creq` of that form. */
  readonly creq: string
  /** `PaReq` of a 3DS 1.0.2 form. */
  readonly pareq: string
  /** `MD` of a 3DS 1.0.2 form. */
  readonly md: string
  /** Why it was not approved. */
  readonly errorCode: string
  /** The error in words. */
  readonly errorMessage: string
  /** The card as receiver of a transfer. */
  readonly dstRecurringPaymentId: string
}
