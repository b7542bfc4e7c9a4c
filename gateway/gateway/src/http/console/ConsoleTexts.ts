/**
 * The texts of the console in one table: English and German beside each other. States, operations and outcomes are words of the contract,
 * as merchants, the command line and the log have them, so they are the same in both languages. `{name}` stands for a value. A text with `|`
 * has a form for one and a form for every other number.
 */
import type * as Language from "../pages/Language.ts"
import { waitingTexts } from "./WaitingTexts.ts"

const table = {
  ...waitingTexts,
  console: ["Operator console", "Betreiberkonsole"],
  signInTitle: ["Sign in", "Anmelden"],
  token: ["Operator's token", "Token des Betreibers"],
  tokenHint: [
    "The token that pay operator add printed for you. It stays out of the address and the log.",
    "Das Token, das pay operator add für Sie ausgegeben hat. Es steht weder in der Adresse noch im Log."
  ],
  signIn: ["Sign in", "Anmelden"],
  signInOpen: ["Continue without a token", "Ohne Token fortfahren"],
  openHint: [
    "This gateway has no operators yet, so whoever is on its machine may do everything. Add the first one:",
    "Dieses Gateway hat noch keine Betreiber, also darf jeder auf seinem Rechner alles. Fügen Sie den ersten hinzu:"
  ],
  signedOut: ["You have signed out.", "Sie haben sich abgemeldet."],
  sessionEnded: [
    "Your session has ended. Sign in again; nothing was changed.",
    "Ihre Sitzung ist beendet. Melden Sie sich erneut an; nichts wurde geändert."
  ],
  wrongToken: ["This is not an operator's token.", "Das ist kein Token eines Betreibers."],
  tooManyTokens: [
    "Too many wrong tokens came from your address. Try again in {seconds} s.",
    "Von Ihrer Adresse kamen zu viele falsche Token. Versuchen Sie es in {seconds} s wieder."
  ],
  signOut: ["Sign out", "Abmelden"],
  skip: ["Skip to the content", "Zum Inhalt springen"],
  language: ["Language", "Sprache"],
  otherLanguage: ["Deutsch", "English"],
  pages: ["Pages", "Seiten"],
  orders: ["Orders", "Aufträge"],
  search: ["Search", "Suchen"],
  searchHint: [
    "Order, callback, e-mail, amount, approval code, last four digits",
    "Auftrag, Callback, E-Mail, Betrag, Genehmigungscode, letzte vier Ziffern"
  ],
  command: ["The same on the command line", "Dasselbe auf der Kommandozeile"],
  missingTitle: ["There is no such page", "Diese Seite gibt es nicht"],
  missing: [
    "The address is wrong, or what it named is gone.",
    "Die Adresse ist falsch, oder was sie nannte, gibt es nicht mehr."
  ],
  forbiddenTitle: ["You may not do this", "Das dürfen Sie nicht"],
  forgedTitle: ["This form is not from your session", "Dieses Formular stammt nicht aus Ihrer Sitzung"],
  forged: [
    "Nothing was changed. Open the page again and send the form from there.",
    "Nichts wurde geändert. Öffnen Sie die Seite erneut und senden Sie das Formular von dort."
  ],
  brokenTitle: ["The gateway cannot answer now", "Das Gateway kann jetzt nicht antworten"],
  broken: [
    "Its store does not serve, or it has a defect. If you sent a form, look whether it had its effect before you send it again.",
    "Sein Speicher antwortet nicht, oder es hat einen Fehler. Falls Sie ein Formular gesendet haben, sehen Sie nach, ob es gewirkt hat, bevor Sie es erneut senden."
  ],
  refusedTitle: ["Refused", "Abgelehnt"],
  back: ["Back", "Zurück"],
  filters: ["Filters", "Filter"],
  all: ["all", "alle"],
  removeFilter: ["Remove this filter", "Diesen Filter entfernen"],
  older: ["Older", "Ältere"],
  noOrders: [
    "No order meets these criteria. Orders stand here as soon as merchants create them, the newest first.",
    "Kein Auftrag erfüllt diese Kriterien. Aufträge stehen hier, sobald Händler sie anlegen, die neuesten zuerst."
  ],
  nothingTitle: ["Nothing found", "Nichts gefunden"],
  nothing: [
    "No order, merchant's order, callback, e-mail address, approval code or transaction of a bank is this.",
    "Kein Auftrag, Auftrag eines Händlers, Callback, keine E-Mail-Adresse, kein Genehmigungscode und keine Transaktion einer Bank lautet so."
  ],
  cardTitle: ["Do not type card numbers here", "Geben Sie hier keine Kartennummern ein"],
  cardRefused: [
    "What you typed looks like the number of a card or an account. It was not searched and not stored. Type the last four digits, or use pay orders search --card-file.",
    "Was Sie eingegeben haben, sieht aus wie die Nummer einer Karte oder eines Kontos. Es wurde nicht gesucht und nicht gespeichert. Geben Sie die letzten vier Ziffern ein, oder nutzen Sie pay orders search --card-file."
  ],
  order: ["Order", "Auftrag"],
  merchant: ["Merchant", "Händler"],
  merchantOrder: ["Merchant's order", "Auftrag des Händlers"],
  endpoint: ["Endpoint", "Endpunkt"],
  kind: ["Kind", "Art"],
  status: ["Status", "Status"],
  state: ["State", "Zustand"],
  created: ["Created", "Angelegt"],
  amount: ["Amount", "Betrag"],
  card: ["Card", "Karte"],
  cardHash: ["Hash of the card", "Hash der Karte"],
  recipient: ["Recipient", "Empfänger"],
  destination: ["Destination", "Ziel"],
  authentication: ["3-D Secure", "3-D Secure"],
  error: ["Error", "Fehler"],
  authorized: ["Authorized", "Reserviert"],
  captured: ["Captured", "Eingezogen"],
  refunded: ["Refunded", "Zurückgezahlt"],
  chargedBack: ["Charged back", "Rückbelastet"],
  timeline: ["Timeline", "Verlauf"],
  request: ["Request", "Anfrage"],
  signature: ["signature", "Signatur"],
  booked: ["Booked", "Gebucht"],
  callback: ["Callback", "Callback"],
  callbacks: ["Callbacks", "Callbacks"],
  evidence: ["Evidence", "Beleg"],
  risk: ["Risk rule", "Risikoregel"],
  tries: ["Tries", "Versuche"],
  result: ["Result", "Ergebnis"],
  noCallbacks: [
    "No callback yet. Each one stands here with its attempts as soon as the order has something to report.",
    "Noch kein Callback. Jeder steht hier mit seinen Versuchen, sobald der Auftrag etwas zu melden hat."
  ],
  next: ["What happens next", "Was als Nächstes geschieht"],
  nothingDue: [
    "Nothing: the order waits for nothing by itself.",
    "Nichts: Der Auftrag wartet von sich aus auf nichts."
  ],
  in: ["in", "in"],
  now: ["now", "jetzt"],
  triesBefore: ["Tries before", "Versuche davor"],
  dueBank: ["The bank is asked", "Die Bank wird gefragt"],
  dueRail: ["The payout rail is asked", "Der Auszahlungsweg wird gefragt"],
  dueLapse: ["The order ends: its time is over", "Der Auftrag endet: Seine Zeit ist um"],
  dueThreeds: ["3-D Secure takes its next step", "3-D Secure macht seinen nächsten Schritt"],
  dueSession: ["The hosted page ends", "Die gehostete Seite endet"],
  dueCallback: ["The callback is sent", "Der Callback wird gesendet"],
  dueAuthentication: ["The step of 3-D Secure ends", "Der Schritt von 3-D Secure endet"],
  facts: ["Facts", "Angaben"],
  actions: ["Actions", "Aktionen"],
  noActions: [
    "Nothing can be done with this order in your role.",
    "Mit diesem Auftrag ist in Ihrer Rolle nichts zu tun."
  ],
  inquire: ["Ask the bank now", "Bank jetzt fragen"],
  inquireAbout: [
    "Bank or rail are asked about the open requests now instead of at the next inquiry.",
    "Bank oder Auszahlungsweg werden jetzt statt bei der nächsten Nachfrage zu den offenen Anfragen gefragt."
  ],
  inquired: ["Bank or rail are being asked.", "Bank oder Auszahlungsweg werden gefragt."],
  refund: ["Refund", "Zurückzahlen"],
  refundAbout: [
    "Gives captured money back, and informs the merchant. One form is one refund, however often it is sent.",
    "Zahlt eingezogenes Geld zurück und benachrichtigt den Händler. Ein Formular ist eine Rückzahlung, wie oft es auch gesendet wird."
  ],
  amountRest: ["all that is left", "alles Übrige"],
  comment: ["Reason", "Grund"],
  commentHint: [
    "At most 50 characters, for the merchant and the audit. No card data.",
    "Höchstens 50 Zeichen, für den Händler und das Audit. Keine Kartendaten."
  ],
  void: ["Release the hold", "Reservierung freigeben"],
  voidAbout: [
    "Releases the reserved money, and informs the merchant.",
    "Gibt das reservierte Geld frei und benachrichtigt den Händler."
  ],
  voidDone: ["The release was accepted; the bank is asked.", "Die Freigabe wurde angenommen; die Bank wird gefragt."],
  refundDone: [
    "The refund was accepted; the bank is asked.",
    "Die Rückzahlung wurde angenommen; die Bank wird gefragt."
  ],
  erase: ["Erase card and customer data", "Karten- und Kundendaten löschen"],
  eraseAbout: [
    "Erases the encrypted number, its hash, and the customer's name, e-mail, phone and address for ever. Amounts and states stay.",
    "Löscht die verschlüsselte Nummer, ihren Hash sowie Name, E-Mail, Telefon und Adresse des Kunden für immer. Beträge und Zustände bleiben."
  ],
  eraseConfirm: ["Type the order's number to confirm", "Geben Sie zur Bestätigung die Nummer des Auftrags ein"],
  erased: ["The data was erased.", "Die Daten wurden gelöscht."],
  resend: ["Send again", "Erneut senden"],
  resent: ["The callback is on its way again.", "Der Callback ist wieder unterwegs."],
  changedTitle: ["The order has changed", "Der Auftrag hat sich geändert"],
  changed: [
    "Another person or the bank changed it after you opened the page. Nothing was done: look at it, then decide again.",
    "Eine andere Person oder die Bank hat ihn geändert, nachdem Sie die Seite geöffnet haben. Nichts wurde getan: Sehen Sie ihn an und entscheiden Sie neu."
  ],
  secondTitle: ["A second person must confirm", "Eine zweite Person muss bestätigen"],
  second: [
    "Your change is kept as a proposal. It is made when a second person with the role confirms it.",
    "Ihre Änderung ist als Vorschlag gespeichert. Sie geschieht, wenn eine zweite Person mit der Rolle sie bestätigt."
  ],
  nowTitle: ["Now", "Jetzt"],
  whose: ["Whose problem it is", "Wessen Problem es ist"],
  sideGateway: ["This gateway", "Dieses Gateway"],
  sideBank: ["Bank, rail, 3-D Secure", "Bank, Auszahlungsweg, 3-D Secure"],
  sideMerchant: ["Merchants", "Händler"],
  fine: ["no problem found", "kein Problem gefunden"],
  wrong: ["needs attention", "braucht Aufmerksamkeit"],
  problemNotReady: ["is why no new orders are taken", "ist der Grund, warum keine neuen Aufträge angenommen werden"],
  problemOverdue: ["jobs are overdue", "Aufgaben sind überfällig"],
  problemFailing: ["does not answer, or cannot be reached", "antwortet nicht oder ist nicht erreichbar"],
  problemSilent: ["has not answered a request for", "hat eine Anfrage nicht beantwortet seit"],
  problemRefused: ["has most requests refused", "bekommt die meisten Anfragen abgelehnt"],
  problemBroken: ["answers of this gateway", "Antworten dieses Gateways"],
  unknown: ["Outcome unknown", "Ausgang unbekannt"],
  processing: ["In progress", "In Arbeit"],
  callbacksWaiting: ["Callbacks waiting", "Wartende Callbacks"],
  callbacksDead: ["Callbacks given up", "Aufgegebene Callbacks"],
  overdue: ["Jobs overdue", "Überfällige Aufgaben"],
  counterparties: ["Whom the gateway asks, in the last hour", "Wen das Gateway fragt, in der letzten Stunde"],
  noCounterparties: [
    "Nobody was asked yet. Bank, payout rail, 3-D Secure server and callback hosts stand here after their first request.",
    "Noch niemand wurde gefragt. Bank, Auszahlungsweg, 3-D-Secure-Server und Callback-Hosts stehen hier nach ihrer ersten Anfrage."
  ],
  chartAbout: ["requests by minute in the last hour", "Anfragen je Minute in der letzten Stunde"],
  inFlight: ["waiting", "wartend"],
  figures: ["Figures", "Zahlen"],
  minute: ["Minute", "Minute"],
  answered: ["Answered", "Beantwortet"],
  failed: ["Failed", "Gescheitert"],
  merchants: ["Merchants, in the last hour", "Händler, in der letzten Stunde"],
  noMerchants: ["No merchant sent a request yet.", "Noch kein Händler hat eine Anfrage gesendet."],
  requests: ["Requests", "Anfragen"],
  refusedRequests: ["Refused", "Abgelehnt"],
  brokenRequests: ["Failed here", "Hier gescheitert"],
  ofProcess: ["Requests are those of the process", "Anfragen sind die des Prozesses"],
  chores: ["What needs a person", "Was einen Menschen braucht"],
  noChores: [
    "Nothing: no unknown outcome, no task, no proposal, no payout, no callback that was given up.",
    "Nichts: kein unbekannter Ausgang, keine Aufgabe, kein Vorschlag, keine Auszahlung, kein aufgegebener Callback."
  ],
  choreUnknown: [
    "request whose outcome is unknown|requests whose outcome is unknown",
    "Anfrage, deren Ausgang unbekannt ist|Anfragen, deren Ausgang unbekannt ist"
  ],
  choreTasks: [
    "answer that contradicts its order|answers that contradict their orders",
    "Antwort, die ihrem Auftrag widerspricht|Antworten, die ihren Aufträgen widersprechen"
  ],
  choreProposals: [
    "change that waits for a second person|changes that wait for a second person",
    "Änderung, die auf eine zweite Person wartet|Änderungen, die auf eine zweite Person warten"
  ],
  chorePayouts: [
    "payout that waits for its approver|payouts that wait for their approvers",
    "Auszahlung, die auf ihren Freigeber wartet|Auszahlungen, die auf ihre Freigeber warten"
  ],
  choreDead: ["callback that was given up|callbacks that were given up", "aufgegebener Callback|aufgegebene Callbacks"],
  choreBookings: [
    "booking that a restored store lacks|bookings that a restored store lacks",
    "Buchung, die einem wiederhergestellten Speicher fehlt|Buchungen, die einem wiederhergestellten Speicher fehlen"
  ],
  nothingComing: ["Nothing is due.", "Nichts ist fällig."],
  overdueSince: ["overdue for", "überfällig seit"],
  changedTitleNow: ["What changed", "Was sich geändert hat"],
  processStarted: ["The process started", "Der Prozess wurde gestartet"],
  dueRecurring: ["Recurring payments are charged", "Wiederkehrende Zahlungen werden eingezogen"],
  dueEnumerate: ["Bank and rail list their bookings", "Bank und Auszahlungsweg listen ihre Buchungen"],
  dueReversal: ["The bank reverses a late approval", "Die Bank macht eine späte Genehmigung rückgängig"],
  stale: [
    "No new figures come: these are old. The page tries again by itself.",
    "Es kommen keine neuen Zahlen: Diese sind alt. Die Seite versucht es von selbst wieder."
  ],
  continueTitle: ["Continue to the console", "Weiter zur Konsole"]
} as const satisfies Readonly<Record<string, readonly [string, string]>>

export type Key = keyof typeof table

/** The languages of the console. */
export type ConsoleLanguage = Extract<Language.Language, "en" | "de">
const columns = { en: 0, de: 1 } as const satisfies Readonly<Record<ConsoleLanguage, number>>

export const isLanguage = (text: string): text is ConsoleLanguage => Object.hasOwn(columns, text)

/** Returns a text in the language. */
export type Texts = (key: Key) => string

/** Returns the form of a text that this number has. */
export const counted = (text: string, count: number): string => {
  const [one = "", many = one] = text.split("|")
  return count === 1 ? one : many
}

export const textsIn =
  (language: ConsoleLanguage): Texts =>
  (key) =>
    table[key][columns[language]]
