/** An operator's authenticator: the codes of RFC 6238, computed without the library of the gateway. */
import { createHmac } from "node:crypto"
import { wall } from "../../packages/schema/test/Clocks.ts"

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

const bytesOf = (base32: string): Buffer => {
  const bits = [...base32].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("")
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** Returns the code of this moment, or of so many steps of 30 seconds after it. */
export const code = (secret: string, stepsLater = 0): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(wall.currentTimeMillisUnsafe() / 30_000) + stepsLater))
  const digest = createHmac("sha1", bytesOf(secret)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, "0")
}
