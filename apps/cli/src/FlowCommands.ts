/** `pay flow`: its words and flags. */

export const flow = {
  usage:
    "pay flow sale|reserve|payout|subscribe|hosted --field value …\n       pay flow resume CLIENT_ORDERID [--form FILE]",
  summary: "Carry a payment through to its outcome: lost answers, 3-D Secure and all.",
  about:
    "Fields are those of the operation: pay help sale, preauth, payout, create-recurring-payment, sale-form. Give card data with --form -. Steps are told on standard error, the outcome on standard output. Without redirect_url, and with the gateway on this machine, the shopper's browser comes back to this program. A flow that was stopped is noted without card and recipient data: resume goes on with it, and asks for them again only where the gateway never got the order.",
  flags: {
    "3ds": {
      value: "OUTCOME",
      about: "pass, fail or abandon: play the shopper, at a sandbox on this machine."
    },
    "state-folder": {
      value: "FOLDER",
      about: "Where started flows are noted; ~/.pay by default (PAY_STATE). With resume also --state."
    }
  },
  examples: [
    "pay flow sale --form - --3ds pass < sale.form",
    "pay flow hosted --form order.form",
    "pay flow resume 902B4FF5"
  ],
  load: () => import("./FlowRoom.ts")
}
