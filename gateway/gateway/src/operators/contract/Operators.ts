/** Operations on the operators themselves: their roles and tokens. */
import { Schema } from "effect"
import { joined, roles } from "../../signin/decide/OperatorAccount.ts"
import * as Operation from "../OperatorOperation.ts"
import * as Parameter from "../OperatorParameter.ts"

const Name = Schema.String.check(
  Schema.isPattern(/^[a-z][a-z0-9.-]{0,31}$/, { message: "is a name in lower case: alice" })
).annotate(Parameter.info({ value: "NAME", about: "The person's name in lower case; the audit records it." }))

const words = (text: string): ReadonlyArray<string> => text.split(",").map((word) => word.trim())
const isRoles = (text: string): boolean =>
  text === "look" || words(text).every((word) => roles.some((role) => role === word))

const Roles = Schema.String.check(
  Schema.makeFilter((text) => isRoles(text) || `is look, or some of ${roles.join(",")}`)
).annotate(
  Parameter.info({
    value: "ROLES",
    about:
      "support (refund, void, resend, inquire, erase), finance (resolve, balances, tasks, bookings), admin (keys, merchants, operators), separated by commas; look for nothing of these."
  })
)

/** Returns the roles of the parameter as the store has them. */
export const storedRoles = (text: string): string => joined(words(text))

const fields = {
  name: Schema.String,
  roles: Schema.String,
  /** `file`: the token is in the gateway's configuration. */
  source: Schema.Literals(["file", "operator"]),
  /** The actor to whom the newest token was given: the person, or the one who made it for them. Absent for a token of the file. */
  tokenMadeBy: Schema.optional(Schema.String),
  changed: Schema.optional(Parameter.Time)
}

const Account = Schema.Struct(fields)
const WithToken = Schema.Struct({ ...fields, token: Schema.String })

const tokenOnce = ({ name, roles, token, tokenMadeBy }: typeof WithToken.Encoded): string =>
  `${name}: ${roles}\n\nThe token, shown only now:\n${token}${
    tokenMadeBy === `operator:${name}`
      ? ""
      : `\n\n${name} first replaces it by one that nobody else knows: pay operator token`
  }`

export const listOperators = Operation.make("listOperators", {
  method: "GET",
  path: "/operator/operators",
  command: "operator list",
  about: "Lists the operators with their roles, and who made their tokens.",
  input: Schema.Struct({}),
  answer: Schema.Struct({ operators: Schema.Array(Account) }),
  rows: { field: "operators", columns: ["name", "roles", "source", "tokenMadeBy", "changed"] }
})

export const addOperator = Operation.make("addOperator", {
  method: "POST",
  path: "/operator/operators/add",
  command: "operator add",
  operands: ["name"],
  about: "Adds an operator and prints the token, once. Only its hash is stored.",
  changes: { audit: "operator.add", role: "admin" },
  statuses: [201],
  input: Schema.Struct({ name: Name, roles: Roles }),
  answer: WithToken,
  message: tokenOnce
})

export const changeOperator = Operation.make("changeOperator", {
  method: "POST",
  path: "/operator/operators/change",
  command: "operator change",
  operands: ["name"],
  about: "Gives an operator other roles, at once.",
  changes: { audit: "operator.change", role: "admin" },
  input: Schema.Struct({ name: Name, roles: Roles }),
  answer: Account
})

export const resetOperator = Operation.make("resetOperator", {
  method: "POST",
  path: "/operator/operators/reset",
  command: "operator reset",
  operands: ["name"],
  about: "Replaces the token of an operator who has lost it. The old one ends at once.",
  changes: { audit: "operator.token", role: "admin" },
  input: Schema.Struct({ name: Name }),
  answer: WithToken,
  message: tokenOnce
})

export const replaceToken = Operation.make("replaceToken", {
  method: "POST",
  path: "/operator/token",
  command: "operator token",
  about: "Replaces your own token by one that nobody else knows. The old one ends at once.",
  changes: { audit: "operator.token", role: undefined },
  input: Schema.Struct({}),
  answer: WithToken,
  message: tokenOnce
})

const Code = Schema.String.check(Schema.isPattern(/^\d{6}$/, { message: "is a code of six digits" })).annotate(
  Parameter.info({ value: "CODE", about: "The six digits that your authenticator shows." })
)

export const enrolOperator = Operation.make("enrolOperator", {
  method: "POST",
  path: "/operator/enrol",
  command: "operator enrol",
  about: "Begins your two-step sign-in: prints the secret for your authenticator, once. The first code finishes it.",
  changes: { audit: "operator.enrol", role: undefined },
  statuses: [201],
  input: Schema.Struct({}),
  answer: Schema.Struct({ name: Schema.String, secret: Schema.String, uri: Schema.String }),
  message: ({ secret, uri }) =>
    `The secret, shown only now. Type it into your authenticator, or make a QR code of the address on your own machine:\n${secret}\n${uri}\n\nThen finish with the code that it shows: pay operator verify CODE`
})

export const verifyOperator = Operation.make("verifyOperator", {
  method: "POST",
  path: "/operator/verify",
  command: "operator verify",
  operands: ["code"],
  about: "Finishes your enrolment: from then on, what your roles permit needs a code.",
  changes: { audit: "operator.code", role: undefined },
  input: Schema.Struct({ code: Code }),
  answer: Schema.Struct({ name: Schema.String }),
  message: ({ name }) => `${name} signs in with two steps from now on`
})

export const unenrolOperator = Operation.make("unenrolOperator", {
  method: "POST",
  path: "/operator/operators/unenrol",
  command: "operator unenrol",
  operands: ["name"],
  about: "Removes the two-step sign-in of an operator who has lost the authenticator, so that they enrol again.",
  changes: { audit: "operator.unenrol", role: "admin" },
  input: Schema.Struct({ name: Name }),
  answer: Schema.Struct({ name: Schema.String })
})

export const removeOperator = Operation.make("removeOperator", {
  method: "POST",
  path: "/operator/operators/remove",
  command: "operator remove",
  operands: ["name"],
  about: "Removes an operator. The token ends at once.",
  changes: { audit: "operator.remove", role: "admin" },
  input: Schema.Struct({ name: Name }),
  answer: Account
})
