/** The names of flows and the flags of `pay flow`. */

/** The flows, each with the command of its first operation. */
export const flows = {
  sale: "sale",
  authorize: "preauth",
  payout: "v4/payout",
  subscribe: "create-recurring-payment",
  hosted: "sale-form"
} as const

export type Name = keyof typeof flows

export const names = ["sale", "authorize", "payout", "subscribe", "hosted"] as const satisfies ReadonlyArray<Name>

/** Returns the flow with this name. */
export const named = (word: string | undefined): Name | undefined => names.find((name) => name === word)

export const flow = {
  usage:
    "pay flow sale|authorize|payout|subscribe|hosted [--field value …]\n       pay flow resume CLIENT_ORDERID [--form FILE]",
  summary: "Run a payment to its outcome, with 3-D Secure, and also if answers are lost.",
  about:
    "pay help flow sale lists the fields of a sale. On a terminal, the command asks for missing fields and does not show card data while you type. It shows all fields, and sends nothing before you confirm. Others can see card data on a command line, so it is accepted for a sandbox on this machine only: give it with --form -. An approved order is printed on standard output, steps and errors on standard error. The command prints the address for the customer and opens it: with BROWSER, or with the desktop's browser on a terminal of a desktop. Without redirect_url, and with the gateway on this machine, the browser returns to this program. Ctrl-C stops the flow; a second Ctrl-C stops it at once. The command stores a stopped flow without card and recipient data. resume continues it, and needs these data again only if the gateway has no such order.",
  flags: {
    "3ds": {
      value: "OUTCOME",
      about: "pass, fail or abandon: act as the customer, at a sandbox on this machine."
    },
    "no-open": { about: "Only print the customer's address, and start no browser." },
    "quiet-period": {
      value: "SECONDS",
      about:
        'How long a request may still arrive after its answer was lost. Only after this time, "not found" means that there is no order. 45 by default (PAY_QUIET_PERIOD); less only at a gateway on this machine.'
    },
    "state-folder": {
      value: "FOLDER",
      about: "The folder with the files of started flows; ~/.pay by default (PAY_STATE). With resume also --state."
    }
  },
  sendsFields: true,
  examples: [
    "pay flow sale",
    "pay flow sale --form - --3ds pass < sale.form",
    "pay flow hosted --form order.form",
    "pay flow resume 902B4FF5"
  ]
}
