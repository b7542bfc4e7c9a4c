/** The entries of the journal of the simulated 3-D Secure world. Its records are computed from them. */
import { Schema } from "effect"
import { Scenario } from "./ThreeDSScenario.ts"

const Enrolled = Schema.Struct({
  reference: Schema.String,
  serverTransId: Schema.String,
  amountMinor: Schema.Int,
  currency: Schema.String,
  merchantName: Schema.String,
  /** The brand of the card. Neither the card's number nor anything that leads to it is stored. */
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
  /** Time from which the 3-D Secure server has the decision. Absent: not before the report is delivered. */
  knownFromMs: Schema.optionalKey(Schema.Int)
})
export type Decided = typeof Decided.Type

const serverTransId = Schema.String

/** One entry of the journal. */
export const Entry = Schema.Union([
  Schema.TaggedStruct("Enrolled", Enrolled.fields),
  /** The browser visited the method page. */
  Schema.TaggedStruct("MethodSeen", { serverTransId }),
  Schema.TaggedStruct("Asked", { serverTransId, request: AuthenticationRequest }),
  Schema.TaggedStruct("WrongPassword", { serverTransId }),
  Schema.TaggedStruct("Decided", { serverTransId, decided: Decided })
])
export type Entry = typeof Entry.Type

/** One authentication with its present state. */
export interface Transaction extends EnrolledFacts {
  readonly methodSeen: boolean
  readonly request: AuthenticationRequest | undefined
  readonly wrongPasswords: number
  readonly decided: Decided | undefined
}

/** Returns the order id with which a reference begins. A reference of another form counts as an order id. */
export const orderIdOf = ({ reference }: { readonly reference: string }): string =>
  reference.split("-threeds-", 1)[0] ?? reference
