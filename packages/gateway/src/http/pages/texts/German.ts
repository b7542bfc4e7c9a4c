import type { Texts } from "../Texts.ts"

export const german: Texts = {
  name: "Deutsch",
  direction: "ltr",

  payTo: "Zahlung an",
  amount: "Betrag",
  verifyCard: "Kartenprüfung",
  verifyNote: "Es wird nichts abgebucht. Ihre Bank bestätigt nur, dass die Karte gültig ist.",
  cardDetails: "Kartendaten",
  cardNumber: "Kartennummer",
  expiry: "Gültig bis",
  expiryHint: "MM / JJ",
  securityCode: "Prüfnummer",
  securityCodeHint: "3 Ziffern auf der Rückseite der Karte",
  securityCodeHintFour: "4 Ziffern auf der Vorderseite der Karte",
  holder: "Name auf der Karte",
  pay: (amount) => `${amount} bezahlen`,
  confirmCard: "Karte bestätigen",
  paying: "Bitte warten …",
  cancel: "Abbrechen und zurück",
  secure: "Ihre Kartendaten werden verschlüsselt und dem Shop nie gezeigt.",
  language: "Sprache",

  checkFields: "Bitte prüfen Sie die markierten Felder.",
  errorPrefix: "Fehler",
  errors: {
    numberMissing: "Geben Sie die Kartennummer ein.",
    numberWrong: "Das ist keine gültige Kartennummer. Bitte prüfen Sie die Ziffern.",
    expiryMissing: "Geben Sie das Ablaufdatum ein.",
    expiryWrong: "Geben Sie Monat und Jahr ein, zum Beispiel 08 / 29.",
    expiryPast: "Diese Karte ist abgelaufen.",
    codeMissing: "Geben Sie die Prüfnummer ein.",
    codeWrong: "Die Prüfnummer hat 3 oder 4 Ziffern.",
    holderMissing: "Geben Sie den Namen ein, wie er auf der Karte steht.",
    holderWrong: "Der Name darf höchstens 128 Buchstaben und keine Sonderzeichen haben."
  },

  declinedTitle: "Ihre Bank hat die Zahlung abgelehnt",
  declinedAgain: (left) =>
    left === 1
      ? "Es wurde nichts abgebucht. Sie können es noch einmal versuchen, mit dieser oder einer anderen Karte."
      : `Es wurde nichts abgebucht. Sie können es noch ${left}-mal versuchen, mit dieser oder einer anderen Karte.`,
  waitingTitle: "Ihre Zahlung wird bearbeitet",
  waiting: "Das dauert meist nur wenige Sekunden. Bitte lassen Sie diese Seite geöffnet.",
  bankTitle: "Ihre Bank möchte sichergehen, dass Sie es sind",
  bank: "Sie werden zu Ihrer Bank weitergeleitet.",
  bankContinue: "Weiter zu Ihrer Bank",
  resultRefusedTitle: "Die Bestätigung Ihrer Bank war nicht verwendbar",
  resultRefused: "Es wurde nichts abgebucht. Sie können bei Ihrer Bank noch einmal bestätigen.",
  tryAgain: "Noch einmal versuchen",
  unknownTitle: "Ihre Bank hat noch nicht geantwortet",
  unknown:
    "Die Zahlung kann noch gelingen. Bitte bezahlen Sie nicht noch einmal: Der Shop erfährt es, sobald Ihre Bank antwortet.",
  approvedTitle: "Zahlung erfolgreich",
  approved: "Vielen Dank. Ihre Zahlung wurde angenommen.",
  verifiedTitle: "Karte bestätigt",
  verified: "Vielen Dank. Es wurde nichts abgebucht.",
  refusedTitle: "Zahlung abgelehnt",
  refused: "Es wurde nichts abgebucht. Der Shop kann Ihnen andere Zahlungsarten anbieten.",
  cancelledTitle: "Zahlung abgebrochen",
  cancelled: "Es wurde nichts abgebucht.",
  expiredTitle: "Die Zeit ist abgelaufen",
  expired: "Die Zahlung wurde nicht rechtzeitig abgeschlossen. Es wurde nichts abgebucht.",
  failedTitle: "Die Zahlung war nicht möglich",
  failed: "Ihre Bank war nicht erreichbar. Es wurde nichts abgebucht.",
  verification: {
    declinedTitle: "Ihre Bank hat die Karte nicht bestätigt",
    waitingTitle: "Ihre Karte wird geprüft",
    unknown:
      "Die Prüfung kann noch gelingen. Bitte versuchen Sie es nicht noch einmal: Der Shop erfährt es, sobald Ihre Bank antwortet.",
    refusedTitle: "Karte nicht bestätigt",
    refused: "Ihre Bank hat diese Karte nicht bestätigt. Es wurde nichts abgebucht.",
    cancelledTitle: "Kartenprüfung abgebrochen",
    expired: "Die Karte wurde nicht rechtzeitig bestätigt. Es wurde nichts abgebucht.",
    failedTitle: "Die Karte konnte nicht geprüft werden"
  },
  payout: {
    from: "Geld von",
    heading: "Wohin soll das Geld gehen?",
    way: "Senden an",
    ways: { card: "Karte", account: "Bankkonto", phone: "Telefonnummer", wallet: "E-Wallet" },
    recipient: "Ihr vollständiger Name",
    account: "IBAN oder Kontonummer",
    accountHint: "Leerzeichen spielen keine Rolle",
    phone: "Telefonnummer",
    phoneHint: "Mit Landesvorwahl, zum Beispiel +49 170 1234567",
    wallet: "Nummer des E-Wallets",
    receive: (amount) => `${amount} empfangen`,
    secure: "Ihre Angaben werden verschlüsselt und dem Absender nie vollständig gezeigt.",
    refusedAgainTitle: "Dorthin kann das Geld nicht gesendet werden",
    refusedAgain: (left) =>
      left === 1
        ? "Bitte prüfen Sie Ihre Angaben. Sie können es noch einmal versuchen."
        : `Bitte prüfen Sie Ihre Angaben oder wählen Sie einen anderen Weg. Sie können es noch ${left}-mal versuchen.`,
    errors: {
      wayMissing: "Wählen Sie, wohin das Geld gehen soll.",
      recipientMissing: "Geben Sie Ihren Namen ein, wie Ihre Bank ihn kennt.",
      recipientWrong: "Der Name darf höchstens 128 Buchstaben und keine Sonderzeichen haben.",
      accountMissing: "Geben Sie die Nummer Ihres Kontos ein.",
      accountWrong: "Das ist keine gültige Kontonummer. Bitte prüfen Sie Buchstaben und Ziffern.",
      phoneMissing: "Geben Sie Ihre Telefonnummer ein.",
      phoneWrong: "Geben Sie die Telefonnummer mit Landesvorwahl ein, zum Beispiel +49 170 1234567.",
      walletMissing: "Geben Sie die Nummer Ihres E-Wallets ein.",
      walletWrong: "Das ist keine gültige E-Wallet-Nummer."
    },
    waitingTitle: "Das Geld wird gesendet",
    waiting: "Das dauert meist nur wenige Sekunden. Bitte lassen Sie diese Seite geöffnet.",
    unknownTitle: "Es gibt noch keine Antwort",
    unknown:
      "Das Geld kann schon unterwegs sein. Bitte beginnen Sie nicht neu: Der Absender erfährt, was daraus geworden ist.",
    approvedTitle: "Das Geld ist unterwegs",
    approved: "Wann Sie es sehen, hängt von Ihrer Bank ab.",
    receivedTitle: "Ihre Angaben sind angekommen",
    received: "Der Absender muss noch zustimmen. Sie brauchen nichts weiter zu tun.",
    refusedTitle: "Das Geld wurde nicht gesendet",
    refused: "Dorthin konnte es nicht gesendet werden. Bitte fragen Sie den Absender.",
    cancelledTitle: "Abgebrochen",
    cancelled: "Es wurde nichts gesendet.",
    expiredTitle: "Die Zeit ist abgelaufen",
    expired:
      "Ihre Angaben kamen nicht rechtzeitig. Es wurde nichts gesendet. Bitte fragen Sie den Absender nach einer neuen Seite.",
    failedTitle: "Das Geld wurde nicht gesendet",
    failed: "Ihre Bank war nicht erreichbar. Es wurde nichts gesendet."
  },
  back: (merchant) => `Zurück zu ${merchant}`,

  missingTitle: "Diese Seite gibt es nicht",
  missing: "Bitte gehen Sie zurück zum Shop und beginnen Sie die Zahlung neu.",
  crowdedTitle: "Einen Moment, bitte",
  crowded: "Es gab zu viele Anfragen. Bitte warten Sie eine Minute und laden Sie diese Seite dann neu.",
  brokenTitle: "Etwas ist schiefgegangen",
  broken: "Bitte laden Sie diese Seite gleich noch einmal. Es wird nicht doppelt abgebucht."
}
