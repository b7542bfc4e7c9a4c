/**
 * How the outcome of a request ends whose answer is lost. An acquirer declares the ways for each kind of request, in the order in which
 * they are tried. A way that does not apply (any more) gives way to the next one; after the last one, a person resolves it.
 */
import { Predicate, Schema } from "effect"
import { type BankKind, bankKinds } from "../record/Actions.ts"

const Milliseconds = Schema.Number.check(Schema.isGreaterThan(0))

/**
 * `inquiry`: the bank says what became of a reference. `resend`: the identical request under the same reference gets the first one's
 * answer, until `windowMs` after the first one less `marginMs` (a minute by default); a payment whose security code is erased by then is
 * not sent again. `reversal`: the bank makes sure that the request has no effect. `person`: an operator asks the bank.
 */
export const Way = Schema.Union([
  Schema.Struct({ by: Schema.Literal("inquiry") }),
  Schema.Struct({
    by: Schema.Literal("resend"),
    windowMs: Milliseconds,
    marginMs: Schema.optional(Milliseconds)
  }),
  Schema.Struct({ by: Schema.Literal("reversal") }),
  Schema.Struct({ by: Schema.Literal("person") })
])
export type Way = typeof Way.Type

/** The ways of each kind of request. A kind that is left out has an inquiry. */
export type Ways = { readonly [Kind in BankKind]?: ReadonlyArray<Way> }

const areWays = Schema.is(Schema.NonEmptyArray(Way))
const kinds: ReadonlySet<string> = new Set(bankKinds)

/** Returns what is wrong with one entry; undefined: nothing. */
const flaw = ([kind, ways]: readonly [string, unknown]): string | undefined => {
  if (!kinds.has(kind)) return `${kind} is no kind of request: ${bankKinds.join(", ")}`
  return ways === undefined || areWays(ways) ? undefined : `${kind} is no list of ways`
}

export const is = (value: unknown): value is Ways =>
  Predicate.isObject(value) && Object.entries(value).every((entry) => flaw(entry) === undefined)

/** Says which entries are wrong; "" if the value has none. */
export const flaws = (value: unknown): string =>
  Predicate.isObject(value)
    ? Object.entries(value)
        .flatMap((entry) => flaw(entry) ?? [])
        .map((text) => `; ${text}`)
        .join("")
    : ""

const inquiry: ReadonlyArray<Way> = [{ by: "inquiry" }]

/** Returns the ways of one kind of request. */
export const waysOf = (ways: Ways | undefined, kind: BankKind): ReadonlyArray<Way> => ways?.[kind] ?? inquiry

/** Whether the bank answers inquiries about requests of this kind. */
export const hasInquiry = (ways: Ways | undefined, kind: BankKind): boolean =>
  waysOf(ways, kind).some(({ by }) => by === "inquiry")
