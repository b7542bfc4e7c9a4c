/** The commands of those who run a gateway. */
import type { Command } from "./Command.ts"
import * as OperatorGateway from "./OperatorGateway.ts"

const json = { json: { about: "Print JSON, for programs." } }

const page = {
  from: { value: "TIME", about: "Not before: 2026-11-21 or 2026-11-21T08:00:00Z." },
  to: { value: "TIME", about: "Not after." },
  limit: { value: "COUNT", about: "At most so many, up to 1000; 100 by default." },
  after: { value: "CURSOR", about: "Go on where the page before ended, which names it." }
}

export const commands = {
  audit: {
    usage: "pay audit [--subject KIND:ID]",
    summary: "Tell who did what with an operator's or an approver's rights.",
    about: "Newest first. Every privileged change is recorded in the commit that makes it.",
    flags: {
      subject: { value: "KIND:ID", about: "Of one thing only: order:123." },
      ...page,
      ...OperatorGateway.flags
    },
    examples: ["pay audit --from 2026-11-01", "pay audit --subject order:6768788"]
  },
  orders: {
    also: ["order"],
    usage:
      "pay orders search [flags]\n       pay orders show ORDER\n       pay orders resolve ORDER --as OUTCOME --evidence TEXT\n       pay orders confirm ORDER --as OUTCOME --digest DIGEST",
    summary: "Look for orders, show everything about one, or settle one that the bank left unknown.",
    about:
      "Newest first; all criteria must hold. A page looks at a bounded number of orders: where it names a next one, that goes on. ORDER is the gateway's identifier. resolve says what the bank told by other ways of a request that is unknown; it takes effect when a second operator, who has read the proposal with show, confirms exactly that by its digest; it is booked like the bank's own answer, and stays in the audit.",
    flags: {
      merchant: { value: "LOGIN", about: "Of one merchant." },
      "client-orderid": { value: "ID", about: "The merchant's own identifier; with --merchant." },
      status: { value: "STATUS", about: "processing, unknown, approved, declined, error or filtered." },
      state: { value: "STATE", about: "A state of docs/lifecycle.md." },
      "last-four": { value: "DIGITS", about: "The last four digits of the card." },
      "card-file": {
        value: "FILE",
        about:
          "Of one card, with --merchant: a line NUMBER MM/YYYY; - is standard input. Only its keyed hash is looked for."
      },
      amount: { value: "AMOUNT", about: "As the merchant named it: 10.42." },
      currency: { value: "CODE", about: "USD, EUR, …" },
      "filtered-by": { value: "RULE", about: "Stopped by this risk rule: max-amount." },
      as: { value: "OUTCOME", about: "Of resolve and confirm: approved, declined, or error (it never happened)." },
      digest: {
        value: "DIGEST",
        about: "Of confirm: of the proposal, as show tells it; a proposal that was changed since has another."
      },
      evidence: { value: "TEXT", about: "Of resolve: who at the bank said so, and when. Kept for good: no card data." },
      request: { value: "ID", about: "Of resolve and confirm, where more than one request of the order is unknown." },
      "approval-code": { value: "CODE", about: "Of resolve: as the bank named it; needed for an approved payment." },
      transaction: { value: "ID", about: "Of resolve: the bank's own number of the transaction." },
      "unknown-for": {
        value: "TIME",
        about: "With a request that the bank has not answered for longer than 30m, 6h, 2d."
      },
      ...page,
      ...OperatorGateway.flags
    },
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
    usage: "pay callbacks list --order ORDER | --state STATE\n       pay callbacks resend CALLBACK",
    summary: "Tell what merchants were told, or tell them again.",
    about: "A callback that is sent again has the same content and webhook-id.",
    flags: {
      order: { value: "ORDER", about: "Of one order, by the gateway's identifier." },
      state: { value: "STATE", about: "pending, delivered or parked." },
      limit: page.limit,
      ...OperatorGateway.flags
    },
    examples: ["pay callbacks list --state parked", "pay callbacks resend 6768788-1"]
  },
  rewrap: {
    usage: "pay rewrap",
    summary: "Bring everything sealed under an older master key under the current one.",
    about:
      "Runs in the gateway, beside payments; this shows how far it is. Breaking off the command does not stop it. Ends with 1 where something could not be opened: then the older keys must stay.",
    flags: OperatorGateway.flags,
    examples: ["pay rewrap"]
  },
  merchants: {
    usage: "pay merchants list\n       pay merchants show LOGIN\n       pay merchants reload",
    summary: "Tell which merchants a gateway knows, or have it read its configuration file's merchants again.",
    about:
      "reload checks the whole file first; where anything is wrong, all of it is told and the merchants stay as they were.",
    flags: OperatorGateway.flags,
    examples: ["pay merchants show my-shop", "pay merchants reload"]
  },
  keys: {
    usage:
      "pay keys list LOGIN\n       pay keys add LOGIN | rotate LOGIN [--kind rsa --public-key-file FILE]\n       pay keys revoke LOGIN KEY",
    summary: "List, add, rotate and revoke a merchant's keys while the gateway runs.",
    about:
      "The gateway makes control keys and shows each once; it takes the public half of RSA keys. rotate adds a key and retires the others after the overlap, in which both count; what the gateway signs is signed by the newest. revoke counts at once.",
    flags: {
      kind: { value: "KIND", about: "control (default) or rsa." },
      "public-key-file": { value: "FILE", about: "The merchant's public RSA key, PEM, at least 2048 bits." },
      overlap: {
        value: "TIME",
        about: "How long the other keys still count after a rotate: 24h by default; s, m, h, d."
      },
      from: { value: "TIME", about: "When the key begins to count: 2026-11-21T08:00:00Z; at once by default." },
      last: { about: "Revoke it even where the merchant is then left without a key of its kind." },
      ...OperatorGateway.flags
    },
    examples: ["pay keys rotate my-shop --overlap 7d", "pay keys revoke my-shop control-1"]
  },
  payout: {
    usage:
      "pay payout list --waiting --merchant LOGIN\n       pay payout show ORDER\n       pay payout approve ORDER | reject ORDER",
    summary: "Look at payouts that wait for a second person; approve or reject one.",
    about:
      "list tells what lapses first at the top; without --approver it asks with an operator's token. The rest is signed with an approver's own Ed25519 key, which the gateway's configuration knows by name. What is signed names order, amount and recipient as they were shown; nothing else is approved by it. A key is made with: openssl genpkey -algorithm ed25519 -out approver.pem; its public half with: openssl pkey -in approver.pem -pubout.",
    flags: {
      "base-url": { value: "URL", about: "Everything before /api/… (PAY_BASE_URL)." },
      approver: { value: "NAME", about: "Your name in the gateway's configuration (PAY_APPROVER)." },
      "approver-key-file": {
        value: "FILE",
        about: "Your private key, PEM; - is standard input (PAY_APPROVER_KEY_FILE)."
      },
      waiting: { about: "Of list: what waits for a second person." },
      merchant: { value: "LOGIN", about: "Of list: of this merchant." },
      limit: page.limit,
      after: page.after,
      yes: { about: "Do not ask before signing: for programs, which have looked with show." },
      ...OperatorGateway.flags
    },
    examples: [
      "pay payout list --waiting --merchant my-shop",
      "pay payout show 6768788",
      "pay payout approve 6768788 --approver ada --approver-key-file ada.pem"
    ]
  },
  bookings: {
    usage:
      "pay bookings status\n       pay bookings list [--state STATE]\n       pay bookings import FILE --source SOURCE --from TIME --to TIME\n       pay bookings close REFERENCE --source SOURCE --note TEXT",
    summary: "Tell what a restored gateway does not know of bank and rail, and teach it.",
    about:
      "A gateway on a copy that was put back takes no orders before it knows what bank and rail have booked since. status says how far it is. Where an adapter cannot list the bookings, import gives the gateway the bank's own list: CSV with a header line, or a JSON list, with reference, kind, amount, currency, at and result, and clientOrderId and merchant where the bank knows them; --from and --to are the period that the list covers. list tells what nobody has asked for again; close says what became of one. Every import and close is in the audit.",
    flags: {
      source: { value: "SOURCE", about: "Of import and close: bank or rail." },
      note: { value: "TEXT", about: "Of close: what became of it. Kept for good: no card data." },
      state: { value: "STATE", about: "Of list: open (default), adopted or closed." },
      ...page,
      ...OperatorGateway.flags
    },
    examples: [
      "pay bookings status",
      "pay bookings import bank.csv --source bank --from 2026-11-21 --to 2026-11-22T09:00:00Z",
      "pay bookings close 6768788-sale-0 --source bank --note 'Refunded by the bank, Ms Smith, 22 November'"
    ]
  },
  tasks: {
    usage:
      "pay tasks list [--state STATE]\n       pay tasks reverse TASK --note TEXT\n       pay tasks close TASK --note TEXT",
    summary: "Settle what the bank said after an order had ended otherwise.",
    about:
      "An approval that comes after a final decline changes nothing of the order: it is kept as evidence and is a task here. reverse asks the bank to give the money back; close says that it was dealt with by other ways. Both are in the audit. The endpoint's setting unexpectedApproval has the gateway reverse at once.",
    flags: {
      note: { value: "TEXT", about: "Of reverse and close: why. Kept for good: no card data." },
      state: { value: "STATE", about: "Of list: open (default), reversing, reversed or closed." },
      limit: page.limit,
      after: page.after,
      ...OperatorGateway.flags
    },
    examples: ["pay tasks list", "pay tasks reverse 6768788-sale-0.approved --note 'The shop was told it is declined'"]
  },
  parity: {
    usage: "pay parity [--from TIME --to TIME]",
    summary: "Recompute every order and balance, and tell what does not add up.",
    about:
      "Runs in the gateway, beside payments; this shows how far it is. With --from and --to it compares only what was created, or booked by bank and rail, in that time. Ends with 0 where everything holds, with 1 where something does not, otherwise as every command.",
    flags: { from: page.from, to: page.to, ...OperatorGateway.flags },
    examples: ["pay parity", "pay parity --json"]
  },
  cards: {
    usage: "pay cards erase --order ORDER | --card-ref ID | --subscription ID",
    summary: "Erase card data at a person's request.",
    about:
      "The sealed number, its hash and the customer's name, e-mail, phone and address; of a payout its recipient. Amounts, states and the masked number stay. Captures, voids and returns still work; what needs the number is refused. A recurring payment must have been cancelled, or be over.",
    flags: {
      order: { value: "ORDER", about: "Of an order, by the gateway's identifier." },
      "card-ref": { value: "ID", about: "Of a stored card." },
      subscription: { value: "ID", about: "Of a recurring payment, by its recurring-payment-id." },
      ...OperatorGateway.flags
    },
    examples: [
      "pay cards erase --order 6768788",
      "pay cards erase --card-ref 1484",
      "pay cards erase --subscription 6768790"
    ]
  },
  settlement: {
    usage: "pay settlement export --day YYYY-MM-DD [--merchant LOGIN]",
    summary: "Write the books of a day as CSV, with balances that add up.",
    about:
      "To standard output, as it is read. Days are of UTC and must be over. For each account: its opening balance, every entry with the balance after it, its closing balance, which is the next day's opening. Accounts without balance and entries are left out.",
    flags: {
      day: { value: "DAY", about: "2026-11-21." },
      merchant: { value: "LOGIN", about: "Of one merchant." },
      ...OperatorGateway.flags
    },
    examples: ["pay settlement export --day 2026-11-20 > 2026-11-20.csv"]
  },
  backup: {
    usage: "pay backup FILE",
    summary: "Copy a gateway's database while it runs, and check the copy.",
    about:
      "Works on the gateway's machine, with the right to read its data folder; the gateway need not run. The copy is one moment of the database, and every page of it is checked. Keys are no part of it. Ends with 1 where no copy was made or, with --parity, where it does not add up.",
    flags: {
      data: { value: "FOLDER", about: "The gateway's data folder; .data/gateway by default (PAY_DATA)." },
      parity: { about: "Also recompute every order and balance of the copy." },
      ...json
    },
    examples: ["pay backup /backups/gateway-2026-11-21.db --data /var/lib/pay"]
  },
  restore: {
    usage: "pay restore FILE FOLDER",
    summary: "Put a copy back into a data folder that has no database.",
    about:
      "Brings it to this release's schema and marks it: a gateway that starts on it takes no orders before it knows what bank and rail have booked since (pay bookings), and asks the bank before it sends anything of an order that is in the copy. Keys are put back by hand.",
    flags: json,
    examples: ["pay restore /backups/gateway-2026-11-21.db /var/lib/pay"]
  }
} satisfies Readonly<Record<string, Command>>
