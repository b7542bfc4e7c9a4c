/** Describes the reason for which an OAuth request is refused. */
import type * as OAuth from "@pay/signing/OAuth"

type Words = {
  readonly [Tag in OAuth.Reason["_tag"]]: (reason: Extract<OAuth.Reason, { readonly _tag: Tag }>) => string
}

const words: Words = {
  MissingHeader: () => "there is no Authorization header",
  MalformedHeader: ({ detail }) => detail,
  MissingParameter: ({ name }) => `${name} is missing in the header`,
  MalformedParameter: ({ name }) => `${name} is malformed`,
  ConflictingParameter: ({ name }) => `${name} stands in the body or query and is not the same in the header`,
  UnsupportedMethod: () => "the signature method is neither HMAC-SHA1 nor RSA-SHA256",
  UnsupportedVersion: () => "oauth_version is not 1.0",
  MalformedUrl: () => "the address is malformed",
  WrongMethod: ({ expected, received }) => `it is signed with ${received}, and this operation takes ${expected}`,
  SignatureMismatch: () => "the signature does not belong to this request and key",
  OutsideTolerance: ({ ageSeconds }) =>
    `the signature is right, but oauth_timestamp is ${Math.abs(ageSeconds)} s in the ${ageSeconds > 0 ? "past" : "future"} (--at SECONDS judges it at another time)`
}

export const describe = <Tag extends OAuth.Reason["_tag"]>(
  reason: Extract<OAuth.Reason, { readonly _tag: Tag }> & { readonly _tag: Tag }
): string => words[reason._tag](reason)
