/** The form of `crashtest.json`: how a shop is driven, the least that any shop can offer. */
import * as SandboxMerchant from "@pay/sandbox/SandboxMerchant"
import * as Card from "@pay/schema/Card"
import * as Currency from "@pay/schema/Currency"
import * as Dialect from "@pay/schema/Dialect"
import { Schema } from "effect"

const text = (description: string) => Schema.String.annotate({ description })

/** A check with the words that follow the name of the value in a message. */
const must = <A>(isRight: (value: A) => boolean, words: string) =>
  Schema.makeFilter<A>((value) => (isRight(value) ? undefined : words))

const duration = (description: string) =>
  Schema.String.annotate({ description }).check(
    must((text: string) => milliseconds(text) !== undefined, 'write a number and a unit: "5 seconds"')
  )

const unitsMs: Readonly<Record<string, number>> = { millisecond: 1, second: 1000, minute: 60_000 }

/** Reads a text such as `5 seconds`. */
export const milliseconds = (text: string): number | undefined => {
  const [, count, unit = ""] = /^(\d{1,6}) (millisecond|second|minute)s?$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (unitsMs[unit] ?? 1)
}

const isPattern = (text: string): boolean => {
  try {
    return new RegExp(text, "u") instanceof RegExp
  } catch {
    return false
  }
}

const strings = Schema.Record(Schema.String, Schema.String)
const scalar = Schema.Union([Schema.String, Schema.Number, Schema.Boolean, Schema.Null])

/** What an answer must have. All of its conditions hold together. */
export const Matcher = Schema.Struct({
  status: Schema.optionalKey(
    Schema.Union([Schema.Int, Schema.Array(Schema.Int)]).annotate({
      description: "The status of the answer, or a list of them."
    })
  ),
  json: Schema.optionalKey(
    text("The place of a value in an answer in JSON: names and indices with dots, `items.0.state`.")
  ),
  is: Schema.optionalKey(
    Schema.Union([scalar, Schema.Array(scalar)]).annotate({ description: "The value at `json`, or a list of them." })
  ),
  text: Schema.optionalKey(
    text("A regular expression that the text of the answer contains.").check(
      must(isPattern, "write a regular expression of JavaScript")
    )
  ),
  exit: Schema.optionalKey(
    Schema.Union([Schema.Int, Schema.Array(Schema.Int)]).annotate({
      description: "The exit code of the program, or a list of them."
    })
  )
}).check(
  must(
    (value) => Object.keys(value).some((name) => name !== "is"),
    'write { "status": 200 }, { "json": "state", "is": "paid" }, { "text": "…" } or { "exit": 0 }'
  ),
  must((value) => value.is === undefined || value.json !== undefined, 'write with "is" also "json": where the value is')
)
export type Matcher = typeof Matcher.Type

const matcher = (description: string) => Schema.optionalKey(Matcher.annotate({ description }))

const requestLine = /^(?:GET|POST|PUT|PATCH|DELETE) (?:\/|https?:\/\/)\S*$/

const sending = {
  request: Schema.optionalKey(
    text("A request to the shop: its method and its path.").check(
      must((line: string) => requestLine.test(line), 'write a method and a path: "POST /orders/{order}"')
    )
  ),
  headers: Schema.optionalKey(strings.annotate({ description: "Headers of the request." })),
  body: Schema.optionalKey(
    Schema.Json.annotate({
      description: "The body: an object is sent as JSON, a text as a form, or as what `content-type` says."
    })
  ),
  run: Schema.optionalKey(
    Schema.Array(Schema.String)
      .annotate({ description: "A program and its arguments, in place of a request." })
      .check(must((words: ReadonlyArray<string>) => words.length > 0, 'write a program: ["php", "buy.php", "{order}"]'))
  )
}

const fill = Schema.optionalKey(
  strings.annotate({
    description:
      'What is typed into the form of the page that `request` opens, by the names of its fields: { "amount": "{amount}" }. The form is sent with its hidden fields and the visitor\'s cookies, and by another press once more.'
  })
)

const fillsPage = must(
  (value: { readonly request?: string; readonly body?: unknown; readonly fill?: unknown }) =>
    value.fill === undefined || (value.request?.startsWith("GET ") === true && value.body === undefined),
  'write with "fill" the page that has the form: "request": "GET /checkout"'
)

/** Whether a pattern has one group. */
const hasGroup = (text: string): boolean => isPattern(text) && new RegExp(`${text}|`, "u").exec("")?.length === 2

const oneWay = must(
  (value: { readonly request?: string; readonly run?: ReadonlyArray<string> }) =>
    (value.request === undefined) !== (value.run === undefined),
  'write either "request": "POST /orders/{order}" or "run": ["php", "buy.php", "{order}"]'
)

/** How a shop is asked about an order. */
export const Ask = Schema.Struct({
  ...sending,
  paid: Matcher.annotate({ description: "The answer says that the order is paid." }),
  unpaid: matcher(
    "The answer says that the order is not paid. Default: every answer below 500 that does not say paid."
  ),
  shipped: matcher("The answer says that the order is shipped."),
  refunded: matcher("The answer says that the order is refunded."),
  unrefunded: matcher(
    "The answer says that the refund was refused: for a shop that promises a clerk the refund before it asks the gateway."
  ),
  paidOut: matcher("The answer says that the payout is sent.")
}).check(oneWay)
export type Ask = typeof Ask.Type

/** One thing that a customer does on a page of the shop, in Chromium. */
export const Step = Schema.Struct({
  open: Schema.optionalKey(text("A path of the shop.")),
  fill: Schema.optionalKey(text("A selector of CSS for a field. `with` is what is typed.")),
  with: Schema.optionalKey(text("What is typed.")),
  click: Schema.optionalKey(text("A selector of CSS for what is pressed.")),
  select: Schema.optionalKey(text("A selector of CSS for a list. `option` is what is chosen.")),
  option: Schema.optionalKey(text("The value or the words of what is chosen.")),
  wait: Schema.optionalKey(text("A selector of CSS that must appear.")),
  see: Schema.optionalKey(text("Words that must appear on the page."))
}).check(
  must(
    ({ option, with: typed, ...step }) => Object.keys(step).length === 1,
    'write one of open, fill, click, select, wait, see: { "click": "button" }'
  ),
  must(
    (step) => (step.fill === undefined) === (step.with === undefined),
    'write what is typed: { "fill": "#card", "with": "{card}" }'
  ),
  must(
    (step) => (step.select === undefined) === (step.option === undefined),
    'write what is chosen: { "select": "#country", "option": "US" }'
  )
)
export type Step = typeof Step.Type

const press = {
  ...sending,
  fill,
  number: Schema.optionalKey(
    text(
      "The number that the shop itself gives the order: a regular expression with one group, in a page or its address. It is `{number}` in `ask` and `refund`."
    ).check(must(hasGroup, 'write a regular expression with one group: "order ([0-9]+)"'))
  ),
  paid: matcher("The page says that the order is paid. Default: every answer below 300."),
  failed: matcher("The page says that the payment has failed."),
  again: matcher("The page asks to try again."),
  presses: Schema.optionalKey(
    Schema.Int.check(must((count: number) => count >= 1 && count <= 1000, "write a number from 1 to 1000")).annotate({
      description:
        "How often the customer presses the button at most while there is no result: 1000 for a queue that repeats each order. Default: 3"
    })
  ),
  customer: Schema.optionalKey(
    Schema.Union([Schema.Literal("pages"), Schema.Array(Step)]).annotate({
      description:
        "`pages`: a built-in customer follows where the shop leads, pays on pages of the gateway, and returns. A list: steps in Chromium."
    })
  )
}

/** How a customer buys or subscribes. */
export const Purchase = Schema.Struct(press).check(
  must(
    (value) =>
      (value.request === undefined ? 0 : 1) +
        (value.run === undefined ? 0 : 1) +
        (Array.isArray(value.customer) ? 1 : 0) ===
      1,
    'write one of "request": "POST /orders/{order}", "run": ["php", "buy.php", "{order}"], or steps as "customer"'
  ),
  fillsPage
)

/** How a clerk refunds. */
export const Refund = Schema.Struct({
  ...sending,
  fill,
  amount: Schema.optionalKey(
    text("What is refunded, if not the whole order: `5.00`. It takes the place of `{amount}` in the request.")
  ),
  paid: matcher("The answer says that the order is or will be refunded. Default: every answer below 300."),
  failed: matcher("The answer says that the order is not refunded.")
}).check(oneWay, fillsPage)

/** How a clerk pays out. */
export const Payout = Schema.Struct({
  ...sending,
  fill,
  paid: matcher("The answer says that the payout is or will be sent. Default: every answer below 300."),
  failed: matcher("The answer says that the payout is not sent."),
  ask: Schema.optionalKey(Ask.annotate({ description: "How to ask about a payout, if not as about an order." }))
}).check(oneWay, fillsPage)

const endpoints = Object.keys(SandboxMerchant.endpoints).join(", ")

/** The content of the file. */
export const Template = Schema.Struct({
  url: text("The address at which the shop listens: http://127.0.0.1:9000. `{port}` in it is a free port."),
  ready: Schema.optionalKey(text("A path that is answered below 500 when the shop is ready. Default: /")),
  start: Schema.optionalKey(duration("How long the shop may take to start. Default: 60 seconds")),
  answer: Schema.optionalKey(duration("How long a customer waits for an answer. Default: 30 seconds")),
  patience: Schema.optionalKey(
    duration("How long the shop may take to repair an order by its own clock. Default: 5 seconds")
  ),
  env: Schema.optionalKey(
    strings.annotate({
      description: 'Further variables of the shop, for its own names: { "MY_GATEWAY_URL": "{url}" }.'
    })
  ),
  endpoint: Schema.optionalKey(text(`An endpoint of the sandbox, by its name or number: ${endpoints}. Default: usd`)),
  dialect: Schema.optionalKey(
    Schema.Literals(Dialect.all).annotate({
      description: "The dialect that the shop speaks: `pairs` is the older one. Default: json"
    })
  ),
  gateway: Schema.optionalKey(
    Schema.Struct({
      replays: Schema.optionalKey(
        Schema.Boolean.annotate({
          description:
            "Whether a repeated creation is answered with the order that it created first. false: it creates a second one, as at some gateways. Default: true"
        })
      )
    }).annotate({ description: "Habits of the gateway." })
  ),
  card: Schema.optionalKey(
    text("The card of the sandbox with which is paid. Default: 4444555566661111").check(
      must((number: string) => Card.isNumber(number), "write the digits of a card of the sandbox")
    )
  ),
  cvv2: Schema.optionalKey(text("Its security code, by which the sandbox's bank decides. Default: 123")),
  currency: Schema.optionalKey(
    text("The currency of the orders. Default: USD").check(
      must((code: string) => Currency.digits(code) !== undefined, "write a currency of ISO 4217: USD")
    )
  ),
  files: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({
      description: "Files and folders of the shop in which no card number may be, also with * and **."
    })
  ),
  buy: Schema.optionalKey(Purchase.annotate({ description: "How a customer buys." })),
  ask: Schema.optionalKey(Ask.annotate({ description: "How to ask about an order." })),
  refund: Schema.optionalKey(Refund.annotate({ description: "How a clerk refunds an order." })),
  subscribe: Schema.optionalKey(Purchase.annotate({ description: "How a customer subscribes." })),
  payout: Schema.optionalKey(Payout.annotate({ description: "How a clerk pays out." }))
}).annotate({ identifier: "CrashTestFile", description: "How a crash test drives a shop." })
export type Template = typeof Template.Type
