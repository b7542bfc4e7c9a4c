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
  resultRefusedTitle: "The confirmation from your bank could not be used",
  resultRefused: "Nothing was charged. You can confirm once more at your bank.",
  tryAgain: "Try again",
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
  verification: {
    declinedTitle: "Your bank did not confirm the card",
    waitingTitle: "Your card is being checked",
    unknown:
      "The check may still succeed. Please do not try again: the shop will be told as soon as your bank answers.",
    refusedTitle: "Card not confirmed",
    refused: "Your bank did not confirm this card. Nothing was charged.",
    cancelledTitle: "Card check cancelled",
    expired: "The card was not confirmed in time. Nothing was charged.",
    failedTitle: "The card could not be checked"
  },
  payout: {
    from: "Money from",
    heading: "Where should the money go?",
    way: "Send it to",
    ways: { card: "Card", account: "Bank account", phone: "Phone number", wallet: "E-wallet" },
    recipient: "Your full name",
    account: "IBAN or account number",
    accountHint: "Spaces do not matter",
    phone: "Phone number",
    phoneHint: "With country code, like +49 170 1234567",
    wallet: "E-wallet number",
    receive: (amount) => `Receive ${amount}`,
    secure: "Your details are encrypted and never shown to the sender in full.",
    refusedAgainTitle: "The money cannot be sent there",
    refusedAgain: (left) =>
      left === 1
        ? "Please check your details. You can try once more."
        : `Please check your details, or choose another way. You can try ${left} more times.`,
    errors: {
      wayMissing: "Choose where the money should go.",
      recipientMissing: "Enter your name as your bank knows it.",
      recipientWrong: "The name may have at most 128 letters, and no special characters.",
      accountMissing: "Enter the number of your account.",
      accountWrong: "This is not a valid account number. Please check letters and digits.",
      phoneMissing: "Enter your phone number.",
      phoneWrong: "Enter the phone number with its country code, like +49 170 1234567.",
      walletMissing: "Enter the number of your e-wallet.",
      walletWrong: "This is not a valid e-wallet number."
    },
    waitingTitle: "The money is being sent",
    waiting: "This usually takes a few seconds. Please do not close this page.",
    unknownTitle: "There is no answer yet",
    unknown:
      "The money may already be on its way. Please do not start again: the sender will be told what became of it.",
    approvedTitle: "The money is on its way",
    approved: "It depends on your bank when you see it.",
    receivedTitle: "We have your details",
    received: "The sender still has to confirm. You need not do anything.",
    refusedTitle: "The money was not sent",
    refused: "It could not be sent there. Please ask the sender.",
    cancelledTitle: "Cancelled",
    cancelled: "Nothing was sent.",
    expiredTitle: "Time is up",
    expired: "Your details did not arrive in time. Nothing was sent. Please ask the sender for a new page.",
    failedTitle: "The money was not sent",
    failed: "Your bank could not be reached. Nothing was sent."
  },
  back: (merchant) => `Back to ${merchant}`,

  missingTitle: "This page is not here",
  missing: "Please go back to the shop and start the payment again.",
  crowdedTitle: "One moment, please",
  crowded: "There were too many requests. Please wait a minute, then reload this page.",
  brokenTitle: "Something went wrong",
  broken: "Please reload this page in a moment. You will not be charged twice."
}
