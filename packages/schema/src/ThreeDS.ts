/**
 * The messages of 3-D Secure that pass through the browser. Version 2: base64url of JSON (EMV 3-D Secure, protocol and
 * core functions). Version 1.0.2: base64 of deflated XML. None of them proves anything by itself: a CRes is not
 * signed, and a PaRes counts only after its XML signature was verified.
 */
import { Buffer } from "node:buffer"
import { deflateSync, inflateSync } from "node:zlib"
import { Result, Schema } from "effect"

/**
 * `threeDSMethodData`, posted to the method URL in a hidden frame. The browser brings it back with `threeDSServerTransID` alone.
 */
const MethodData = Schema.Struct({
  threeDSServerTransID: Schema.String,
  threeDSMethodNotificationURL: Schema.optionalKey(Schema.String)
})
export type MethodData = typeof MethodData.Type

/** `creq`, posted to the issuer's access control server to start a challenge. */
export const CReq = Schema.Struct({
  messageType: Schema.Literal("CReq"),
  messageVersion: Schema.String,
  threeDSServerTransID: Schema.String,
  acsTransID: Schema.String,
  challengeWindowSize: Schema.optionalKey(Schema.String)
})
export type CReq = typeof CReq.Type

/**
 * `cres`, which the browser posts back when the challenge has ended. It reports that the challenge has ended, and does not prove
 * the result.
 */
export const CRes = Schema.Struct({
  messageType: Schema.Literal("CRes"),
  messageVersion: Schema.optionalKey(Schema.String),
  threeDSServerTransID: Schema.String,
  acsTransID: Schema.optionalKey(Schema.String),
  /** The result of the authentication. Y and A: the cardholder is authenticated. C: a challenge is required. */
  transStatus: Schema.optionalKey(Schema.String),
  challengeCompletionInd: Schema.optionalKey(Schema.String)
})
export type CRes = typeof CRes.Type

/** Encodes and decodes one kind of message. */
export interface Message<A> {
  readonly encode: (message: A) => string
  /** Fails with what is wrong with the text. Unknown members are ignored. */
  readonly decode: (text: string) => Result.Result<A, string>
}

/** Longest base64 text of a message that is decoded, in characters. */
const maxTextLength = 16_384
const base64url = /^[A-Za-z0-9_-]+={0,2}$/
const utf8 = new TextDecoder("utf-8", { fatal: true })

const message = <S extends Schema.Codec<unknown, unknown>>(schema: S): Message<S["Type"]> => {
  const decodeMessage = Schema.decodeUnknownResult(schema)
  const encodeMessage = Schema.encodeSync(schema)
  return {
    encode: (value) => Buffer.from(JSON.stringify(encodeMessage(value))).toString("base64url"),
    decode: (text) => {
      if (text.length > maxTextLength || !base64url.test(text)) return Result.fail("is not base64url")
      const json = Result.try({
        try: (): unknown => JSON.parse(utf8.decode(Buffer.from(text, "base64url"))),
        catch: () => "is not base64url JSON"
      })
      return Result.flatMap(json, (value) =>
        Result.mapError(decodeMessage(value), () => "is not the message that was expected")
      )
    }
  }
}

/** The encoding of `threeDSMethodData`. */
export const methodData: Message<MethodData> = message(MethodData)
/** The encoding of `creq`. */
export const creq: Message<CReq> = message(CReq)
/** The encoding of `cres`. */
export const cres: Message<CRes> = message(CRes)

/** Longest XML of a PaReq or PaRes after decompression, in bytes, because a few kilobytes can decompress to very long text. */
const maxXmlBytes = 65_536

/** The envelope of PaReq and PaRes: base64 of the deflated XML (3-D Secure 1.0.2, RFC 1950 and RFC 2045). */
export const xml: Message<string> = {
  encode: (text) => deflateSync(text).toString("base64"),
  decode: (text) =>
    text.length > maxTextLength
      ? Result.fail("is too long")
      : Result.try({
          try: () => utf8.decode(inflateSync(Buffer.from(text, "base64"), { maxOutputLength: maxXmlBytes })),
          catch: () => "is not base64 of deflated XML"
        })
}
