/** `pay flow`: its words and flags. */

/** The flows, and the command of the operation that each begins with. */
export const flows = {
  sale: "sale",
  reserve: "preauth",
  payout: "v4/payout",
  subscribe: "create-recurring-payment",
  hosted: "sale-form"
} as const

export type Name = keyof typeof flows

export const names = ["sale", "reserve", "payout", "subscribe", "hosted"] as const satisfies ReadonlyArray<Name>

/** The flow that a word means. */
export const named = (word: string | undefined): Name | undefined => names.find((name) => name === word)

export const flow = {
  usage:
    "pay flow sale|reserve|payout|subscribe|hosted [--field value …]\n       pay flow resume CLIENT_ORDERID [--form FILE]",
  summary: "Carry a payment through to its outcome: lost answers, 3-D Secure and all.",
  about:
    "pay help flow sale lists the fields of a sale. On a terminal those that are missing are asked for, card data unseen; all are shown, and nothing is sent before you agree. Card data on a command line is visible to others, and taken for a sandbox on this machine only: give it with --form -. Steps are told on standard error, the outcome on standard output. The address that the shopper opens is printed and opened: with BROWSER, or the desktop's browser where this runs on a terminal of one. Without redirect_url, and with the gateway on this machine, the browser comes back to this program. Ctrl-C stops, a second one at once. A flow that was stopped is noted without card and recipient data: resume goes on with it, and needs them again only where the gateway never got the order.",
  flags: {
    "3ds": {
      value: "OUTCOME",
      about: "pass, fail or abandon: play the shopper, at a sandbox on this machine."
    },
    "no-open": { about: "Only print what the shopper opens: start no browser, neither BROWSER nor the desktop's." },
    "quiet-period": {
      value: "SECONDS",
      about:
        "How long a request whose answer was lost may still be under way; only then an order that is not found was never made. 45 by default (PAY_QUIET_PERIOD); less only at a gateway on this machine."
    },
    "state-folder": {
      value: "FOLDER",
      about: "Where started flows are noted; ~/.pay by default (PAY_STATE). With resume also --state."
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
