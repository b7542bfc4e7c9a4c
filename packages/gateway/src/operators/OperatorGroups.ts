/** The commands that the operations make: what stands above their flags in help. A command's first word names its group. */

export interface Group {
  /** Other words for the command. */
  readonly also?: ReadonlyArray<string>
  /** One sentence for the list of commands. */
  readonly summary: string
  readonly about: string
  readonly examples: ReadonlyArray<string>
}

export const groups = {
  audit: {
    summary: "List who did what with an operator's or an approver's rights.",
    about: "Newest first. Every privileged change is recorded in the commit that makes it.",
    examples: ["pay audit --from 2026-11-01", "pay audit --subject order:6768788"]
  },
  logs: {
    summary: "Show requests as they arrive at the gateway, and follow them.",
    about:
      "Each line is a request of a merchant: operation, order, whether its signature is right, and how it was answered; never a field with card data or a key. tail shows the last ones and goes on until it is stopped with Ctrl-C; --once only shows them. The gateway keeps the last 2000 requests in memory: they are gone when it ends, and each process of a gateway has its own.",
    examples: ["pay logs tail", "pay logs tail --refused --once", "pay logs tail --order 902B4FF5 --json"]
  },
  orders: {
    also: ["order"],
    summary: "Search orders, show one, or settle one that the bank left unknown.",
    about:
      "Newest first; all criteria must hold. A page looks at a bounded number of orders: where it names a next one, that goes on. resolve says how the bank answered by other ways; it takes effect when a second operator, who has read the proposal with show, confirms exactly that by its digest. It is booked like the bank's own answer, and stays in the audit.",
    examples: [
      "pay orders search --merchant shop --last-four 1111 --from 2026-11-01",
      "pay orders search --unknown-for 6h",
      "pay orders search --merchant shop --card-file - < card.txt",
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
    about:
      "reload checks the whole file first; where anything is wrong, every problem is printed and the merchants stay as they were.",
    examples: ["pay merchants show my-shop", "pay merchants reload"]
  },
  keys: {
    summary: "List, add, rotate and revoke a merchant's keys; re-encrypt under the current master key.",
    about:
      "The gateway makes control keys and shows each once; it takes the public half of RSA keys. rotate adds a key and retires the others after the overlap, in which both count; what the gateway signs is signed by the newest. revoke counts at once. rotation re-encrypts, in the gateway and beside payments, everything that is encrypted under an older master key, and shows its progress; breaking off the command does not stop it. It ends with 1 where something could not be decrypted: then the older master keys must stay.",
    examples: ["pay keys rotate my-shop --overlap 7d", "pay keys revoke my-shop control-1", "pay keys rotation"]
  },
  payout: {
    summary: "List payouts that wait for a second person; show, approve or reject one.",
    about:
      "list shows what lapses first at the top; without --approver it uses an operator's token. The rest is signed with an approver's own Ed25519 key, which the gateway's configuration knows by name. What is signed names order, amount and recipient as they were shown; nothing else is approved by it. Make a key with: openssl genpkey -algorithm ed25519 -out approver.pem; its public half with: openssl pkey -in approver.pem -pubout.",
    examples: [
      "pay payout list --waiting --merchant my-shop",
      "pay payout show 6768788",
      "pay payout approve 6768788 --approver ada --approver-key-file ada.pem"
    ]
  },
  balance: {
    summary: "Make money payable for a merchant, or show what may be paid out.",
    about:
      "A posting is booked once for its reference: sent again with the same content it is answered the same, with other content it is refused. Captured sales do not become payable by themselves. The audit records who made money payable.",
    examples: [
      "pay balance add --reference wire-2026-11-21 --merchant shop --endpoint 1001 --amount 1000.00",
      "pay balance show --merchant shop"
    ]
  },
  bookings: {
    summary: "Show what a restored gateway does not know of bank and rail, and import it.",
    about:
      "A gateway on a copy that was put back takes no orders before it knows what bank and rail have booked since. status shows how far it is. Where an adapter cannot list the bookings, import gives the gateway the bank's own list: CSV with a header line, or a JSON list, with reference, kind, amount, currency, at and result, and clientOrderId and merchant where the bank knows them; --from and --to are the period that the list covers. list shows what no request has asked for again; close records how one was settled. Every import and close is in the audit.",
    examples: [
      "pay bookings status",
      "pay bookings import bank.csv --source bank --from 2026-11-21 --to 2026-11-22T09:00:00Z",
      "pay bookings close 6768788-sale-0 --source bank --note 'Refunded by the bank, Ms Smith, 22 November'"
    ]
  },
  tasks: {
    summary: "Settle answers of bank and rail that came after an order had ended otherwise.",
    about:
      "An approval that comes after a final decline does not change the order: it is kept as evidence and is a task here. reverse asks the bank to give the money back; close records that it was settled by other ways. Both are in the audit. With the endpoint's setting unexpectedApproval the gateway reverses at once.",
    examples: ["pay tasks list", "pay tasks reverse 6768788-sale-0.approved --note 'The shop was told it is declined'"]
  },
  reconciliation: {
    summary: "Recompute every order and balance, and list discrepancies with the books of bank and rail.",
    about:
      "Runs in the gateway, beside payments; the command shows its progress. With --from and --to it compares only what was created, or booked by bank and rail, in that time. Ends with 0 where everything adds up, with 1 where something does not, otherwise as every command.",
    examples: ["pay reconciliation", "pay reconciliation --json"]
  },
  cards: {
    summary: "Erase card data at a person's request.",
    about:
      "The encrypted number, its hash and the customer's name, e-mail, phone and address; of a payout its recipient. Amounts, states and the masked number stay. Captures, voids and returns still work; what needs the number is refused. A recurring payment must have been cancelled, or be over.",
    examples: [
      "pay cards erase --order 6768788",
      "pay cards erase --card-ref 1484",
      "pay cards erase --subscription 6768790"
    ]
  },
  settlement: {
    summary: "Export the books of a day as CSV, with balances that add up.",
    about:
      "To standard output, as it is read. Days are in UTC and must be over. For each account: its opening balance, every entry with the balance after it, its closing balance, which is the next day's opening. Accounts without balance and entries are left out.",
    examples: ["pay settlement export --day 2026-11-20 > 2026-11-20.csv"]
  },
  subscriptions: {
    summary: "List recurring payments, or show one with its occurrences.",
    about: "Newest first.",
    examples: ["pay subscriptions list --state suspended", "pay subscriptions show 117526936239656961"]
  }
} as const satisfies Readonly<Record<string, Group>>
