/** Splits the bytes of a PostgreSQL connection into the messages of its protocol, version 3. */

export interface Frame {
  /** The letter of the message; undefined before the session begins. */
  readonly type: string | undefined
  readonly body: Buffer
  /** All of it, as it was sent. */
  readonly bytes: Buffer
}

/** A client asks for TLS or for GSSAPI before its session; the server answers with one letter. */
const encryptionRequests = [80_877_103, 80_877_104]

/** Returns a function that takes bytes as they come and returns the messages that are complete. */
export const splitter = (startup: boolean) => {
  let rest: Buffer = Buffer.alloc(0)
  let untyped = startup
  return (bytes: Buffer): ReadonlyArray<Frame> => {
    rest = Buffer.concat([rest, bytes])
    const frames: Array<Frame> = []
    for (;;) {
      const head = untyped ? 4 : 5
      const size = rest.length < head ? Number.POSITIVE_INFINITY : rest.readUInt32BE(head - 4) + head - 4
      if (rest.length < size) return frames
      const frame: Frame = {
        type: untyped ? undefined : rest.toString("latin1", 0, 1),
        body: rest.subarray(head, size),
        bytes: rest.subarray(0, size)
      }
      frames.push(frame)
      rest = rest.subarray(size)
      if (!asksForEncryption(frame)) untyped = false
    }
  }
}

export const asksForEncryption = ({ body, type }: Frame): boolean =>
  type === undefined && encryptionRequests.includes(body.readUInt32BE(0))

const text = (body: Buffer, from: number): readonly [string, number] => {
  const end = body.indexOf(0, from)
  return [body.toString("utf8", from, end), end + 1]
}

/** Returns a function that takes a client's message and returns the statement that it executes or names, if it does. */
export const statements = () => {
  const prepared = new Map<string, string>()
  return ({ body, type }: Frame): string | undefined => {
    if (type === "Q") return text(body, 0)[0]
    if (type === "P") {
      const [name, next] = text(body, 0)
      prepared.set(name, text(body, next)[0])
    }
    return type === "B" ? prepared.get(text(body, text(body, 0)[1])[0]) : undefined
  }
}

/** True for the last message of a client's request, which the server answers by saying that it is ready. */
export const endsRequest = ({ type }: Frame): boolean => type === undefined || type === "Q" || type === "S"

/** True for the last message of the server's answer to a request. */
export const endsAnswer = ({ type }: Frame): boolean => type === "Z"
