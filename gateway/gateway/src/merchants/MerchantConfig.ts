/** The schema of merchants, their endpoints and groups of endpoints in a configuration file. */
import * as Dialect from "@pay/schema/Dialect"
import { Schema } from "effect"
import * as RiskRules from "../risk/RiskRules.ts"
import { TerminalConfig } from "./Terminal.ts"

const Text = Schema.String.check(Schema.isMinLength(1))
const Currency = Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/))
const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** The brand of an endpoint's hosted pages. */
const BrandConfig = Schema.Struct({
  name: Schema.optionalKey(
    Text.check(Schema.isMaxLength(64)).annotate({
      description: "what customers read on the hosted pages",
      fallback: "the merchant's name"
    })
  ),
  logo: Schema.optionalKey(
    Text.annotate({
      description:
        "a `data:` address of a PNG, WebP or SVG image in base64, at most 16384 characters: pages load nothing from elsewhere"
    })
  ),
  color: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^#[0-9a-fA-F]{6}$/)).annotate({
      description:
        "`#rrggbb`, of buttons and links on the hosted pages; refused where its contrast to the page is below 4.5; made lighter on dark pages"
    })
  )
})
export type BrandConfig = typeof BrandConfig.Type

const EndpointConfig = Schema.Struct({
  id: Text.annotate({ description: "the number that ends a path; endpoints and groups share one number space" }),
  currencies: Schema.NonEmptyArray(Currency).annotate({ description: "ISO 4217 codes that it takes" }),
  operations: Schema.optionalKey(
    Schema.Array(Text).annotate({
      description:
        "names of [operations.md](../merchants/operations.md); an operation on an order must be allowed at the endpoint in the path and at the order's endpoint",
      fallback: "every one"
    })
  ),
  enabled: Schema.optionalKey(
    Schema.Boolean.annotate({
      description:
        "`false`: the endpoint takes nothing new; it still answers replays and `status`, and takes return and void",
      fallback: "true"
    })
  ),
  dialects: Schema.optionalKey(
    Schema.Array(Schema.Literals(Dialect.all)).check(Schema.isMinLength(1)).annotate({
      description:
        "`json`: the specification's; `pairs`: also the older dialect, if the gateway's `dialects` has it; see [older-dialect.md](../merchants/older-dialect.md)",
      fallback: "json"
    })
  ),
  controlAmount: Schema.optionalKey(
    Schema.Literals(["minor", "x100"]).annotate({
      description:
        "`minor`: `control` covers ISO minor units; `x100`: the amount times 100 whatever the currency, as some deployed clients sign",
      fallback: "minor"
    })
  ),
  callbackFormat: Schema.optionalKey(
    Schema.Literals(["query", "json"]).annotate({
      description:
        "the form of callbacks about the endpoint's new orders: `query`: a GET with the fields in the query; `json`: a POST of JSON with the same fields, which libraries of Standard Webhooks verify",
      fallback: "query"
    })
  ),
  actingControl: Schema.optionalKey(
    Schema.Literals(["any", "amount"]).annotate({
      description:
        "`amount`: capture and return need amount and currency; without them, their `control` equals that of a status request; see [SECURITY.md](../../SECURITY.md)",
      fallback: "any"
    })
  ),
  maxAmount: Schema.optionalKey(
    RiskRules.Amounts.annotate({
      description: "a payment above it ends `filtered`; by currency",
      unit: "major units"
    })
  ),
  risk: Schema.optionalKey(RiskRules.Config),
  threeds: Schema.optionalKey(
    Schema.Literals(["off", "gateway", "merchant"]).annotate({
      description:
        "3-D Secure: `off`; `gateway`: on the gateway's own pages; `merchant`: the merchant runs the steps and uploads results",
      fallback: "`gateway` where there is a 3-D Secure server, else `off`"
    })
  ),
  threedsUnavailable: Schema.optionalKey(
    Schema.Literals(["decline", "proceed"]).annotate({
      description: "what happens to a payment whose card the issuer cannot authenticate (`U`): `decline` or `proceed`",
      fallback: "decline"
    })
  ),
  descriptor: Schema.optionalKey(Schema.String.annotate({ description: "shown on the cardholder's statement" })),
  terminals: Schema.optionalKey(Schema.Array(TerminalConfig)),
  brand: Schema.optionalKey(BrandConfig),
  payoutApproval: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: "`true`: each movement of money out of the merchant's balance waits for one of its approvers",
      fallback: "false"
    })
  ),
  unexpectedApproval: Schema.optionalKey(
    Schema.Literals(["review", "reverse"]).annotate({
      description:
        "what happens if the bank approves after the order ended without the approval: `review`: an operator decides (`pay tasks`); `reverse`: the gateway asks the bank at once to give the money back",
      fallback: "review"
    })
  ),
  payoutMaxAmount: Schema.optionalKey(
    RiskRules.Amounts.annotate({
      description: "a payout above it ends `filtered`; by currency",
      unit: "major units"
    })
  ),
  timeZone: Schema.optionalKey(
    Text.annotate({
      description: "IANA name; the days of recurring payments are days in this time zone",
      fallback: "UTC"
    })
  ),
  catchUpOccurrences: Schema.optionalKey(
    Count.annotate({
      description: "how many missed occurrences of one recurring payment are charged after an outage: the latest ones",
      unit: "count",
      fallback: "1"
    })
  )
})

/** A person who approves payouts; the key is personal and signs nothing else. */
const ApproverConfig = Schema.Struct({
  name: Text.check(Schema.isMaxLength(64)).annotate({ description: "a person who approves payouts" }),
  publicKey: Text.annotate({
    description: "PEM, Ed25519; each person has their own"
  })
})

const GroupConfig = Schema.Struct({
  id: Text.annotate({
    description:
      "a number for several endpoints: a request goes to the first endpoint that fits its operation and currency"
  }),
  endpoints: Schema.NonEmptyArray(Text).annotate({
    description: "numbers of its endpoints, in the order in which they are tried"
  })
})

export const MerchantConfig = Schema.Struct({
  login: Text.check(Schema.isMaxLength(20)).annotate({ description: "at most 20 characters" }),
  name: Schema.optionalKey(
    Schema.String.annotate({ description: "what customers and issuers read", fallback: "the login" })
  ),
  controlKeys: Schema.optionalKey(
    Schema.Array(Schema.RedactedFromValue(Text, { label: "control key" })).annotate({
      description:
        "the newest first; the gateway copies each key into its store when it first reads it; from then on only `pay keys` changes it"
    })
  ),
  publicKeys: Schema.optionalKey(
    Schema.Array(Text).annotate({
      description:
        "PEM, RSA of at least 2048 bits, for requests signed with RSA-SHA256; copied into the store in the same way"
    })
  ),
  approvers: Schema.optionalKey(Schema.Array(ApproverConfig)),
  numbers: Schema.optionalKey(
    Schema.Literals(["long", "short"]).annotate({
      description:
        "`short`: new orders and cards get numbers of a rising sequence that fits 31 bits, for modules that keep them in an integer; see [older-dialect.md](../merchants/older-dialect.md)",
      fallback: "short if an endpoint has the dialect pairs, else long"
    })
  ),
  endpoints: Schema.NonEmptyArray(EndpointConfig),
  groups: Schema.optionalKey(Schema.Array(GroupConfig))
})

/** The `merchants` part of a configuration file. */
export const Config = Schema.Array(MerchantConfig)
export type Config = typeof Config.Type
