/**
 * Why an operation was refused, in German: the sentences of the operator interface that a page of the console can show, as the command line
 * and programs get them, each with its translation. `{name}` stands for one word, and others for a value. A test lists every sentence of their sources.
 */
import { fill } from "../pages/Language.ts"
import type { ConsoleLanguage } from "./ConsoleTexts.ts"

/** What an operator may not do, or not now. */
const rights = {
  "this needs a code of your authenticator: give --operator-code CODE, or type it on the console":
    "Das braucht einen Code Ihres Authenticators: Geben Sie ihn auf der Konsole ein, oder --operator-code CODE an.",
  "this needs a two-step sign-in: pay operator enrol, then pay operator verify CODE":
    "Das braucht eine Anmeldung in zwei Schritten: pay operator enrol, dann pay operator verify CODE.",
  "this needs the role {role}, which {name} does not have": "Das braucht die Rolle {role}, die {name} nicht hat.",
  "this needs the role {role}": "Das braucht die Rolle {role}.",
  "try again later": "Versuchen Sie es später wieder.",
  "too many requests; wait a minute": "Zu viele Anfragen; warten Sie eine Minute.",
  "the gateway first learns what bank and rail have booked: try again later (pay bookings status)":
    "Das Gateway erfährt erst, was Bank und Auszahlungsweg gebucht haben: Versuchen Sie es später wieder (pay bookings status).",
  "you proposed this: a second person must confirm it":
    "Sie haben das vorgeschlagen: Eine zweite Person muss es bestätigen.",
  "{maker} made the token of {name} and may know it: {same} first replaces it (pay operator token)":
    "{maker} hat das Token von {name} gemacht und kennt es vielleicht: {same} ersetzt es zuerst (pay operator token)."
} as const

/** What is not there, or has changed. */
const changes = {
  "there is no such proposal": "Diesen Vorschlag gibt es nicht.",
  "there is no such order": "Diesen Auftrag gibt es nicht.",
  "there is no such callback": "Diesen Callback gibt es nicht.",
  "there is no such task": "Diese Aufgabe gibt es nicht.",
  "there is no such stored card": "Diese gespeicherte Karte gibt es nicht.",
  "there is no such recurring payment": "Diese wiederkehrende Zahlung gibt es nicht.",
  "it has changed meanwhile: ask again": "Es hat sich inzwischen geändert: Versuchen Sie es noch einmal.",
  "it has changed meanwhile: look at it, then ask again":
    "Es hat sich inzwischen geändert: Sehen Sie es an, und versuchen Sie es dann noch einmal.",
  "it has changed meanwhile: look at the order, then ask again":
    "Er hat sich inzwischen geändert: Sehen Sie den Auftrag an, und versuchen Sie es dann noch einmal.",
  "a second person must confirm this: pay proposals confirm {proposal}":
    "Eine zweite Person muss das bestätigen: pay proposals confirm {proposal}.",
  "others change this proposal: look at it, then try again":
    "Andere ändern diesen Vorschlag: Sehen Sie ihn an, und versuchen Sie es dann noch einmal.",
  "it was confirmed before; if the audit has no change after that, propose it again":
    "Er wurde schon bestätigt; wenn das Audit danach keine Änderung hat, schlagen Sie sie noch einmal vor.",
  "this gateway does not have the operation any more": "Dieses Gateway hat diese Operation nicht mehr.",
  "it was {state} before": "Der Vorschlag ist schon erledigt ({state}).",
  "it has lapsed after a week: request the change again":
    "Der Vorschlag ist nach einer Woche verfallen: Verlangen Sie die Änderung noch einmal.",
  "it is being tried anyway": "Er wird ohnehin gerade versucht.",
  "the task is {state}": "Die Aufgabe ist schon erledigt ({state}).",
  "the order has no outcome yet: resolve it (pay orders resolve {order})":
    "Der Auftrag hat noch keinen Ausgang: Klären Sie ihn (pay orders resolve {order}).",
  "the task does not wait for an answer: reverse or close it":
    "Die Aufgabe wartet auf keine Antwort: Machen Sie sie rückgängig, oder schließen Sie sie.",
  "the request may still arrive: state this 15 minutes after the task was opened (orders.resubmitWithinMs)":
    "Die Anfrage kann noch ankommen: Geben Sie das 15 Minuten nach dem Beginn der Aufgabe an (orders.resubmitWithinMs).",
  "the gateway waits for the outcome of this request: state it (pay tasks answer {task})":
    "Das Gateway wartet auf den Ausgang dieser Anfrage: Geben Sie ihn an (pay tasks answer {task}).",
  "the bank cannot be asked to give this back: deal with it by other ways, then close the task":
    "Die Bank kann nicht gebeten werden, das zurückzugeben: Klären Sie es auf anderem Weg, und schließen Sie dann die Aufgabe.",
  "there is no such order, or none of its requests is open: nothing is left to ask":
    "Diesen Auftrag gibt es nicht, oder keine seiner Anfragen ist offen: Es ist nichts mehr zu fragen.",
  "this payout may still be paid and needs its recipient: ask when it is paid, or when its check has lapsed, a day after it was made":
    "Diese Auszahlung kann noch gezahlt werden und braucht ihren Empfänger: Versuchen Sie es, wenn sie gezahlt oder ihre Prüfung verfallen ist, einen Tag nach ihrem Beginn.",
  "a request about this order is under way and may need what would be erased: ask when it has ended":
    "Eine Anfrage zu diesem Auftrag läuft und braucht vielleicht, was gelöscht würde: Versuchen Sie es, wenn sie beendet ist.",
  "this recurring payment is {state} and needs its card: its merchant cancels it first, by update-recurring-payment":
    "Diese wiederkehrende Zahlung ({state}) braucht ihre Karte: Ihr Händler beendet sie zuerst, mit update-recurring-payment."
} as const

/** Unknown outcomes, and payouts that wait for their approvers. */
const outcomes = {
  "the bank is not asked for it any more": "Die Bank wird dazu nicht mehr gefragt.",
  "there is no proposal to confirm: propose an outcome first":
    "Es gibt keinen Vorschlag zu bestätigen: Schlagen Sie zuerst einen Ausgang vor.",
  "there is no proposal to withdraw": "Es gibt keinen Vorschlag zurückzuziehen.",
  "the current proposal differs: read it, then confirm it":
    "Der Vorschlag lautet jetzt anders: Lesen Sie ihn, und bestätigen Sie ihn dann.",
  "the current proposal differs: read it, then withdraw it":
    "Der Vorschlag lautet jetzt anders: Lesen Sie ihn, und ziehen Sie ihn dann zurück.",
  "this outcome cannot be committed: {reason}": "Dieser Ausgang lässt sich nicht buchen: {reason}",
  "nothing of this order is unknown: there is nothing to settle by hand":
    "An diesem Auftrag ist nichts unbekannt: Von Hand ist nichts zu klären.",
  "more than one request is unknown: name one of {requests}":
    "Mehr als eine Anfrage ist unbekannt: Nennen Sie eine von {requests}.",
  "the bank's answer is not unknown: there is nothing to settle by hand":
    "Die Antwort der Bank ist nicht unbekannt: Von Hand ist nichts zu klären.",
  "a check moves no money and is sent again: wait, or let it lapse":
    "Eine Prüfung bewegt kein Geld und wird wieder gesendet: Warten Sie, oder lassen Sie sie verfallen.",
  "it may still be sent to the bank again: propose this 15 minutes after its acceptance (orders.resubmitWithinMs)":
    "Sie kann noch einmal an die Bank gesendet werden: Schlagen Sie das 15 Minuten nach ihrer Annahme vor (orders.resubmitWithinMs).",
  "give the approval code that the bank named": "Geben Sie den Genehmigungscode an, den die Bank genannt hat.",
  "no payout with this number waits for this approver, or the signature is not theirs":
    "Keine Auszahlung mit dieser Nummer wartet auf diesen Freigeber, oder die Unterschrift ist nicht seine.",
  "this gateway first learns what was paid before it was put back from a copy: try again later":
    "Dieses Gateway erfährt erst, was gezahlt wurde, bevor es aus einer Kopie wiederhergestellt wurde: Versuchen Sie es später wieder.",
  "amount or recipient are not what waits; look again before you sign":
    "Betrag oder Empfänger sind nicht die, die warten; sehen Sie vor dem Unterschreiben noch einmal hin.",
  "the payout no longer waits: it is {state}": "Die Auszahlung wartet nicht mehr ({state}).",
  "others changed it each time; try again": "Andere haben es jedes Mal geändert; versuchen Sie es noch einmal."
} as const

/** Refunds and voids. */
const followUps = {
  "an equal one was accepted minutes ago (pay orders show): give a key, --key, for another one":
    "Eine gleiche wurde vor Minuten angenommen (pay orders show): Öffnen Sie den Auftrag für eine weitere noch einmal.",
  "the gateway's configuration has no merchant {merchant} with this order's endpoint":
    "Die Konfiguration des Gateways hat keinen Händler {merchant} mit dem Endpunkt dieses Auftrags.",
  "Order {order} is no card payment: nothing to capture, void or return":
    "Auftrag {order} ist keine Kartenzahlung: Es gibt nichts einzuziehen, freizugeben oder zurückzuzahlen.",
  "Order {order} has no final outcome yet; ask status and try again once it is approved":
    "Auftrag {order} hat noch keinen endgültigen Ausgang; versuchen Sie es wieder, wenn er genehmigt ist.",
  "Order {order} was not approved ({status})": "Auftrag {order} wurde nicht genehmigt ({status}).",
  "A capture of order {order} is under way; ask status and try again once it is no longer processing":
    "Ein Einzug von Auftrag {order} läuft; versuchen Sie es wieder, wenn er beendet ist.",
  "Parameter amount is required: on this endpoint the control of a capture or return must cover amount and currency, also of a whole one":
    "Der Betrag ist nötig: Dieser Endpunkt verlangt Betrag und Währung auch für das Ganze.",
  "The payment is captured and cannot be voided; use return to give the money back":
    "Die Zahlung ist eingezogen und lässt sich nicht freigeben; zahlen Sie sie zurück.",
  "Nothing is left to void: the hold is released or being released":
    "Nichts ist mehr freizugeben: Die Reservierung ist freigegeben oder wird es gerade.",
  "An uncaptured preauth is cancelled as a whole; give the whole amount of its hold":
    "Eine Reservierung ohne Einzug wird als Ganzes aufgehoben; geben Sie ihren ganzen Betrag an.",
  "An uncaptured preauth is cancelled as a whole; leave amount out":
    "Eine Reservierung ohne Einzug wird als Ganzes aufgehoben; lassen Sie den Betrag weg.",
  "Nothing was captured: there is nothing to return": "Nichts wurde eingezogen: Es gibt nichts zurückzuzahlen.",
  "The hold is being released; try again once that has ended":
    "Die Reservierung wird gerade freigegeben; versuchen Sie es danach wieder.",
  "All captured money is returned, being returned or charged back":
    "Alles Eingezogene ist zurückgezahlt, wird es gerade oder wurde rückbelastet.",
  "amount exceeds what was captured and neither returned nor charged back":
    "Der Betrag ist höher als das, was eingezogen und weder zurückgezahlt noch rückbelastet ist.",
  "A verification moves no money: there is nothing to capture, void or return":
    "Eine Kartenprüfung bewegt kein Geld: Es gibt nichts einzuziehen, freizugeben oder zurückzuzahlen.",
  "A transfer is with its recipient: it cannot be captured, voided or returned":
    "Eine Überweisung ist bei ihrem Empfänger: Sie lässt sich nicht einziehen, freigeben oder zurückzahlen.",
  "A question about a card moves no money: there is nothing to capture, void or return":
    "Eine Frage zu einer Karte bewegt kein Geld: Es gibt nichts einzuziehen, freizugeben oder zurückzuzahlen.",
  "Unknown order": "Diesen Auftrag gibt es nicht.",
  "The amount has more decimals than its currency": "Der Betrag hat mehr Nachkommastellen als seine Währung.",
  "The amount is larger than can be booked": "Der Betrag ist größer, als gebucht werden kann.",
  "Idempotency-Key was already used with other content": "Dieses Formular wurde schon mit anderem Inhalt gesendet.",
  "The service is not available at the moment": "Der Dienst ist gerade nicht verfügbar."
} as const

/** Parameters that the contract refuses. */
const parameters = {
  "{name} is a reason in words, of at most {count} characters":
    "{name}: Geben Sie einen Grund in Worten an, mit höchstens {count} Zeichen.",
  "{name} is an amount: 10.42": "{name}: Geben Sie einen Betrag an, wie 10.42.",
  "{name} is a currency of ISO 4217: USD": "{name}: Geben Sie eine Währung nach ISO 4217 an, wie USD.",
  "{name} is an e-mail address": "{name}: Geben Sie eine E-Mail-Adresse an.",
  "{name} is an identifier": "{name}: Geben Sie eine Kennung an.",
  "{name} is the number of an order": "{name}: Geben Sie die Nummer eines Auftrags an.",
  "{name} is a Unix time in seconds": "{name}: Geben Sie eine Unix-Zeit in Sekunden an.",
  "{name} is a time (2026-11-21T00:00:00Z)": "{name}: Geben Sie eine Zeit an, wie 2026-11-21T00:00:00Z.",
  "{name} is not a time (2026-11-21T00:00:00Z)": "{name}: Geben Sie eine Zeit an, wie 2026-11-21T00:00:00Z.",
  "{name} is a number from 1 to 1000": "{name}: Geben Sie eine Zahl von 1 bis 1000 an.",
  "{name} is not the next of a page": "{name}: Diese Seite gibt es nicht.",
  "{name} is a state of docs/merchants/lifecycle.md":
    "{name}: Geben Sie einen Zustand aus docs/merchants/lifecycle.md an.",
  "{name} must be a string matching the RegExp {pattern}": "{name}: Die Eingabe muss diesem Muster folgen: {pattern}",
  "{name} must be a value with a length of at least {count}": "{name}: Mindestens {count} Zeichen sind nötig.",
  "{name} must be a value with a length of at most {count}": "{name}: Höchstens {count} Zeichen sind möglich.",
  "{name} must be {expected}": "{name}: Möglich ist nur {expected}.",
  "{name} is needed": "{name}: Eine Eingabe ist nötig.",
  "{name} is not a parameter of this operation": "{name} gibt es bei dieser Operation nicht.",
  "merchant is needed with card and clientOrderId, which are compared within one merchant":
    "Zu clientOrderId gehört der Händler (merchant).",
  "time is needed for a look": "Zum Ansehen gehört die Zeit (time)."
} as const

/** Changes of other commands that a second person confirms on the console. */
const configurable = {
  "reference {reference} is another posting: {merchant}, endpoint {endpoint}, {amount} {currency}":
    "{reference} ist eine andere Buchung: {merchant}, Endpunkt {endpoint}, {amount} {currency}.",
  "merchant {merchant} has no endpoint {endpoint}": "Händler {merchant} hat keinen Endpunkt {endpoint}.",
  "endpoint {endpoint} takes {currencies}: give one as currency":
    "Endpunkt {endpoint} nimmt {currencies}: Geben Sie eine davon als Währung an.",
  "amount {amount} would take the balance past what an account can hold":
    "Mit {amount} würde das Guthaben größer, als ein Konto fasst.",
  "amount {amount} must be a decimal number like 10.50": "{amount} ist kein Betrag, wie 10.50 einer ist.",
  "amount {amount} has more than {digits} decimals": "{amount} hat mehr als {digits} Nachkommastellen.",
  "amount {amount} is larger than {most} of the smallest unit of its currency":
    "{amount} ist mehr als {most} der kleinsten Einheit seiner Währung.",
  "this key is known already, as {name}": "Dieser Schlüssel ist schon bekannt, als {name}.",
  "the merchant has {count} {kind} keys: revoke one first":
    "Der Händler hat {count} Schlüssel der Art {kind}: Widerrufen Sie zuerst einen.",
  "no merchant has the login {login}": "Kein Händler hat den Login {login}.",
  "this key is published, so everybody has it": "Dieser Schlüssel ist veröffentlicht, also hat ihn jeder.",
  "this key is active for {holder}: each merchant needs a key pair of its own":
    "Dieser Schlüssel ist für {holder} aktiv: Jeder Händler braucht ein eigenes Schlüsselpaar.",
  "a control key is made by the gateway: leave publicKey out":
    "Einen Kontrollschlüssel macht das Gateway: Lassen Sie publicKey weg."
} as const

/** Every sentence with its German text. What has more words of its own stands before what has fewer. */
export const table: Readonly<Record<string, string>> = {
  ...rights,
  ...changes,
  ...outcomes,
  ...followUps,
  ...configurable,
  ...parameters
}

/** Splits a sentence at its placeholders: text, name, text, name, text. */
const partsOf = (sentence: string): ReadonlyArray<string> => sentence.replaceAll("}", "{").split("{")

/** Returns the values with which a sentence became a message; `undefined`: the message is another sentence. */
const valuesOf = (sentence: string, message: string): Readonly<Record<string, string>> | undefined => {
  const [start = "", ...rest] = partsOf(sentence)
  if (!message.startsWith(start)) return undefined
  const values: Record<string, string> = {}
  let from = start.length
  for (let at = 0; at < rest.length; at += 2) {
    const [name = "", after = ""] = rest.slice(at, at + 2)
    const isLast = at + 2 >= rest.length
    const to = isLast ? message.length - after.length : message.indexOf(after, from + 1)
    if (to <= from || !message.endsWith(isLast ? after : "")) return undefined
    values[name] = message.slice(from, to)
    if (name === "name" && values[name].includes(" ")) return undefined
    from = to + after.length
  }
  return from === message.length ? values : undefined
}

const sentences = Object.entries(table)

/** Returns the German text of one sentence; `undefined`: there is none. */
const german = (message: string): string | undefined => {
  for (const [sentence, text] of sentences) {
    const values = valuesOf(sentence, message)
    if (values !== undefined) return fill(text, values)
  }
  return undefined
}

/** Returns the German text of a message, which may be several sentences; `undefined`: one has none. */
export const germanOf = (message: string): string | undefined => {
  const each = message.split("; ").map(german)
  return each.includes(undefined) ? german(message) : each.join(" ")
}

/** Returns why an operation was refused in the language of the page. A sentence of a newer gateway without German text stays English. */
export const inLanguage = (language: ConsoleLanguage, message: string): string =>
  language === "de" ? (germanOf(message) ?? message) : message
