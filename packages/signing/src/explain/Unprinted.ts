/** Texts that languages print for an object, sent in place of a control or a signature. */
import type { NamedMistake } from "./Mistake.ts"

const objects: ReadonlyArray<readonly [detail: string, form: RegExp]> = [
  ["an array or a class of C#", /^System\.[\w.+]+(\[\])?$/],
  ["an object of JavaScript", /^\[object \w+\]$/],
  ["a promise of JavaScript", /^Promise \{.*\}$/],
  ["an array or an object of Java", /^(\[[BCIJ]|[\w$.]+)@[0-9a-f]{1,8}$/],
  ["a digest of Java with its name", /^\w[\w ]*Message Digest from \w+/i],
  ["an object of Python", /^<([\w-]+ ){0,2}[\w.]+ (object|of|at) .*>$/],
  ["an array, an object or a stream of PHP", /^(Array|Object|Resource id #\d+)$/],
  ["an object of Ruby", /^#<[A-Z][^<>]*>$/],
  ["a pointer or a structure of Go", /^(0xc[0-9a-f]{9}|&\{.*\}|%!\w\(.*\))$/s],
  ["a word for a value that is not there", /^(undefined|null|None|nil|NULL|NaN|false|true|<nil>|\(null\))$/],
  ["the source of a function", /^(function\b|async\b|\(.*\) ?=>)/]
]

/** The entry of the catalogue. */
export const unprinted = {
  id: "digest-unprinted",
  description: "What stands in place of the hash or the signature is the name of an object that was not printed.",
  remedy: "Print the bytes of the result, after it is there: await it, read its digest, then write digits or Base64."
}

/** Names the object whose print was received. */
export const of = (received: string): NamedMistake | undefined => {
  const object = objects.find(([, form]) => form.test(received))
  return object === undefined ? undefined : { ...unprinted, detail: object[0] }
}
