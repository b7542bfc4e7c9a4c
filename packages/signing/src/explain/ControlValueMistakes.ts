/** Mistakes with the values of a `control`: their form, their selection and their order. */
import * as Control from "../Control.ts"
import * as PercentEncoding from "../PercentEncoding.ts"
import { controlAmountMistakes } from "./ControlAmountMistakes.ts"
import type { ControlDraft, Part } from "./ControlDraft.ts"
import type { Mistake, Variant } from "./Mistake.ts"
import { valueMistakes } from "./Values.ts"

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

const formEncoded = (value: string): string => new URLSearchParams([["", value]]).toString().slice(1)

const permutations = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  items.length < 2
    ? [items]
    : items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))

const order = (parts: ReadonlyArray<Part>): string => parts.map(({ slot }) => slot).join(", ")

/** Values of which a mistake of its own tells that they were exchanged. */
const idSlots: ReadonlySet<string> = new Set(["login", "endpointId"])

export const controlValueMistakes: ReadonlyArray<Mistake<ControlDraft>> = [
  ...controlAmountMistakes,
  {
    id: "endpoint-or-group",
    description: "Another endpoint id or group id was signed than the one in the path.",
    remedy: "Sign the id that the path ends with; for a group that is the group's id.",
    aspect: "id",
    variants: (draft) => {
      const { endpointId } = draft.fields
      const paths = endpointId === undefined ? [] : [`group/${endpointId}`, `/${endpointId}`]
      return [...draft.otherIds, ...paths].map((id) => [`signed with ${id}`, withValue(draft, "endpointId", id)])
    }
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
    description: "The values were percent-encoded before they were signed, or one of them.",
    remedy: "Sign the plain values and encode them only for the body.",
    aspect: "text",
    variants: (draft) => [
      ["spaces as %20", withValues(draft, PercentEncoding.encode)],
      ["spaces as +", withValues(draft, formEncoded)],
      ...eachPart(draft, ({ slot, value }) => [
        [`${slot}, spaces as %20`, withValue(draft, slot, PercentEncoding.encode(value))],
        [`${slot}, spaces as +`, withValue(draft, slot, formEncoded(value))]
      ])
    ]
  },
  ...valueMistakes<ControlDraft>({
    of: ({ parts }) => parts.map(({ slot, value }) => [slot, value]),
    replace: (draft, values) => ({
      ...draft,
      parts: draft.parts.map(({ slot }, index) => ({ slot, value: values[index] ?? "" }))
    })
  }),
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
    description: "One of the values was left out, or more.",
    remedy: "Sign all values of the operation's recipe.",
    aspect: "parts",
    variants: (draft) => [
      ...eachPart(draft, ({ slot }, index) => [
        [`${slot} is missing`, { ...draft, parts: draft.parts.toSpliced(index, 1) }]
      ]),
      ["all values are missing", { ...draft, parts: [] }],
      ...draft.parts.map(
        (kept): Variant<ControlDraft> => [`all values but ${kept.slot} are missing`, { ...draft, parts: [kept] }]
      )
    ]
  },
  {
    id: "part-twice",
    description: "One of the values was signed twice.",
    remedy: "Sign each value of the operation's recipe once.",
    aspect: "parts",
    isRare: true,
    variants: (draft) =>
      eachPart(draft, (part, index) =>
        Array.from({ length: draft.parts.length - index }, (_, after) => [
          `${part.slot} also at place ${index + after + 2}`,
          { ...draft, parts: draft.parts.toSpliced(index + after + 1, 0, part) }
        ])
      )
  },
  {
    id: "part-replaced",
    description: "Another field was signed in place of one of the values.",
    remedy: "Sign the values of the operation's recipe, each from the field of its name.",
    aspect: "parts",
    isRare: true,
    variants: (draft) =>
      draft.parts.flatMap(({ slot, value: own }, index) =>
        Object.entries(draft.fields).flatMap(
          ([name, value = ""]): Variants =>
            value === "" || value === own || name === slot || idSlots.has(name)
              ? []
              : [[`${name} in place of ${slot}`, { ...draft, parts: draft.parts.with(index, { slot, value }) }]]
        )
      )
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
