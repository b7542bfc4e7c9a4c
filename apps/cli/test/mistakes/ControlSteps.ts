/** Mistakes with the key and the hash of a `control`. */
import { createHmac } from "node:crypto"
import { control, digest, hashOf, key, sale, text } from "./ControlSale.ts"
import { controlRequest, otherKeys, type Row, sha1 } from "./RawRequest.ts"

const keys: ReadonlyArray<Row> = [
  sale(
    "the order's number in place of the key",
    "key-replaced",
    key(() => "Order 7")
  ),
  sale(
    "a backslash and n after the key",
    "key-line-end",
    key((own) => `${own}\\n`)
  ),
  sale(
    "a key of --other-keys-file",
    "key-other",
    key(() => "second-key"),
    { args: [`--other-keys-file=${otherKeys}`] }
  ),
  sale(
    "a line feed after the key",
    "key-line-end",
    key((own) => `${own}\n`),
    { or: ["text-line-end"] }
  ),
  sale(
    "CR LF after the key",
    "key-line-end",
    key((own) => `${own}\r\n`),
    { or: ["text-line-end"] }
  ),
  sale(
    "a blank after the key",
    "key-blank",
    key((own) => `${own} `)
  ),
  sale(
    "a byte order mark before the key",
    "key-blank",
    key((own) => `\uFEFF${own}`)
  ),
  sale(
    "quotes around the key",
    "key-quoted",
    key((own) => `"${own}"`)
  ),
  sale(
    "the mark of bytes in Python around the key",
    "key-quoted",
    key((own) => `b'${own}'`)
  ),
  sale(
    "braces around the key",
    "key-quoted",
    key((own) => `{${own}}`)
  ),
  sale(
    "the key in lower case",
    "key-case",
    key((own) => own.toLowerCase())
  ),
  sale(
    "the key without hyphens",
    "key-without-hyphens",
    key((own) => own.replaceAll("-", ""))
  ),
  sale(
    "no key",
    "key-missing",
    key(() => "")
  ),
  sale(
    "the name of the variable for the key",
    "key-missing",
    key(() => "undefined")
  ),
  sale(
    "the key hashed",
    "key-hashed",
    key((own) => sha1(own))
  ),
  sale(
    "the key twice",
    "key-twice",
    key((own) => own + own)
  ),
  sale(
    "the key without its first character",
    "key-cut",
    key((own) => own.slice(1))
  ),
  sale(
    "the key without its last character",
    "key-cut",
    key((own) => own.slice(0, -1))
  ),
  sale("the key before the values", "key-first", () => ({ sign: (all, own) => sha1(own + all.join("")) })),
  sale("the key between first and second value", "key-first", () => ({
    sign: ([id = "", ...rest], own) => sha1(id + own + rest.join(""))
  })),
  {
    did: "the key up to its #, as a file of settings cuts it",
    cause: "key-cut",
    request: controlRequest("void", () => ({ key: "secret" })),
    env: { PAY_CONTROL_KEY: "secret#12" }
  },
  {
    did: "a text in Base64 decoded as the key",
    cause: "key-decoded",
    request: controlRequest("void", () => ({ key: "a plain key!" })),
    env: { PAY_CONTROL_KEY: Buffer.from("a plain key!").toString("base64") }
  }
]

const joins: ReadonlyArray<Row> = [
  sale("the values of all fields sorted by name", "body-signed", ({ fields }) => ({
    sign: (_, own) =>
      sha1(
        Object.entries(fields)
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .map(([, value]) => value)
          .join("") + own
      )
  })),
  sale(
    "the first 40 digits of another hash",
    "hash-other and hex-cut",
    digest((all) => hashOf("sha256")(all).toString("hex").slice(0, 40))
  ),
  ...["&", "+", "|", ";", " ", "\n", "||", "::", "\t", "\r\n", "#", "*", "~", "$", "@"].map((separator) =>
    sale(`values and key joined with ${JSON.stringify(separator)}`, "separator", () => ({
      sign: (all, own) => sha1([...all, own].join(separator))
    }))
  ),
  sale("a separator before the key only", "separator", () => ({
    sign: (all, own) => sha1(`${all.join("")}|${own}`)
  })),
  sale("a separator after each value and the key", "separator", () => ({
    sign: (all, own) => sha1([...all, own].map((each) => `${each}|`).join(""))
  })),
  sale("the fields sorted by name, and &key=", "body-signed", ({ fields }) => ({
    sign: (_, own) =>
      sha1(
        `${Object.entries(fields)
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .map(([name, value]) => `${name}=${value}`)
          .join("&")}&key=${own}`
      )
  })),
  sale("the fields in JSON, and the key", "body-signed", ({ fields }) => ({
    sign: (_, own) => sha1(JSON.stringify(fields) + own)
  })),
  sale("names with the values", "names-signed", () => ({
    sign: ([id, order, minor, email], own) =>
      sha1(`endpointId=${id}&client_orderid=${order}&amount=${minor}&email=${email}${own}`)
  })),
  sale("the whole body and the key", "body-signed", ({ fields }) => ({
    sign: (_, own) => sha1(new URLSearchParams(fields).toString() + own)
  })),
  sale("values in brackets of JSON", "names-signed", () => ({
    sign: ([endpointId, client_orderid, minor, email], own) =>
      sha1(JSON.stringify({ endpointId, client_orderid, amount: minor, email }) + own)
  }))
]

const hashes: ReadonlyArray<Row> = [
  ...["md5", "sha256", "sha512", "sha224", "ripemd160", "sha3-256"].map((name) =>
    sale(name, "hash-other", digest(hashOf(name)))
  ),
  ...["sha1", "sha256", "md5"].map((name) =>
    sale(`HMAC with ${name}`, "hmac", () => ({
      sign: (all, own) => createHmac(name, own).update(all.join("")).digest("hex")
    }))
  ),
  sale("HMAC with the values as its key", "hmac", () => ({
    sign: (all, own) => createHmac("sha1", all.join("")).update(own).digest("hex")
  })),
  sale(
    "the hash hashed",
    "hash-twice",
    text((all) => sha1(sha1(all)))
  ),
  sale("the hash of the values hashed with the key", "hash-twice", () => ({
    sign: (all, own) => sha1(sha1(all.join("")) + own)
  })),
  sale(
    "Base64",
    "base64",
    digest((all) => hashOf("sha1")(all).toString("base64"))
  ),
  sale(
    "Base64 of the hex digits",
    "base64",
    digest((all) => Buffer.from(sha1(all)).toString("base64"))
  ),
  sale(
    "Base64 of the hex digits in capitals",
    "base64",
    digest((all) => Buffer.from(sha1(all).toUpperCase()).toString("base64"))
  ),
  sale(
    "bytes below zero printed as integers of Java",
    "hex-decorated",
    digest((all) =>
      [...hashOf("sha1")(all)].map((byte) => (byte > 127 ? "ffffff" : "") + byte.toString(16).padStart(2, "0")).join("")
    )
  ),
  sale(
    "zeros of bytes dropped",
    "zeros-dropped",
    digest((all) => [...hashOf("sha1")(all)].map((byte) => byte.toString(16)).join("")),
    {
      fields: { client_orderid: "Order 12" }
    }
  ),
  sale(
    "hyphens between the bytes",
    "hex-decorated",
    control((made) => made.replace(/..(?=.)/g, "$&-").toUpperCase())
  ),
  sale(
    "0x before the digits",
    "hex-decorated",
    control((made) => `0x${made}`)
  ),
  sale(
    "the name of the hash before the digits",
    "hex-decorated",
    control((made) => `sha1=${made}`)
  ),
  sale(
    "quotes around the digits",
    "hex-decorated",
    control((made) => `"${made}"`)
  ),
  sale(
    "the first 32 digits",
    "hex-cut",
    control((made) => made.slice(0, 32))
  ),
  sale(
    "39 digits",
    "hex-cut",
    control((made) => made.slice(0, -1))
  )
]

export const controlSteps: ReadonlyArray<Row> = [...keys, ...joins, ...hashes]
