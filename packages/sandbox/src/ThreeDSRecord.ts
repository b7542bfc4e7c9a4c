/** What the simulated 3-D Secure world writes down: one entry after another, from which all it knows can be told again. */
import { Schema } from "effect"
import { Scenario } from "./ThreeDSScenario.ts"

const Enrolled = Schema.Struct({
  reference: Schema.String,
  serverTransId: Schema.String,
  amountMinor: Schema.Int,
  currency: Schema.String,
  merchantName: Schema.String,
  /** The card as far as it is kept: neither its number nor anything that leads to it. */
  brand: Schema.optionalKey(Schema.String),
  lastFour: Schema.String,
  expireMonth: Schema.Int,
  expireYear: Schema.Int,
  scenario: Scenario,
  enrolledAtMs: Schema.Int
})

type EnrolledFacts = typeof Enrolled.Type

/** The request to the issuer, with the data of the browser. */
const AuthenticationRequest = Schema.Struct({
  notificationUrl: Schema.String,
  completionIndicator: Schema.Literals(["Y", "N", "U"]),
  browser: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Int, Schema.Boolean]))
})
export type AuthenticationRequest = typeof AuthenticationRequest.Type

const Decided = Schema.Struct({
  transStatus: Schema.String,
  decidedAtMs: Schema.Int,
  /** From when on the 3-D Secure server knows; left out: not until somebody delivers the report. */
  knownFromMs: Schema.optionalKey(Schema.Int)
})
export type Decided = typeof Decided.Type

const serverTransId = Schema.String

/** The field of the request in an entry; files have it under this name. */
export const requestField = "asked"

export const Entry = Schema.Union([
  Schema.TaggedStruct("Enrolled", Enrolled.fields),
  /** The browser was at the method page. */
  Schema.TaggedStruct("MethodSeen", { serverTransId }),
  Schema.TaggedStruct("Asked", { serverTransId, [requestField]: AuthenticationRequest }),
  Schema.TaggedStruct("WrongPassword", { serverTransId }),
  Schema.TaggedStruct("Decided", { serverTransId, decided: Decided })
])
export type Entry = typeof Entry.Type

/** One authentication. */
export interface Transaction extends EnrolledFacts {
  readonly methodSeen: boolean
  readonly request: AuthenticationRequest | undefined
  readonly wrongPasswords: number
  readonly decided: Decided | undefined
}

/** What a reference begins with; one of another form is its own order. */
export const orderIdOf = ({ reference }: { readonly reference: string }): string =>
  reference.split("-threeds-", 1)[0] ?? reference
