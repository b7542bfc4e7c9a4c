/**
 * Serial numbers of answers. A serial number has the shape of a UUID, and its lower half is the number of the request. The upper
 * half is zero in the first answer to a request, and random in a repeated answer or an answer to an inquiry. So all serial
 * numbers differ, and each leads to its request without a row of its own.
 */

const hex64 = (n: bigint): string => n.toString(16).padStart(16, "0")

const shape = (upper: string, lower: string): string =>
  `${upper.slice(0, 8)}-${upper.slice(8, 12)}-${upper.slice(12)}-${lower.slice(0, 4)}-${lower.slice(4)}`

const zero = "0000000000000000"

/** Returns the serial number of the first answer to a request. */
export const first = (requestId: string): string => shape(zero, hex64(BigInt(requestId)))

/** Returns a further serial number for the same request. `salt` is 16 random hex digits. */
export const again = (requestId: string, salt: string): string => shape(salt, hex64(BigInt(requestId)))

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-([0-9a-f]{4})-([0-9a-f]{12})$/i

/** Returns the request of a serial number. `undefined`: the text is not a serial number. */
export const requestId = (serialNumber: string): string | undefined => {
  const match = pattern.exec(serialNumber)
  return match === null ? undefined : BigInt(`0x${match[1]}${match[2]}`).toString()
}
