/** The groups of commands, with the text above their flags in help. A command's first word is the name of its group. */

export interface Group {
  /** Other names of the group. */
  readonly also?: ReadonlyArray<string>
  /** One sentence for the list of commands. */
  readonly summary: string
  readonly about: string
  readonly examples: ReadonlyArray<string>
}

export const groups = {
  now: {
    summary: "Show what is wrong now and whose it is, what waits, what happens next, and what changed.",
    about:
      "Findings name the gateway, the bank's side or one merchant. Requests are those of the last hour of the process that answers; all other figures are those of the store, and stop at 1000.",
    examples: ["pay now", "pay now --json"]
  },
  operator: {
    summary: "List and add the people who operate the gateway; change their roles and tokens.",
    about:
      "Each person has a token of their own, so that the audit records the name; the store has only its hash. A change holds at once in every process, without a restart. Who adds a person sees their first token: until the person replaces it with pay operator token, both count as one where two people are needed.",
    examples: ["pay operator add alice --roles support,finance", "pay operator token", "pay operator remove alice"]
  },
  audit: {
    summary: "List who did what with an operator's or an approver's rights.",
    about: "The newest entries come first. Every privileged change is recorded in the commit that makes it.",
    examples: ["pay audit --from 2026-11-01", "pay audit --subject order:6768788"]
  },
  logs: {
    summary: "Show requests as they arrive at the gateway and follow them; set the level of its log.",
    about:
      "Each line is a request of a merchant: operation, order, whether its signature is right, the remote address, the name of the key that verified it, and the answer. It has no card data and no secret. tail shows the last requests and follows new ones until Ctrl-C; --once shows only the last ones. Each gateway process keeps its last 2000 requests in memory, until it ends. level sets what one process logs on its standard output, without a restart.",
    examples: [
      "pay logs tail",
      "pay logs tail --key my-shop/control-1",
      "pay logs level debug",
      "pay logs tail --refused --once",
      "pay logs tail --order 902B4FF5 --json"
    ]
  },
  orders: {
    also: ["order"],
    summary: "Search orders, show one, or resolve one whose outcome is unknown.",
    about:
      "The newest orders come first, and an order must meet all criteria. A page reads a limited number of orders; --after continues. resolve proposes the outcome that the bank stated in another way. A second operator reads the proposal with show and confirms it by its digest. Then it is booked like the bank's own answer. Until then both may withdraw it. The audit records all of it.",
    examples: [
      "pay orders search --merchant my-shop --last-four 1111 --from 2026-11-01",
      "pay orders search --unknown-for 6h",
      "pay orders search --merchant my-shop --card-file - < card.txt",
      "pay orders show 6768788",
      "pay orders resolve 6768788 --as approved --approval-code 831000 --evidence 'Ms Smith, by telephone, 21 November'",
      "pay orders confirm 6768788 --as approved --digest 9b1d6bcb0a2f8c6e0d5c3f3a0c1d2e4f"
    ]
  },
  callbacks: {
    summary: "List callbacks to merchants, or send one again.",
    about: "A callback that is sent again has the same content and webhook-id.",
    examples: ["pay callbacks list --state dead-lettered", "pay callbacks resend 6768788-1"]
  },
  merchants: {
    summary: "List a gateway's merchants, show one, or reload them from the configuration file.",
    about: "reload checks the whole file first. If anything is wrong, it prints every problem and changes nothing.",
    examples: ["pay merchants show my-shop", "pay merchants reload"]
  },
  keys: {
    summary: "List, add, rotate and revoke a merchant's keys; re-encrypt under the current master key.",
    about:
      "The gateway makes control keys and shows each once. It takes only the public half of an RSA key. rotate adds a key and retires the others after the overlap; during the overlap all are valid, and the gateway signs with the newest. revoke takes effect at once. rotation re-encrypts everything that is encrypted under an older master key, and shows its progress. It runs in the gateway, beside payments, also after the command was stopped. It ends with 1 if something could not be decrypted: then keep the older master keys.",
    examples: ["pay keys rotate my-shop --overlap 7d", "pay keys revoke my-shop control-1", "pay keys rotation"]
  },
  proposals: {
    also: ["proposal"],
    summary: "List changes that wait for a second person; confirm or withdraw one.",
    about:
      "The configuration's operator.secondPerson names commands whose changes a second person confirms, with the amount of each currency above which they do; tasks answer always needs one. The second person needs the role of the change. The audit records both. A proposal lapses after a week.",
    examples: ["pay proposals list", "pay proposals confirm 119945358933700608"]
  },
  payout: {
    summary: "List payouts that wait for a second person; show, approve or reject one.",
    about:
      "list shows first the payout that lapses first. Without --approver it uses an operator's token. The other commands sign with the approver's own Ed25519 key; the gateway's configuration has the public half. The signature covers the order, the amount and the recipient as they were shown. Make a key with: openssl genpkey -algorithm ed25519 -out approver.pem; print its public half with: openssl pkey -in approver.pem -pubout.",
    examples: [
      "pay payout list --waiting --merchant my-shop",
      "pay payout show 6768788",
      "pay payout approve 6768788 --approver ada --approver-key-file ada.pem"
    ]
  },
  balance: {
    summary: "Make money payable for a merchant, or show what may be paid out.",
    about:
      "A reference is booked once. If you repeat a posting, you get the same answer. The same reference with other content is refused. Captured sales do not become payable by themselves. The audit records who made money payable.",
    examples: [
      "pay balance add --reference wire-2026-11-21 --merchant my-shop --endpoint 22903 --amount 1000.00",
      "pay balance show --merchant my-shop"
    ]
  },
  bookings: {
    summary: "Show the bookings of bank and rail that a restored gateway lacks, and import them.",
    about:
      "A restored gateway takes no orders until it knows what bank and rail have booked since the copy. status shows its progress. If an adapter cannot list the bookings, import the bank's own list: CSV with a header line, or a JSON list. Its fields are reference, kind, amount, currency, at and result, and clientOrderId and merchant if the bank knows them. --from and --to are the period of the list. list shows the bookings whose request no merchant has repeated. close records how a booking was settled. The audit records every import and close.",
    examples: [
      "pay bookings status",
      "pay bookings import bank.csv --source bank --from 2026-11-21 --to 2026-11-22T09:00:00Z",
      "pay bookings close 6768788-sale-0 --source bank --note 'Refunded by the bank, Ms Smith, 22 November'"
    ]
  },
  tasks: {
    summary: "Settle answers of bank and rail that contradict how an order ended.",
    about:
      "An approval after a final decline does not change the order. It is kept as evidence and becomes a task. reverse asks the bank to give the money back. answer states what became of a request of which bank or rail cannot say it; a second person confirms that. close records that the task was settled in another way. The audit records both. If the endpoint's setting unexpectedApproval is reverse, the gateway reverses at once.",
    examples: [
      "pay tasks list",
      "pay tasks reverse 6768788-sale-0.approved --note 'The shop was told it is declined'",
      "pay tasks answer 6768788-refund-1.unknown --as declined --note 'Ms Smith, by telephone, 21 November'"
    ]
  },
  reconciliation: {
    summary: "Recompute every order and balance, and list discrepancies with the books of bank and rail.",
    about:
      "Runs in the gateway, beside payments; the command shows its progress. With --from and --to it compares only the orders and bookings of that period. Ends with 0 if it found no discrepancy, and with 1 if it found one. Other exit codes are those of every command.",
    examples: ["pay reconciliation", "pay reconciliation --json"]
  },
  cards: {
    summary: "Erase card data at a person's request.",
    about:
      "Erases the encrypted number, its hash, and the customer's name, e-mail, phone and address. For a payout, it erases the recipient. Amounts, states and the masked number stay. Captures, voids and returns still work. Operations that need the number are refused. A recurring payment must be cancelled or over. --email erases everything of a customer: orders, recurring payments, and the stored cards of these orders, as long as the orders have their cards. It prints what is left and why, and then ends with 1: ask again when that has ended. --merchant erases only what one merchant has.",
    examples: [
      "pay cards erase --order 6768788",
      "pay cards erase --card-ref 1484",
      "pay cards erase --subscription 6768790",
      "pay cards erase --email ada@shop.example --merchant my-shop"
    ]
  },
  settlement: {
    summary: "Export the books of a day as CSV, with balances that add up.",
    about:
      "Writes to standard output. The day is a UTC day and must be over. For each account: the opening balance, every entry with the balance after it, and the closing balance, which is the next day's opening. Accounts with neither a balance nor entries are left out.",
    examples: ["pay settlement export --day 2026-11-20 > 2026-11-20.csv"]
  },
  subscriptions: {
    summary: "List recurring payments, or show one with its occurrences.",
    about: "The newest come first.",
    examples: ["pay subscriptions list --state suspended", "pay subscriptions show 117526936239656961"]
  }
} as const satisfies Readonly<Record<string, Group>>
