/**
 * The logins and keys of the sandbox's merchants, as hashes (`PublicSecrets`). Production refuses them without loading the
 * sandbox.
 */
export const all: ReadonlySet<string> = new Set([
  /** The login. */
  "SHA256:YvRGNj2tNpsBEmFSzGLBeqgIt+tySXwRF9TUY4NlGtc",
  /** The control key. */
  "SHA256:UlJlUFx7olx4n/Isx0TgoNCaWguvaOmyATp/MtK8ObE",
  /** The RSA key. */
  "SHA256:4CfhlELdrUGZuNbm9akpn2B7ODR5r0+EQAHPZGc5AVo",
  /** The approver's key. */
  "SHA256:t7J7Re3dGOQ4e1RSKDa/Lte+FkeY2H7+kBu7F5QrB8o",
  /** The login, the control key and the RSA key of the merchant of the older dialect. */
  "SHA256:DUrkFlE5U/N6giwzFO3C8BnFZMzUjjA4ygFyc4TvB+c",
  "SHA256:spDcf/t1vmdChhKAZYiYukpMqWLcSUbsb/bYowuhdT4",
  "SHA256:N/wuHdY8n0VIPYAA3v+VivnvV4bzbD4tLkWVRTPjRYU"
])
