// Written by `npm run docs` from the contract. Do not edit.

/** Fields of `T`: the `Required` ones must be present, the `Optional` ones may be absent. */
export type Some<T, Required extends keyof T, Optional extends keyof T = never> = Pick<T, Required> & {
  readonly [Name in keyof Pick<T, Optional>]?: T[Name] | undefined
}

export interface Fields {
  /** The merchant's own identifier of the order, unique for the merchant. */
  readonly clientOrderId: string
  /** The description of the order. The whole request has at most 256 KiB, and in a form a character beyond ASCII takes 6 to 12 bytes. */
  readonly orderDesc: string
  /** The amount in major units, with `.`: `10.5` is ten and a half. */
  readonly amount: string
  /** The currency, ISO 4217, upper case. */
  readonly currency: string
  /** The address to which the browser comes back after 3-D Secure or a form. */
  readonly redirectUrl: string
  /** The address after success, instead of `redirectUrl`. */
  readonly redirectSuccessUrl: string
  /** The address after failure, instead of `redirectUrl`. */
  readonly redirectFailUrl: string
  /** The address to which the gateway reports the final status. */
  readonly serverCallbackUrl: string
  /** A further address, which also gets reports of later events. */
  readonly notifyUrl: string
  /** The purpose of the payment, for the statement. */
  readonly purpose: string
  /** The shop's own address. */
  readonly siteUrl: string
  /** Your own text. `status` returns it as `merchantdata`. */
  readonly merchantData: string
  /** The card that receives the money. */
  readonly destinationCardNo: string
  /** The endpoint or group to use, if not the client's own. */
  readonly endpointId: string
  /** A stored card (`card-ref-id` of the answer that created it). */
  readonly cardRefId: string
  /** A short note on the request. */
  readonly reason: string
  /** Up to 10 smaller amounts, separated by commas. If amount is declined, they are tried one after another until one is approved. */
  readonly enumerateAmounts: string
  /** Whether charges follow a schedule: REGULAR or IRREGULAR. */
  readonly recurrentScenario: "REGULAR" | "IRREGULAR"
  /** The party that starts the charge: MERCHANT. */
  readonly recurrentInitiator: "MERCHANT"
  /** The unit of the schedule: daily, weekly, monthly, yearly. */
  readonly period: "daily" | "weekly" | "monthly" | "yearly"
  /** The number of periods between two charges. */
  readonly interval: number | string
  /** The day of the first charge. Without it: today. */
  readonly startDate: string
  /** The last day on which a charge is made. */
  readonly finishDate: string
  /** The number of charges in all. */
  readonly occurrences: number | string
  /** Whether the card pays (SRC) or receives (DST, which this gateway refuses). */
  readonly rpCardType: "SRC" | "DST"
  /** A recurring payment (`recurringPaymentId` of the answer that created it). */
  readonly recurringPaymentId: string
  /** What to change: `amount` with amount and currency, `card` with a stored card or a new one, the others alone. */
  readonly change: "pause" | "resume" | "cancel" | "amount" | "card"
  /** Your own name of this change: `pause-2026-12`. The same name is the same change. */
  readonly name: string
  /** The card that receives the money. */
  readonly creditCardNumber: string
  /** The name on the card. */
  readonly cardPrintedName: string
  /** The month of expiry, 1 to 12. */
  readonly expireMonth: number | string
  /** The year of expiry, four digits or the last two. */
  readonly expireYear: number | string
  /** The recipient's bank account: an IBAN, or a domestic number, which begins with four digits. */
  readonly accountNumber: string
  /** The account holder. */
  readonly accountName: string
  /** The bank. */
  readonly bankName: string
  /** The bank's branch. */
  readonly bankBranch: string
  /** The bank's code in the payment scheme. */
  readonly bankCode: string
  /** The bank's street and house. */
  readonly bankAddress1: string
  /** The bank's postal code. */
  readonly bankZipCode: string
  /** The bank's city. */
  readonly bankCity: string
  /** The bank's province. */
  readonly bankProvince: string
  /** The bank's area. */
  readonly bankArea: string
  /** The bank's routing number. */
  readonly routingNumber: string
  /** The recipient's e-wallet. */
  readonly ewalletId: string
  /** The kind of e-wallet. */
  readonly ewalletType: string
  /** The recipient's phone number, with + and the code of its country, or with country. With bank_code it is the address of a faster payment. */
  readonly phone: string
  /** The country, ISO 3166-1, two letters. */
  readonly country: string
  /** The customer's IP address, version 4 or 6. */
  readonly ipAddress: string
  /** The customer's first name. */
  readonly firstName: string
  /** The customer's last name. */
  readonly lastName: string
  /** The customer's e-mail address. */
  readonly email: string
  /** The card that pays, by its `recurring-payment-id`. */
  readonly cardRecurringPaymentId: string
  /** The card that receives the money, by its `recurring-payment-id`. */
  readonly destinationCardRecurringPaymentId: string
  /** Whether the merchant's balance pays instead of a card. */
  readonly deposit2card: boolean
  /** The stored card that pays (`card-ref-id` of the answer that created it). */
  readonly sourceCardRefId: string
  /** The stored card that receives the money (`card-ref-id` of the answer that created it). */
  readonly destinationCardRefId: string
  /** The stored card to check (`card-ref-id` of the answer that created it). */
  readonly sendingCardRefId: string
  /** The card to check. */
  readonly sendingCardNumber: string
  /** `serial-number` of the request to wait for, if it is one request about the order. */
  readonly serialNumber: string
  /** The gateway's identifier of the order (`paynet-order-id` of the answer). */
  readonly orderId: string
  /** The challenge response as the browser posted it: base64url JSON. */
  readonly cRes: string
  /** Y: the method completed. N: not within 10 seconds. U: there was no method URL, and the request has the browser's data. */
  readonly threeDSCompInd: "Y" | "N" | "U"
  /** The transaction's identifier at the 3DS server (UUID). */
  readonly threeDSServerTransID: string
  /** The browser's `Accept` header. A longer one is cut. */
  readonly browserAcceptHeader: string
  /** The browser's IP address. */
  readonly browserIP: string
  /** Whether the browser runs Java. */
  readonly browserJavaEnabled: boolean
  /** Whether the browser runs JavaScript. */
  readonly browserJavascriptEnabled: boolean
  /** The browser's language, BCP 47, or its `Accept-Language` header. */
  readonly browserLanguage: string
  /** The screen's color depth in bits per pixel. It is rounded down to 1, 4, 8, 15, 16, 24, 32, 48. */
  readonly browserColorDepth: number | string
  /** The screen's height in pixels. */
  readonly browserScreenHeight: number | string
  /** The screen's width in pixels. */
  readonly browserScreenWidth: number | string
  /** Minutes between UTC and the browser's local time, as `getTimezoneOffset()` gives them. */
  readonly browserTZ: number | string
  /** The browser's `User-Agent` header. A longer one is cut. */
  readonly browserUserAgent: string
  /** The payer authentication response as the browser posted it: base64 of deflated XML. */
  readonly paRes: string
  /** The `MD` that was sent with the PaReq. */
  readonly md: string
  /** The `serial-number` of one request, to ask about that request. */
  readonly byRequestSn: string
}

export interface Card {
  /** The name on the card. */
  readonly holder: string
  /** The card number: 12 to 19 digits. Blanks, hyphens and dots between them are ignored. */
  readonly number: string
  /** The month of expiry, 1 to 12. */
  readonly expireMonth: number | string
  /** The year of expiry, four digits or the last two. */
  readonly expireYear: number | string
  /** The card's security code: 3 or 4 digits. */
  readonly cvv: string
}

export interface Customer {
  /** The street and the house number. */
  readonly address1: string
  /** The city. */
  readonly city: string
  /** The postal code. Required in countries that need it. */
  readonly zipCode: string
  /** The country, ISO 3166-1, two letters. */
  readonly country: string
  /** The state or province: the code of ISO 3166-2, with or without its country. Required in US, CA and AU. */
  readonly state: string
  /** The customer's phone number. */
  readonly phone: string
  /** The customer's e-mail address. */
  readonly email: string
  /** The customer's IP address, version 4 or 6. */
  readonly ipAddress: string
  /** The customer's first name. */
  readonly firstName: string
  /** The customer's last name. */
  readonly lastName: string
  /** The customer's social security or tax number, or its last four digits. Separators are ignored. */
  readonly ssn: string
  /** The customer's birthday, YYYYMMDD. */
  readonly birthday: string
  /** The customer's mobile phone number. */
  readonly cellPhone: string
}

export interface Browser {
  /** Whether the `customer_browser_*` fields are sent. */
  readonly info: boolean
  /** The browser's `Accept` header. A longer one is cut. */
  readonly acceptHeader: string
  /** The browser's `User-Agent` header. A longer one is cut. */
  readonly userAgent: string
  /** The browser's language, BCP 47, or its `Accept-Language` header. */
  readonly acceptLanguage: string
  /** Whether the browser runs JavaScript. */
  readonly javascriptEnabled: boolean
  /** Whether the browser runs Java. */
  readonly javaEnabled: boolean
  /** The screen's color depth in bits per pixel. It is rounded down to 1, 4, 8, 15, 16, 24, 32, 48. */
  readonly colorDepth: number | string
  /** The screen's height in pixels. */
  readonly screenHeight: number | string
  /** The screen's width in pixels. */
  readonly screenWidth: number | string
  /** Minutes between UTC and the browser's local time, as `getTimezoneOffset()` gives them. */
  readonly timeZone: number | string
}
