import { header, hmac, protocol, withoutProtocol, withRsa } from "./OAuthPayout.ts"
import { headerOf, hmacSha1, now, type Row, rsa, rsaSha256 } from "./RawRequest.ts"

const headers: ReadonlyArray<Row> = [
  hmac(
    "the fields in the header, too",
    "header-long",
    header((all) => `${all}${Array.from({ length: 40 }, (_, index) => `, field${index}="x"`).join("")}`)
  ),
  hmac("a broken escape in the address", "address-malformed", (parts) => ({
    line: parts.line.replace(" HTTP", "?tag=%zz HTTP")
  })),
  hmac("a control where OAuth is taken", "signing-other", (parts) => ({
    header: () => "",
    sent: [...parts.sent, ["control", "8b4327329029cf6ea459f5a92492775f8a11f97a"]]
  })),
  hmac(
    "no quotes",
    "header-quotes",
    header((all) => all.replaceAll('"', ""))
  ),
  hmac(
    "single quotes",
    "header-quotes",
    header((all) => all.replaceAll('"', "'"))
  ),
  hmac(
    "no commas",
    "header-comma",
    header((all) => all.replaceAll(",", ""))
  ),
  hmac(
    "semicolons",
    "header-comma",
    header((all) => all.replaceAll(",", ";"))
  ),
  hmac(
    "& between the parameters",
    "header-comma",
    header((all) => all.replaceAll(", ", "&"))
  ),
  hmac(
    "Bearer",
    "header-scheme",
    header((all) => all.replace("OAuth", "Bearer"))
  ),
  hmac(
    "no scheme",
    "header-scheme",
    header((all) => all.replace("OAuth ", ""))
  ),
  hmac(
    "a broken escape",
    "header-encoding",
    header((all) => all.replace("%3D", "%"))
  ),
  hmac(
    "a parameter twice",
    "header-twice",
    header((all) => `${all}, oauth_nonce="x"`)
  ),
  hmac(
    "no header",
    "header-missing",
    header(() => "")
  ),
  hmac("the oauth_ parameters in the body only", "header-in-body", (parts) => ({
    header: () => "",
    sent: [...parts.sent, ...parts.protocol, ["oauth_signature", "eA=="]]
  })),
  hmac("the header under another name", "header-missing", (parts) => ({
    header: () => "",
    headers: [...parts.headers, `X-Authorization: ${headerOf(parts.protocol, "eA==")}`]
  })),
  ...["oauth_nonce", "oauth_timestamp", "oauth_version", "oauth_consumer_key", "oauth_signature_method"].map((name) =>
    hmac(`no ${name}`, "parameter-absent", withoutProtocol(name))
  ),
  hmac("an empty nonce", "parameter-absent", protocol("oauth_nonce", "")),
  hmac("a nonce of 200 characters", "nonce-long", protocol("oauth_nonce", "n".repeat(200))),
  hmac("version 1.0a", "version-other", protocol("oauth_version", "1.0a")),
  hmac("version 2.0", "version-other", protocol("oauth_version", "2.0")),
  hmac("the method HMAC-SHA256", "method-unsupported", protocol("oauth_signature_method", "HMAC-SHA256")),
  hmac("the method in small letters", "method-unsupported", protocol("oauth_signature_method", "hmac-sha1")),
  withRsa("the method RSA-SHA1", "method-unsupported", protocol("oauth_signature_method", "RSA-SHA1")),
  hmac("the method RSA-SHA256 where it is not taken", "method-not-taken", (parts) => ({
    ...protocol("oauth_signature_method", "RSA-SHA256")(parts),
    sign: rsaSha256(rsa.privateKey)
  })),
  withRsa("the method HMAC-SHA1 where it is not taken", "method-not-taken", (parts) => ({
    ...protocol("oauth_signature_method", "HMAC-SHA1")(parts),
    sign: hmacSha1
  })),
  hmac("another nonce in the body than in the header", "parameter-conflict", (parts) => ({
    sent: [...parts.sent, ["oauth_nonce", "other"]]
  })),
  hmac("a timestamp of six minutes ago", "timestamp-stale", protocol("oauth_timestamp", String(now - 360))),
  withRsa("a timestamp of an hour ago", "timestamp-stale", protocol("oauth_timestamp", String(now - 3600))),
  hmac("a timestamp in ten minutes", "timestamp-early", protocol("oauth_timestamp", String(now + 600))),
  hmac("a timestamp in milliseconds", "timestamp-milliseconds", protocol("oauth_timestamp", `${now}123`)),
  withRsa("a timestamp in milliseconds, with RSA", "timestamp-milliseconds", protocol("oauth_timestamp", `${now}123`)),
  hmac("a timestamp in microseconds", "timestamp-milliseconds", protocol("oauth_timestamp", `${now}123456`)),
  hmac("a timestamp as a date", "timestamp-form", protocol("oauth_timestamp", "2023-11-14T22:13:20Z")),
  hmac("a timestamp with a fraction", "timestamp-form", protocol("oauth_timestamp", `${now}.5`)),
  hmac("the login of somebody else", "consumer-other", protocol("oauth_consumer_key", "somebody")),
  withRsa("the control key as the consumer key", "consumer-other", protocol("oauth_consumer_key", "another-login")),
  hmac("the endpoint id as the consumer key", "consumer-other", protocol("oauth_consumer_key", "1111")),
  hmac("a body in JSON", "body-json", (parts) => ({
    headers: parts.headers.map((all) => (all.startsWith("Content-Type") ? "Content-Type: application/json" : all)),
    body: (fields) => JSON.stringify(Object.fromEntries(fields))
  }))
]

export const oauthHeaders: ReadonlyArray<Row> = [...headers]
