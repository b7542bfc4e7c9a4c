/** The texts of the page of what waits, of searches and of the second step of the sign-in, in English and German. `ConsoleTexts.ts` says what they may have. */
export const waitingTexts = {
  unknownTitle: ["Unknown and waiting", "Unbekannt und wartend"],
  inquireAll: ["Ask the bank about all now", "Bank jetzt zu allen fragen"],
  noUnknown: [
    "No outcome is unknown. A request stands here when bank or rail did not say what became of it, grouped by the reason.",
    "Kein Ausgang ist unbekannt. Eine Anfrage steht hier, wenn Bank oder Auszahlungsweg nicht gesagt haben, was aus ihr wurde, nach Gründen gruppiert."
  ],
  noEvidence: ["No answer yet", "Noch keine Antwort"],
  choose: ["Choose", "Auswählen"],
  since: ["Since", "Seit"],
  ourSide: ["Our side", "Unsere Seite"],
  bankSide: ["The bank's side", "Seite der Bank"],
  outcome: ["Outcome", "Ausgang"],
  statedBy: ["Who stated it, and when", "Wer es gesagt hat, und wann"],
  statedHint: [
    "Ms Smith of the bank, by telephone, 21 November",
    "Frau Schmidt von der Bank, telefonisch, 21. November"
  ],
  approvalCode: ["Approval code, for an approved payment", "Genehmigungscode, für eine genehmigte Zahlung"],
  propose: ["Propose for the chosen orders", "Für die gewählten Aufträge vorschlagen"],
  outcomesProposed: ["Outcomes that a second person confirms", "Ausgänge, die eine zweite Person bestätigt"],
  noOutcomes: [
    "Nothing is proposed. A proposed outcome stands here until a person other than its proposer confirms it.",
    "Nichts ist vorgeschlagen. Ein vorgeschlagener Ausgang steht hier, bis ihn eine andere Person bestätigt."
  ],
  second2: ["needs a second person", "braucht eine zweite Person"],
  proposal: ["Proposal", "Vorschlag"],
  confirm: ["Confirm", "Bestätigen"],
  withdraw: ["Withdraw", "Zurückziehen"],
  changesProposed: ["Changes that a second person confirms", "Änderungen, die eine zweite Person bestätigt"],
  noChanges: [
    "No change waits. What needs a second person stands here until it is confirmed.",
    "Keine Änderung wartet. Was eine zweite Person braucht, steht hier, bis es bestätigt ist."
  ],
  change: ["Change", "Änderung"],
  proposedBy: ["Proposed by", "Vorgeschlagen von"],
  tasks: ["Answers that contradict their orders", "Antworten, die ihren Aufträgen widersprechen"],
  noTasks: [
    "No task. An approval after a final decline, for example, stands here until it is reversed or closed.",
    "Keine Aufgabe. Eine Genehmigung nach einer endgültigen Ablehnung etwa steht hier, bis sie rückgängig gemacht oder geschlossen ist."
  ],
  answerTask: ["State the outcome", "Ausgang angeben"],
  closeTask: ["Close", "Schließen"],
  reverseTask: ["Have it reversed", "Rückgängig machen lassen"],
  doneAll: ["Done. The audit has it.", "Erledigt. Das Audit enthält es."],
  noneChosen: ["No order was chosen, or no outcome.", "Kein Auftrag wurde gewählt, oder kein Ausgang."],
  further: ["Further outcomes", "Weitere Ausgänge"],
  allOfThese: ["All {count} of these", "Alle {count} davon"],
  noPayouts: [
    "No payout waits. A payout above the limit of its endpoint stands here until its approver signs it.",
    "Keine Auszahlung wartet. Eine Auszahlung über der Grenze ihres Endpunkts steht hier, bis ihr Freigeber sie unterschreibt."
  ],
  payoutsWaiting: ["Payouts that an approver confirms", "Auszahlungen, die ein Freigeber bestätigt"],
  expires: ["Lapses", "Verfällt"],
  decide: ["Decide", "Entscheiden"],
  approver: ["Approver", "Freigeber"],
  approverSignature: ["Signature", "Unterschrift"],
  payoutHint: [
    "The approver signs the text with their own key; the gateway takes no other proof. Write APPROVER's name, and reject instead of approve to reject.",
    "Der Freigeber unterschreibt den Text mit seinem eigenen Schlüssel; einen anderen Nachweis nimmt das Gateway nicht. Schreiben Sie den Namen statt APPROVER, und reject statt approve zum Ablehnen."
  ],
  codeTitle: ["Second step", "Zweiter Schritt"],
  code: ["Code", "Code"],
  codeHint: [
    "The six digits that your authenticator shows now. Each code is accepted once.",
    "Die sechs Ziffern, die Ihr Authenticator jetzt zeigt. Jeder Code gilt einmal."
  ],
  codeSubmit: ["Continue", "Weiter"],
  codeWrong: [
    "The code is wrong or was used before. Type the next one that your authenticator shows.",
    "Der Code ist falsch oder wurde schon benutzt. Geben Sie den nächsten ein, den Ihr Authenticator zeigt."
  ],
  codePaused: [
    "Too many wrong codes. Try again in 15 minutes.",
    "Zu viele falsche Codes. Versuchen Sie es in 15 Minuten wieder."
  ],
  enrolHint: [
    "Your gateway requires a two-step sign-in for everything but looking. Enrol on the command line first:",
    "Ihr Gateway verlangt eine Anmeldung in zwei Schritten für alles außer dem Ansehen. Richten Sie sie zuerst auf der Kommandozeile ein:"
  ],
  onlyLook: ["Only look", "Nur ansehen"],
  lacksCode: ["You may only look: give a code", "Sie dürfen nur ansehen: Code eingeben"],
  noneHere: ["No order among these.", "Kein Auftrag darunter."],
  lookedAt: ["{count} orders were read, from the newest.", "{count} Aufträge wurden gelesen, von den neuesten an."],
  eraseCustomer: ["Erase everything of a customer", "Alles von einem Kunden löschen"],
  eraseCustomerAbout: [
    "Erases card and customer data of all orders with this e-mail address, their stored cards, and recurring payments that are over. What is still needed is left and listed. It cannot be brought back.",
    "Löscht Karten- und Kundendaten aller Aufträge mit dieser E-Mail-Adresse, ihre gespeicherten Karten und beendete wiederkehrende Zahlungen. Was noch gebraucht wird, bleibt und wird aufgelistet. Es lässt sich nicht zurückholen."
  ],
  customerEmail: ["E-mail address of the customer", "E-Mail-Adresse des Kunden"],
  emailAgain: ["The address again, to confirm", "Die Adresse noch einmal, zur Bestätigung"],
  emailDiffers: [
    "The two addresses differ. Nothing was erased.",
    "Die beiden Adressen unterscheiden sich. Nichts wurde gelöscht."
  ],
  onlyMerchant: [
    "Only orders of this merchant, if you name one",
    "Nur Aufträge dieses Händlers, wenn Sie einen nennen"
  ],
  erasedOrders: ["Orders erased so far: {count}.", "Bisher gelöschte Aufträge: {count}."],
  eraseMore: ["Continue with older orders", "Mit älteren Aufträgen fortfahren"],
  keptOrders: ["Orders that are left", "Aufträge, die bleiben"],
  noneKept: ["No order of these is left.", "Keiner dieser Aufträge bleibt."],
  approvePayout: ["Approve", "Freigeben"],
  rejectPayout: ["Reject", "Ablehnen"]
} as const satisfies Readonly<Record<string, readonly [string, string]>>
