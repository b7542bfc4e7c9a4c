/**
 * The shape of a port as a value. An adapter that was not compiled with the gateway is checked against it before it is
 * used. Each port exports its own as `shape`; the type demands an entry for every method and every capability.
 */
import { Predicate, Result } from "effect"

/** One method or one capability. */
export interface Part<A> {
  readonly is: (value: unknown) => value is A
  /** Completes the sentence "acquirer.capture must be". */
  readonly expected: string
  /** What is wrong with a value, to be added to the sentence. */
  readonly flaws?: (value: unknown) => string
}

type Method = (...args: never) => unknown

/** A method's arguments and its result cannot be checked before it is called. */
type Checkable<A> = A extends Method ? Method : A

type Parts<A> = { readonly [Name in keyof A]-?: Part<Checkable<A[Name]>> }

export interface PortShape<Port> {
  readonly methods: Parts<Omit<Port, "capabilities">>
  readonly capabilities: Parts<Port extends { readonly capabilities: infer Capabilities } ? Capabilities : unknown>
}

export const method: Part<Method> = {
  is: (value): value is Method => typeof value === "function",
  expected: "a function"
}

export const boolean: Part<boolean> = { is: Predicate.isBoolean, expected: "true or false" }

export const milliseconds: Part<number> = {
  is: (value): value is number => Predicate.isNumber(value) && value > 0 && value < Number.POSITIVE_INFINITY,
  expected: "milliseconds above 0"
}

const listOf = <A>(is: (value: unknown) => value is A, value: unknown): value is ReadonlyArray<A> =>
  Array.isArray(value) && value.every(is)

export const risingMilliseconds: Part<ReadonlyArray<number>> = {
  is: (value): value is ReadonlyArray<number> =>
    listOf(milliseconds.is, value) && value.every((ms, index) => ms > (value[index - 1] ?? 0)),
  expected: "a list of milliseconds above 0, rising"
}

/** Whether the text contains a certificate. Tools may write other lines above it. */
const isCertificate = (value: unknown): value is string =>
  Predicate.isString(value) && value.includes("-----BEGIN CERTIFICATE-----")

export const certificates: Part<ReadonlyArray<string>> = {
  is: (value) => listOf(isCertificate, value),
  expected: "a list of certificates in PEM"
}

export const setOf = <A extends string>(members: ReadonlyArray<A>): Part<ReadonlySet<A>> => {
  const names: ReadonlySet<unknown> = new Set(members)
  return {
    is: (value): value is ReadonlySet<A> => Predicate.isSet(value) && [...value].every((member) => names.has(member)),
    expected: `a Set of ${members.join(", ")}`
  }
}

/** A part that an adapter may leave out. */
export const optional = <A>({ expected, is, ...rest }: Part<A>): Part<A | undefined> => ({
  ...rest,
  is: (value) => value === undefined || is(value),
  expected: `${expected}, or left out`
})

/** A part that an adapter must leave out, because only a simulator may have it. */
export const simulatorOnly: Part<undefined> = {
  is: Predicate.isUndefined,
  expected: "left out: only a simulator has it, and no money would move"
}

type PartsByName = Readonly<Record<string, Part<unknown>>>

/** Stands for a part whose getter throws. It is of no kind. */
const unreadable = Symbol("unreadable")

/** Returns a property of a value that comes from outside, and whose getters may throw. */
export const property = (value: unknown, name: string): unknown =>
  Result.getOrElse(
    Result.try((): unknown => Reflect.get(Object(value), name)),
    () => unreadable
  )

const wrongParts = (path: string, value: unknown, parts: PartsByName): ReadonlyArray<string> =>
  Object.entries(parts).flatMap(([name, { expected, flaws, is }]) => {
    const part = property(value, name)
    return is(part) ? [] : [`${path}.${name} must be ${expected}${flaws?.(part) ?? ""}`]
  })

/** Returns a message for every part of the port that is missing or wrong. An empty list: the port has the shape. */
export const problems = (
  name: string,
  port: unknown,
  shape: Readonly<Record<"methods" | "capabilities", PartsByName>>
): ReadonlyArray<string> => [
  ...wrongParts(name, port, shape.methods),
  ...wrongParts(`${name}.capabilities`, property(port, "capabilities"), shape.capabilities)
]
