/** Mistakes with the form of the values of a `control`. */
import * as PercentEncoding from "../PercentEncoding.ts"
import { controlAmountMistakes } from "./ControlAmountMistakes.ts"
import type { ControlDraft } from "./ControlDraft.ts"
import { type Mistake, RARE, USUAL, VAGUE, type Variant } from "./Mistake.ts"
import { valueMistakes } from "./Values.ts"
import * as Writings from "./Writings.ts"

type Variants = ReadonlyArray<Variant<ControlDraft>>

const withValue = (slot: string, text: string): Partial<ControlDraft> => ({ values: { [slot]: text } })

export const controlValueMistakes: ReadonlyArray<Mistake<ControlDraft>> = [
  ...controlAmountMistakes,
  {
    id: "endpoint-or-group",
    description: "Another endpoint id or group id was signed than the one in the path.",
    remedy: "Sign the id that the path ends with; for a group that is the group's id.",
    variants: (draft) => {
      const { endpointId } = draft.fields
      const paths = endpointId === undefined ? [] : [`group/${endpointId}`, `/${endpointId}`, `${endpointId}/`]
      return [...draft.otherIds, ...paths].map((id) => [`signed with ${id}`, withValue("endpointId", id)])
    }
  },
  {
    id: "login-or-endpoint",
    description: "The login was signed in place of the endpoint id, or the other way round.",
    remedy: "Look up for this operation which of the two comes first in its control.",
    variants: ({ fields: { endpointId = "", login = "" }, recipe }) => [
      ...(recipe.includes("endpointId") && login !== ""
        ? [["the login in place of endpointId", withValue("endpointId", login)] as const]
        : []),
      ...(recipe.includes("login") && endpointId !== ""
        ? [["the endpoint id in place of login", withValue("login", endpointId)] as const]
        : [])
    ]
  },
  {
    id: "values-encoded",
    description: "The values were percent-encoded before they were signed, or one of them.",
    remedy: "Sign the plain values and encode them only for the body.",
    variants: (draft) => {
      const own = draft.recipe.map((slot) => [slot, draft.values[slot] ?? ""] as const)
      const made = new Set<string>()
      return Writings.ofLanguages.flatMap(([name, writing]): Variants => {
        const encode = Writings.writer(PercentEncoding.encode, writing)
        const changed = own.filter(([, text]) => encode(text) !== text)
        const all = changed.map(([, text]) => encode(text)).join("\n")
        if (made.has(all)) return [[`the whole text with the key, as ${name}`, { whole: encode }, RARE + VAGUE]]
        made.add(all)
        return [
          ...(changed.length > 1 ? [[`all values, as ${name}`, { write: encode }] as const] : []),
          ...changed.map(([slot, text]) => [`${slot}, as ${name}`, withValue(slot, encode(text))] as const),
          [`the whole text with the key, as ${name}`, { whole: encode }, changed.length === 0 ? RARE + VAGUE : USUAL]
        ]
      })
    }
  },
  ...valueMistakes<ControlDraft>({
    of: ({ recipe, values }) => recipe.map((slot) => ({ step: slot, name: slot, text: values[slot] ?? "" })),
    weightOfOne: USUAL,
    replace: (_, texts) => ({ values: Object.fromEntries(texts.map(([{ step }, text]) => [step, text])) })
  }),
  {
    id: "absent-as-word",
    description: "A value that is absent from the request was signed as a word such as null.",
    remedy: "An absent value counts as an empty string.",
    variants: ({ recipe, values }) => {
      const absent = recipe.filter((slot) => (values[slot] ?? "") === "")
      return absent.length === 0
        ? []
        : ["null", "undefined", "None", "nil", "NULL", "NaN", "0", "0.00", "false", "-", "n/a", " "].map((word) => [
            `signed as ${word}`,
            { values: Object.fromEntries(absent.map((slot) => [slot, word])) }
          ])
    }
  }
]
