/** Describes what is wrong with the text of a setting, as it comes from files and environment variables, and what to do. */

/** Characters that nobody sees, other than blanks: control characters, and those that take no room. */
const invisible = /[\p{Cc}\p{Cf}]/u

/** Matches a text between quotes: straight ones, or those that word processors write in their place. */
const quoted = /^(?:(["'`]).*\1|[“”„‟‘’‚‛«»].*[“”‟‘’‛«»])$/s

/**
 * Returns what is wrong with a login, a key or another text of one line, without the blanks around it. `undefined` if nothing is. It
 * never contains the text.
 */
export const flaw = (text: string): string | undefined => {
  if (text === "") return "is empty"
  if (quoted.test(text)) return "is in quotes: remove them"
  return invisible.test(text)
    ? "contains a line feed or an invisible character: type it again instead of copying it"
    : undefined
}

/** Returns what is wrong with a control key, as {@link flaw} does. */
export const controlKeyFlaw = (text: string): string | undefined =>
  text.includes("-----BEGIN ") ? "is PEM: give the control key, and the PEM as privateKey" : flaw(text)

/** What a PEM text can contain, by its label. */
const contents: ReadonlyArray<readonly [label: RegExp, content: string]> = [
  [/^OPENSSH PRIVATE KEY$/, "a key of OpenSSH: convert it with ssh-keygen -p -m PEM -f FILE"],
  [/PRIVATE KEY$/, "a private key"],
  [/PUBLIC KEY$/, "a public key"],
  [/^CERTIFICATE REQUEST$/, "a certificate request"],
  [/CERTIFICATE$/, "a certificate"]
]

/** Returns why a text is not the PEM that is wanted, if its form shows it. It never contains the text. */
export const pemFlaw = (text: string, wanted: "a private key" | "a certificate"): string => {
  const start = `is not ${wanted} in PEM form`
  const label = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(text)?.[1]
  if (label === undefined) {
    return /^[\w.~:/\\-]+\.(?:pem|key|crt|cer|der|p12|pfx)$|^[~.]?\//.test(text.trim())
      ? `${start}: it is the path of a file. Give the text of the file`
      : `${start}: give its text, from -----BEGIN to -----END`
  }
  if (text.includes("\\n"))
    return `${start}: it has \\n in the place of line feeds. Replace them: text.replaceAll("\\\\n", "\\n")`
  const content = contents.find(([pattern]) => pattern.test(label))?.[1]
  if (content !== undefined && content !== wanted) return `${start}: it is ${content}`
  if (!/-----END [A-Z0-9 ]+-----/.test(text)) return `${start}: its end is missing, the line -----END`
  if (!/-----BEGIN [A-Z0-9 ]+-----\s*\n/.test(text)) return `${start}: its lines were joined. Keep the line feeds`
  return `${start}: it is damaged. Copy it again, from -----BEGIN to -----END`
}
