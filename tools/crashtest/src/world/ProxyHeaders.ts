/** The headers that the proxy passes on: all of them, as they were sent, except those of one connection. */

type Raw = ReadonlyArray<string>

/** Headers that concern one connection only, and those that the proxy does itself. */
const ofConnection: ReadonlySet<string> = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "upgrade"
])
const ofLength: ReadonlySet<string> = new Set(["content-length", "transfer-encoding"])

const without = (raw: Raw, isLeftOut: (name: string) => boolean): Array<string> => {
  const kept: Array<string> = []
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? ""
    if (!isLeftOut(name.toLowerCase())) kept.push(name, raw[at + 1] ?? "")
  }
  return kept
}

const whole = (raw: Raw, length: number): Array<string> => [
  ...without(raw, (name) => ofConnection.has(name) || ofLength.has(name)),
  "content-length",
  String(length)
]

/** Returns the headers of a request, with the length of its body. Without `length`, its body is passed on as it arrives. */
export const ofRequest = ({ rawHeaders }: { readonly rawHeaders: Raw }, length?: number): Array<string> =>
  length === undefined ? ofStream(rawHeaders) : whole(rawHeaders, length)

export const ofStream = (rawHeaders: Raw): Array<string> => without(rawHeaders, (name) => ofConnection.has(name))

export const ofAnswer = ({ body, rawHeaders }: { readonly rawHeaders: Raw; readonly body: Buffer }): Array<string> =>
  whole(rawHeaders, body.length)

/** Returns headers without those of some names. */
export const omit = (rawHeaders: Raw, names: ReadonlyArray<string>): Array<string> =>
  without(rawHeaders, (name) => names.includes(name))

/** Returns the text of headers in a message, with the empty line after them. */
export const written = (headers: Raw): string => {
  let text = ""
  for (let at = 0; at < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`
  return `${text}\r\n`
}
