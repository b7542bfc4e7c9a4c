/** Mistakes with the values of a `control`: their form, their selection and their order. */
import * as Control from "../Control.ts"
import * as PercentEncoding from "../PercentEncoding.ts"
import type { ControlDraft, Part } from "./ControlDraft.ts"
import type { Mistake, Variant } from "./Mistake.ts"

type Variants = ReadonlyArray<Variant<ControlDraft>>

/** Changes the value of one slot. */
const withValue = (draft: ControlDraft, slot: string, value: string): ControlDraft => ({
  ...draft,
  parts: draft.parts.map((part) => (part.slot === slot ? { slot, value } : part))
})

/** Changes all values in the same way. */
const withValues = (draft: ControlDraft, change: (value: string) => string): ControlDraft => ({
  ...draft,
  parts: draft.parts.map(({ slot, value }) => ({ slot, value: change(value) }))
})

/** Makes variants for one part after another. A part without a value is skipped. */
const eachPart = (draft: ControlDraft, make: (part: Part, index: number) => Variants): Variants =>
  draft.parts.flatMap((part, index) => (part.value === "" ? [] : make(part, index)))

/** Moves the decimal point of a whole number to the left: 1042 by 2 is 10.42. */
const shift = (minor: string, digits: number): string => {
  const padded = minor.padStart(digits + 1, "0")
  return `${padded.slice(0, -digits)}.${padded.slice(-digits)}`
}

const permutations = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  items.length < 2
    ? [items]
    : items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))

const order = (parts: ReadonlyArray<Part>): string => parts.map(({ slot }) => slot).join(", ")

const amount = (draft: ControlDraft): string | undefined => {
  const value = draft.parts.find(({ slot }) => slot === "amount")?.value
  return value !== undefined && /^\d+$/.test(value) ? value : undefined
}

export const controlValueMistakes: ReadonlyArray<Mistake<ControlDraft>> = [
  {
    id: "value-refused",
    description: "The signature is right for a field that the gateway refuses for its form.",
    remedy: "Correct amount or currency; the gateway's own refusal names the field.",
    aspect: "amount",
    variants: (draft) =>
      draft.readings.map(({ says, values }) => [
        says,
        { ...draft, parts: draft.parts.map(({ slot }) => ({ slot, value: values[slot] ?? "" })) }
      ])
  },
  {
    id: "amount-major",
    description: "The amount was signed in major units, as it stands in the request.",
    remedy: "Sign the amount in minor units, without a point: 10.42 becomes 1042.",
    aspect: "amount",
    variants: (draft) => {
      const minor = amount(draft)
      if (minor === undefined) return []
      const forms = [2, 3].flatMap((digits) => {
        const major = shift(minor, digits)
        const short = /^.*[^0]/.exec(major)?.[0] ?? ""
        return [major, short, short.replace(/\.$/, "")]
      })
      const sent = draft.fields.amount
      return [...(sent === undefined ? [] : [sent]), ...forms].map((form) => [
        "the amount with a decimal point, or without its zeros",
        withValue(draft, "amount", form)
      ])
    }
  },
  {
    id: "amount-exponent",
    description: "The amount was turned into minor units with another number of decimals than its currency has here.",
    remedy: "Use the ISO 4217 decimals of the currency, or ask to set this endpoint to amounts times 100.",
    aspect: "amount",
    variants: (draft) => {
      const minor = amount(draft)
      if (minor === undefined) return []
      return [1, 2, 3].flatMap((digits): Variants => {
        const zeros = "0".repeat(digits)
        const more: Variant<ControlDraft> = [`${digits} decimals too many`, withValue(draft, "amount", minor + zeros)]
        const less = minor.slice(0, -digits)
        return minor.endsWith(zeros) && less !== ""
          ? [more, [`${digits} decimals too few`, withValue(draft, "amount", less)]]
          : [more]
      })
    }
  },
  {
    id: "amount-whole",
    description: "The cents were cut off before the amount was turned into minor units.",
    remedy: "Multiply the whole amount, with its decimals: 8.20 becomes 820, not 800.",
    aspect: "amount",
    variants: (draft) => {
      const minor = amount(draft)
      if (minor === undefined) return []
      return [2, 3].map((digits) => [
        `without its last ${digits} decimals`,
        withValue(draft, "amount", String(Number(minor.slice(0, -digits)) * 10 ** digits))
      ])
    }
  },
  {
    id: "amount-float",
    description:
      "The amount was multiplied as a binary fraction, which is not exact, and then cut, rounded up or signed as it is.",
    remedy: "Round the product to a whole number, or move the decimal point in the text: 8.20 becomes 820, not 819.",
    aspect: "amount",
    variants: (draft) => {
      const minor = amount(draft)
      if (minor === undefined) return []
      const products = [2, 3, 4].map((digits) => Number(shift(minor, digits)) * 10 ** digits)
      const texts = products.filter((product) => !Number.isInteger(product)).map(String)
      const neighbours = [BigInt(minor) - 1n, BigInt(minor) + 1n].map(String)
      return [...texts, ...neighbours].map((text) => [`signed as ${text}`, withValue(draft, "amount", text)])
    }
  },
  {
    id: "endpoint-or-group",
    description: "Another endpoint id or group id was signed than the one in the path.",
    remedy: "Sign the id that the path ends with; for a group that is the group's id.",
    aspect: "id",
    variants: (draft) => draft.otherIds.map((id) => [`signed with ${id}`, withValue(draft, "endpointId", id)])
  },
  {
    id: "login-or-endpoint",
    description: "The login was signed in place of the endpoint id, or the other way round.",
    remedy: "Look up for this operation which of the two comes first in its control.",
    aspect: "id",
    variants: (draft) => {
      const { login = "", endpointId = "" } = draft.fields
      return [
        ["the login in place of endpointId", withValue(draft, "endpointId", login)],
        ["the endpoint id in place of login", withValue(draft, "login", endpointId)]
      ]
    }
  },
  {
    id: "values-encoded",
    description: "The values were percent-encoded before they were signed.",
    remedy: "Sign the plain values and encode them only for the body.",
    aspect: "text",
    variants: (draft) => [
      ["spaces as %20", withValues(draft, PercentEncoding.encode)],
      ["spaces as +", withValues(draft, (value) => new URLSearchParams([["", value]]).toString().slice(1))]
    ]
  },
  {
    id: "plus-unescaped",
    description: "A + was sent without percent-encoding, so that it arrived as a space, and was signed as +.",
    remedy: "Percent-encode the body: + is %2B.",
    aspect: "text",
    variants: (draft) => [
      ["every space a +", withValues(draft, (value) => value.replaceAll(" ", "+"))],
      ...eachPart(draft, ({ slot, value }) => [
        [`every space of ${slot} a +`, withValue(draft, slot, value.replaceAll(" ", "+"))]
      ])
    ]
  },
  {
    id: "values-untrimmed",
    description: "A value was signed with a blank or a line break around it, which does not count in the request.",
    remedy: "Trim the values before you sign and send them.",
    aspect: "text",
    variants: (draft) =>
      eachPart(draft, ({ slot, value }) => [
        [`a space after ${slot}`, withValue(draft, slot, `${value} `)],
        [`a space before ${slot}`, withValue(draft, slot, ` ${value}`)],
        [`a line break after ${slot}`, withValue(draft, slot, `${value}\n`)]
      ])
  },
  {
    id: "values-case",
    description: "Letters of a value were changed to upper or lower case before it was signed.",
    remedy: "Sign every value exactly as you send it.",
    aspect: "text",
    variants: (draft) => [
      ...eachPart(draft, ({ slot, value }) => [
        [`${slot} in lower case`, withValue(draft, slot, value.toLowerCase())],
        [`${slot} in upper case`, withValue(draft, slot, value.toUpperCase())]
      ]),
      ["all values in lower case", withValues(draft, (value) => value.toLowerCase())],
      ["all values in upper case", withValues(draft, (value) => value.toUpperCase())]
    ]
  },
  {
    id: "absent-as-word",
    description: "A value that is absent from the request was signed as a word such as null.",
    remedy: "An absent value counts as an empty string.",
    aspect: "text",
    variants: (draft) =>
      ["null", "undefined", "None", "nil", "NULL", "0"].map((word) => [
        `signed as ${word}`,
        withValues(draft, (value) => (value === "" ? word : value))
      ])
  },
  {
    id: "part-missing",
    description: "One of the values was left out.",
    remedy: "Sign all values of the operation's recipe.",
    aspect: "parts",
    variants: (draft) =>
      eachPart(draft, ({ slot }, index) => [
        [`${slot} is missing`, { ...draft, parts: draft.parts.toSpliced(index, 1) }]
      ])
  },
  {
    id: "part-extra",
    description: "A value was signed that does not belong to this operation's control.",
    remedy: "Sign only the values of the operation's recipe.",
    aspect: "parts",
    variants: (draft) =>
      Object.entries(draft.fields).flatMap(
        ([slot, value = ""]): Variants =>
          value === "" || draft.parts.some((part) => part.slot === slot)
            ? []
            : Array.from({ length: draft.parts.length + 1 }, (_, index) => [
                `${slot} at place ${index + 1}`,
                { ...draft, parts: draft.parts.toSpliced(index, 0, { slot, value }) }
              ])
      )
  },
  {
    id: "recipe-other",
    description: "The recipe of another operation was used.",
    remedy: "Each operation has a control of its own: look up the values and their order.",
    aspect: "parts",
    variants: (draft) =>
      Object.entries(Control.recipes).map(([name, recipe]) => {
        const entries = new Map(draft.parts.map(({ slot, value }) => [slot, value]))
        const parts = recipe.map((slot) => ({ slot, value: entries.get(slot) ?? draft.fields[slot] ?? "" }))
        return [`the recipe of ${name}`, { ...draft, parts }]
      })
  },
  {
    id: "parts-order",
    description: "The values were joined in another order.",
    remedy: "Join the values in the order of the operation's recipe.",
    aspect: "parts",
    variants: (draft) => permutations(draft.parts).map((parts) => [`signed as ${order(parts)}`, { ...draft, parts }])
  }
]
