/** The baseline of a sale without a gateway: checks the control, and encrypts the same card data. No checks, fibers or schemas. */
import { createCipheriv, createSecretKey, randomBytes } from "node:crypto"
import { merchant } from "@pay/server/Sandbox"
import * as BareHttp from "./BareHttp.ts"

const master = createSecretKey(randomBytes(32))

const encrypt = (key: Parameters<typeof createCipheriv>[1], plain: string | Buffer): Buffer => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", key, nonce)
  const sealed = typeof plain === "string" ? cipher.update(plain, "utf8") : cipher.update(plain)
  return Buffer.concat([nonce, sealed, cipher.final(), cipher.getAuthTag()])
}

/** Encrypts with a new data key, which the master key encrypts, as the gateway does. */
const seal = (plain: string): Buffer => {
  const dataKey = randomBytes(32)
  return Buffer.concat([encrypt(master, dataKey), encrypt(dataKey, plain)])
}

/** Serves sales. `accept` commits the rows of the sale with this number. */
export const serve = (accept: (turn: number) => Promise<unknown>): void =>
  BareHttp.serve((request, respond) => {
    const { endpointId, field, turn } = request
    const minor = field("amount").replace(".", "")
    const signed = endpointId + field("client_orderid") + minor + field("email") + merchant.controlKey
    if (!BareHttp.isGenuine(request, signed)) return respond(undefined)
    seal(field("credit_card_number"))
    seal(field("cvv2"))
    void accept(turn).then(() =>
      respond(
        `{"type":"async-response","serial-number":"00000000-0000-0000-0000-${String(turn).padStart(12, "0")}","merchant-order-id":"${field("client_orderid")}","paynet-order-id":"${turn}","end-point-id":"${endpointId}"}`
      )
    )
  })
