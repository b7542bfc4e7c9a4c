/**
 * The file with the profile of a gateway. Programs read `profile`; `observed` is for people, who see in a comparison of two files
 * what a provider has changed. The file has no keys, no times and no ids.
 */
import * as Dialect from "@pay/schema/Dialect"
import * as PayApi from "@pay/schema/PayApi"
import * as Status from "@pay/schema/Status"
import { Option, Schema, Struct } from "effect"

const operation = Schema.Literals(PayApi.all.map(({ name }) => name))

const flag = (description: string) => Schema.optionalKey(Schema.Boolean.annotate({ description }))

/** The settings that a first contact cannot find. Whoever knows the gateway adds them, and a later first contact keeps them. */
const byHand = {
  statuses: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Literals(Status.all)).annotate({
      description: "By hand: statuses that the gateway spells otherwise, with the word of the specification for each."
    })
  ),
  names: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.String).annotate({
      description:
        "By hand: fields of answers that the gateway names otherwise, with the name of the contract for each."
    })
  ),
  honoursIdempotencyKey: flag("By hand: two requests under one `Idempotency-Key` have one effect."),
  replaysClientOrderId: flag("By hand: a repeated creation is answered with the existing order."),
  answersByRequest: flag("By hand: `status` with `by-request-sn` reports on that one request."),
  showsFollowUps: flag("By hand: `status` shows each capture, void and return from its acceptance on."),
  showsOrderStage: flag("By hand: `status` has the `order-stage` of a payout that waits to be paid."),
  numericIdentifiers: flag("By hand: whether identifiers may be JSON numbers. Left out: they may.")
}

const Profile = Schema.Struct({
  answers: Schema.optionalKey(
    Schema.Literals(Dialect.all).annotate({
      description: "The form of answers: `pairs` is that of the older dialect. Left out: `json`, the specification's."
    })
  ),
  pathPrefix: Schema.optionalKey(
    Schema.String.annotate({ description: "The path between the base address and `/api/`, such as `/paynet`." })
  ),
  groupPath: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "Whether endpoint groups are addressed as `/group/ID`." })
  ),
  notFound: Schema.optionalKey(
    Schema.Array(Schema.Union([Schema.Int, Schema.String])).annotate({
      description:
        "The error code, or the message, of `status` that means that the order does not exist. A flow that finds it sends a payment whose answer was lost again."
    })
  ),
  typesErrors: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: "Whether each refusal has a `type`. A refusal without one then does not count as the gateway's."
    })
  ),
  lacks: Schema.optionalKey(
    Schema.Array(operation).annotate({
      description: "Operations that the gateway does not serve. A client does not send them."
    })
  ),
  recipes: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Array(Schema.String)).annotate({
      description: "The values that `control` covers, for each operation where they differ from the contract."
    })
  ),
  ...byHand
}).annotate({
  description:
    "What clients and flows decide by. What it leaves out is as in the specification, or as the gateway announces."
})

/** What clients and flows read. */
export type Profile = typeof Profile.Type

const Observed = Schema.Struct({
  announces: Schema.String.annotate({
    description: "The header `pay-gateway-profile`, which clients follow themselves; empty if there is none."
  }),
  answers: Schema.Record(
    Schema.String,
    Schema.Union([
      Schema.Struct({
        http: Schema.Int,
        contentType: Schema.String,
        form: Schema.Literals(["json", "pairs", "page", "text", "empty"]),
        type: Schema.optionalKey(Schema.String),
        code: Schema.optionalKey(Schema.String),
        message: Schema.optionalKey(Schema.String),
        status: Schema.optionalKey(Schema.String),
        identifiers: Schema.optionalKey(Schema.Literals(["text", "numbers"])),
        dates: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
        serialNumber: Schema.Boolean
      }),
      Schema.Struct({ noAnswer: Schema.String })
    ])
  ).annotate({ description: "The answer to each request, with its ids, login and numbers replaced." }),
  signatures: Schema.Record(Schema.String, Schema.String).annotate({
    description: "For each operation, whether its signature was accepted."
  }),
  undetermined: Schema.Array(Schema.String).annotate({
    description: "What a first contact cannot show, and how to find it out."
  })
}).annotate({ description: "What the gateway answered. No program reads it." })

/** What was observed. */
export type Observed = typeof Observed.Type

/** The content of the file. */
export const ProfileFile = Schema.Struct({ profile: Profile, observed: Observed }).annotate({
  identifier: "GatewayProfileFile",
  description: "The profile of a gateway, written by pay conformance --harmless."
})
export type ProfileFile = typeof ProfileFile.Type

const decodeEarlier = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ profile: Profile })))

/**
 * Returns the file with the settings of an earlier file that a first contact cannot find, and with its `notFound` if none was found
 * now.
 */
export const keeping = (file: ProfileFile, earlierText: string): ProfileFile => {
  const decoded = decodeEarlier(earlierText)
  if (Option.isNone(decoded)) return file
  const { notFound, ...earlier } = decoded.value.profile
  const own = Struct.omit(earlier, ["answers", "groupPath", "lacks", "pathPrefix", "recipes", "typesErrors"])
  return { ...file, profile: { ...(notFound !== undefined && { notFound }), ...file.profile, ...own } }
}

/** Returns the text of the file, which is the same for the same habits. */
export const write = (file: ProfileFile): string => `${JSON.stringify(file, undefined, 2)}\n`

/** Returns the JSON Schema of the file, for editors. */
export const jsonSchema = () => Schema.toJsonSchemaDocument(ProfileFile)
