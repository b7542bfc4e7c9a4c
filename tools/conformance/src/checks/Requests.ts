/** Checks of the form of a request, for every operation: method, path, headers, body. */
import type { Operation } from "@pay/schema/Operation"
import { Effect } from "effect"
import * as Capability from "../Capability.ts"
import * as Check from "../Check.ts"
import type { Options } from "../Draft.ts"
import * as Expect from "../Expect.ts"
import { call } from "../Gateway.ts"
import * as Samples from "../Samples.ts"

const rule = "docs/specification.md#common-rules"

const limits = "docs/assumptions.md#sizes-times-and-rates"

type Refusal = readonly [what: string, options: Options, error: Parameters<typeof Expect.refused>[1]]

const make = (
  operation: Operation,
  id: string,
  title: string,
  clause: Check.Clause,
  refusals: ReadonlyArray<Refusal>,
  needs: ReadonlyArray<Capability.Capability> = []
): Check.Check =>
  Check.make({
    id: `request/${operation.command}/${id}`,
    title: `${operation.command} ${title}`,
    clause,
    needs: [...Capability.operation(operation), ...needs],
    program: Effect.gen(function* () {
      for (const [what, options, error] of refusals) {
        const reply = yield* call(operation, yield* Samples.request(operation), options)
        yield* Expect.refused(reply, error, undefined, what)
      }
    })
  })

const at = (endpointId: string): Refusal => [`at the endpoint ${endpointId}`, { endpointId }, "notFound"]

const append = (text: string): Options => ({ body: (form) => form + text })

/** Returns all checks of the form of an operation's request. */
export const of = (operation: Operation): ReadonlyArray<Check.Check> => [
  make(
    operation,
    "accept",
    "requires Accept application/vnd.pay+json",
    rule,
    ["application/json", "*/*", "text/html", "application/*"].map((accept) => [
      `with Accept ${accept}`,
      { headers: { accept } },
      "acceptRequired"
    ]),
    [Capability.acceptRequired]
  ),
  make(operation, "content-type", "requires a form as its body", rule, [
    ["with a body of JSON", { headers: { "content-type": "application/json" } }, "contentTypeRequired"],
    ["with a body of text", { headers: { "content-type": "text/plain" } }, "contentTypeRequired"],
    ["with invalid percent-encoding", append("&x=%zz"), "malformedForm"],
    ["with bytes that are not UTF-8", append("&x=%ff"), "malformedForm"]
  ]),
  make(
    operation,
    "path",
    "is served only under the number of an endpoint",
    "docs/assumptions.md#requests-and-answers",
    [
      at("abc"),
      at("0"),
      at("01001"),
      at("-1"),
      at("9223372036854775808"),
      ["below the endpoint", { suffix: "/more" }, "notFound"]
    ]
  ),
  make(operation, "method", "accepts only POST", "docs/specification.md#endpoints", [
    ["with PUT", { method: "PUT" }, "methodNotAllowed"]
  ]),
  make(operation, "size", "limits the number of parameters and the size of the body", limits, [
    ["with 201 parameters more", append("&x=1".repeat(201)), "tooManyParameters"],
    ["with 256 KiB more", append(`&x=${"x".repeat(256 * 1024)}`), "bodyTooLarge"]
  ])
]
