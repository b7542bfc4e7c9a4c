/**
 * The code and message of a refusal (`error-code`, `error-message`; docs/specification.md#errors). The specification lists no
 * codes. Code 1 and its message are public. This table defines all other codes; a published code keeps its meaning. 1–99 are
 * the gateway's own codes. The bank's reasons ({@link Decline}) are 100 and above.
 */
export interface ErrorCode {
  readonly code: number
  /** HTTP status of an answer that reports only this problem. */
  readonly status: number
  /** Message for a person. The `X` in `Parameter X` stands for the name of the field. */
  readonly message: string
}

/** The codes by name. The code and the message are sent; the name is used in code only. */
export const codes = {
  parameterRequired: { code: 1, status: 400, message: "Parameter X is required" },
  parameterInvalid: { code: 2, status: 400, message: "Parameter X is not valid" },
  parameterTooLong: { code: 3, status: 400, message: "Parameter X is too long" },
  parameterConflict: { code: 4, status: 400, message: "Parameter X is given twice with different values" },
  parameterCombination: { code: 5, status: 400, message: "Parameter X does not fit the other parameters" },

  acceptRequired: { code: 20, status: 400, message: "Header Accept must be application/vnd.pay+json" },
  contentTypeRequired: {
    code: 21,
    status: 400,
    message: "Header Content-Type must be application/x-www-form-urlencoded"
  },
  malformedForm: { code: 22, status: 400, message: "The body is not a valid form" },
  tooManyParameters: { code: 23, status: 400, message: "The body has too many parameters" },
  bodyTooLarge: { code: 24, status: 413, message: "The request is too large" },
  idempotencyKeyInvalid: {
    code: 25,
    status: 400,
    message: "Header Idempotency-Key must be 1 to 255 printable ASCII characters"
  },
  encodingUnsupported: {
    code: 26,
    status: 415,
    message: "The body must be plain UTF-8, without Content-Encoding and without another charset"
  },
  dialectNotEnabled: { code: 27, status: 400, message: "This endpoint does not answer in JSON" },

  authenticationFailed: { code: 40, status: 400, message: "Login, endpoint or control is wrong" },
  oauthMalformed: { code: 41, status: 400, message: "Header Authorization is not a valid OAuth 1.0 header" },
  oauthMethodUnsupported: { code: 42, status: 400, message: "This operation is not signed with this method" },
  oauthSignatureInvalid: { code: 43, status: 401, message: "Consumer key, endpoint or signature is wrong" },
  timestampSkewed: { code: 44, status: 401, message: "oauth_timestamp is too far from the gateway's time" },
  nonceUsed: { code: 45, status: 401, message: "Nonce already used" },
  authorizationRequired: {
    code: 46,
    status: 401,
    message:
      "Header Authorization is required: OAuth with oauth_consumer_key, oauth_nonce, oauth_signature, oauth_signature_method, oauth_timestamp and oauth_version"
  },

  operationNotEnabled: { code: 50, status: 400, message: "This operation is not enabled on this endpoint" },
  contentDiffers: { code: 51, status: 400, message: "client_orderid was already used with other content" },
  idempotencyKeyConflict: { code: 52, status: 400, message: "Idempotency-Key was already used with other content" },
  repeatedWithoutKey: {
    code: 53,
    status: 400,
    message: "An equal request was accepted before; send Idempotency-Key to say whether this is a new one"
  },
  orderNotFound: { code: 54, status: 400, message: "Unknown order" },
  orderState: { code: 55, status: 400, message: "The order is not in a state that allows this" },
  cardNotFound: { code: 56, status: 400, message: "Unknown card reference" },
  subscriptionNotFound: { code: 57, status: 400, message: "Unknown recurring payment" },

  amountExceeds: { code: 60, status: 400, message: "The amount is more than what is left" },
  currencyMismatch: { code: 61, status: 400, message: "The currency is not the order's" },
  amountNotAllowed: { code: 62, status: 400, message: "An amount is not allowed here" },
  amountNotExact: { code: 63, status: 400, message: "The amount has more decimals than its currency" },
  currencyNotEnabled: { code: 64, status: 400, message: "The currency is not enabled on this endpoint" },
  cardExpired: { code: 65, status: 400, message: "The card is expired" },
  cardInvalid: { code: 66, status: 400, message: "The card number is not valid" },
  cardRepeated: { code: 69, status: 400, message: "Parameter X must not contain card data" },
  amountTooLarge: { code: 67, status: 400, message: "The amount is larger than can be booked" },

  notFound: { code: 80, status: 404, message: "Not found" },
  methodNotAllowed: { code: 81, status: 405, message: "Only POST is allowed" },
  requestTimeout: { code: 82, status: 408, message: "The request did not arrive in time" },
  rateLimited: { code: 83, status: 429, message: "Too many requests" },
  serverError: { code: 84, status: 500, message: "Internal error" },
  unavailable: { code: 85, status: 503, message: "The service is not available at the moment" },
  transferCodingUnsupported: { code: 86, status: 501, message: "Header Transfer-Encoding may only be chunked" }
} as const satisfies Record<string, ErrorCode>

export type Name = keyof typeof codes
