/** A fourth list, written before any of them was tried: what languages print, fractions that are kept binary, and keys as bytes. */
import { createHmac, publicEncrypt } from "node:crypto"
import * as C from "../more/ControlChanges.ts"
import * as O from "../more/OAuthChanges.ts"
import { type Row, rsa, sha1 } from "../RawRequest.ts"

const uuid = "B17F59B4-A7DC-41B4-8FF9-37D986B43D20"
const env = { PAY_CONTROL_KEY: uuid }
const uuidBytes = Buffer.from(uuid.replaceAll("-", ""), "hex")
const guidBytes = Buffer.from("b4597fb1dca7b4418ff937d986b43d20", "hex")

const sending = (control: string): C.Change => C.print(() => control)
const bytesAsKey =
  (key: Buffer): C.Change =>
  ({ values }) => ({ sign: () => sha1(Buffer.concat([Buffer.from(values.join("")), key])) })
const hmacUnder = (key: Buffer) => () => ({
  sign: (base: string) => createHmac("sha1", key).update(base).digest("base64")
})

export const fourthTable: ReadonlyArray<Row> = [
  C.row(
    "sale",
    "Java: new BigDecimal(10.42).multiply(HUNDRED)",
    "amount-float",
    C.value(2, "1041.9999999999999928945726423989981412887573242187500")
  ),
  C.row("sale", "Python: Decimal(10.42) * 100", "amount-float", C.value(2, "1041.999999999999992894572642")),
  C.row(
    "preauth",
    "Java: new BigDecimal(10.42)",
    "amount-float",
    C.value(2, "10.4199999999999999289457264239899814128875732421875")
  ),
  C.row("preauth", "Java: a float of 10.42 times a double of 100", "amount-float", C.value(2, "1042.0000076293945")),
  C.row("sale", "C#: 4.99f * 100", "amount-float", C.value(2, "498.99997"), { with: { amount: "4.99" } }),
  C.row(
    "sale",
    "Python: hexdigest without ()",
    "digest-unprinted",
    sending("<built-in method hexdigest of _hashlib.HASH object at 0x7f3b2c1d5e70>")
  ),
  C.row(
    "void",
    "Python: str() of the hash",
    "digest-unprinted",
    sending("<sha1 _hashlib.HASH object @ 0x7f3b2c1d5e70>")
  ),
  C.row(
    "void",
    "C#: ToString() of the hash",
    "digest-unprinted",
    sending("System.Security.Cryptography.SHA1+Implementation")
  ),
  C.row("sale", "JavaScript: a BigInt with its n", "amount-format", C.value(2, "1042n")),
  C.row(
    "sale",
    "Java: an Optional",
    "value-wrapped",
    C.changed(1, (own) => `Optional[${own}]`)
  ),
  C.row(
    "sale",
    "Rust: an Option",
    "value-wrapped",
    C.changed(1, (own) => `Some("${own}")`)
  ),
  C.row(
    "sale",
    "Python: a tuple by a comma",
    "value-wrapped",
    C.changed(1, (own) => `('${own}',)`)
  ),
  C.row(
    "void",
    "Python: bytes",
    "value-wrapped",
    C.changed(1, (own) => `b'${own}'`)
  ),
  C.row("capture", "PHP: strtoupper of the currency that is signed alone", "value-refused", C.value(4, "EUR"), {
    with: { amount: "10.42", currency: "eur" }
  }),
  C.row(
    "status",
    "PHP: serialize of a list",
    "names-signed",
    C.text(
      (all, key) => `a:${all.length}:{${all.map((each, at) => `i:${at};s:${each.length}:"${each}";`).join("")}}${key}`
    )
  ),
  C.row(
    "account-verification",
    "PHP: serialize of a list with a number",
    "names-signed",
    C.text(
      ([id, own = "", email = ""], key) =>
        `a:3:{i:0;i:${id};i:1;s:${own.length}:"${own}";i:2;s:${email.length}:"${email}";}${key}`
    )
  ),
  C.row("sale", "Java: the key as the bytes of a UUID", "key-decoded", bytesAsKey(uuidBytes), { env }),
  C.row("sale", "C#: the key as Guid.ToByteArray()", "key-decoded", bytesAsKey(guidBytes), { env }),
  C.row(
    "return",
    "Go: amount and currency of the order, which the request has not",
    "request-other",
    C.order(0, 1, 2, "4800", "EUR")
  ),
  O.row(
    "payout",
    "Python: bytes.fromhex of the key",
    "key-decoded",
    hmacUnder(Buffer.concat([uuidBytes, Buffer.from("&")])),
    { env }
  ),
  O.row("payout", "C#: Guid.ToByteArray() as the key", "key-decoded", hmacUnder(guidBytes), { env }),
  O.row("v4/payout", "PHP: openssl_public_encrypt of the hash", "rsa-key-other", () => ({
    sign: (base) => publicEncrypt(rsa.publicKey, Buffer.from(sha1(base))).toString("base64")
  }))
]
