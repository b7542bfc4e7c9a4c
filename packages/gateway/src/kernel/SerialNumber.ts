/**
 * Serial-numbers of answers: a UUID shape whose lower half is the request's number. The first answer to a request has a
 * zero upper half; a replay and a question get a random one, so every answer is told apart and each still resolves to its
 * request without a row of its own.
 */

const hex64 = (n: bigint): string => n.toString(16).padStart(16, "0")

const shape = (upper: string, lower: string): string =>
  `${upper.slice(0, 8)}-${upper.slice(8, 12)}-${upper.slice(12)}-${lower.slice(0, 4)}-${lower.slice(4)}`

const zero = "0000000000000000"

/** The serial-number under which a request was first answered. */
export const first = (requestId: string): string => shape(zero, hex64(BigInt(requestId)))

/** Another serial-number of the same request; `salt` is 16 random hex digits. */
export const again = (requestId: string, salt: string): string => shape(salt, hex64(BigInt(requestId)))

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-([0-9a-f]{4})-([0-9a-f]{12})$/i

/** The request that a serial-number belongs to; undefined where the text is none. */
export const requestId = (serialNumber: string): string | undefined => {
  const match = pattern.exec(serialNumber)
  return match === null ? undefined : BigInt(`0x${match[1]}${match[2]}`).toString()
}
