import type { Texts } from "../Texts.ts"

export const english: Texts = {
  name: "English",
  direction: "ltr",

  payTo: "Pay to",
  amount: "Amount",
  verifyCard: "Card check",
  verifyNote: "Nothing will be charged. Your bank only confirms that the card is valid.",
  cardDetails: "Card details",
  cardNumber: "Card number",
  expiry: "Expiry date",
  expiryHint: "MM / YY",
  securityCode: "Security code",
  securityCodeHint: "3 digits on the back of the card",
  securityCodeHintFour: "4 digits on the front of the card",
  holder: "Name on card",
  pay: (amount) => `Pay ${amount}`,
  confirmCard: "Confirm card",
  paying: "Please wait…",
  cancel: "Cancel and go back",
  secure: "Your card details are encrypted and never shown to the shop.",
  language: "Language",

  checkFields: "Please check the marked fields.",
  errorPrefix: "Error",
  errors: {
    numberMissing: "Enter the card number.",
    numberWrong: "This is not a valid card number. Please check the digits.",
    expiryMissing: "Enter the expiry date.",
    expiryWrong: "Enter the expiry date as month and year, like 08 / 29.",
    expiryPast: "This card has expired.",
    codeMissing: "Enter the security code.",
    codeWrong: "The security code has 3 or 4 digits.",
    holderMissing: "Enter the name as it is on the card.",
    holderWrong: "The name may have at most 128 letters, and no special characters."
  },

  declinedTitle: "Your bank declined the payment",
  declinedAgain: (left) =>
    left === 1
      ? "Nothing was charged. You can try once more, with this or another card."
      : `Nothing was charged. You can try ${left} more times, with this or another card.`,
  waitingTitle: "Your payment is being processed",
  waiting: "This usually takes a few seconds. Please do not close this page.",
  bankTitle: "Your bank wants to confirm that it is you",
  bank: "You are being taken to your bank.",
  bankContinue: "Continue to your bank",
  unknownTitle: "Your bank has not answered yet",
  unknown:
    "The payment may still go through. Please do not pay again: the shop will be told as soon as your bank answers.",
  approvedTitle: "Payment successful",
  approved: "Thank you. Your payment was accepted.",
  verifiedTitle: "Card confirmed",
  verified: "Thank you. Nothing was charged.",
  refusedTitle: "Payment declined",
  refused: "Nothing was charged. The shop can offer you another way to pay.",
  cancelledTitle: "Payment cancelled",
  cancelled: "Nothing was charged.",
  expiredTitle: "Time is up",
  expired: "The payment was not completed in time. Nothing was charged.",
  failedTitle: "The payment could not be made",
  failed: "Your bank could not be reached. Nothing was charged.",
  back: (merchant) => `Back to ${merchant}`,

  missingTitle: "This page is not here",
  missing: "Please go back to the shop and start the payment again.",
  crowdedTitle: "One moment, please",
  crowded: "There were too many requests. Please wait a minute, then reload this page.",
  brokenTitle: "Something went wrong",
  broken: "Please reload this page in a moment. You will not be charged twice."
}
