/**
 * FOR THE SANDBOX ONLY. A second approver whose Ed25519 key is public: it protects nothing and must never belong to a real
 * person.
 */
export const approver = {
  name: "sandbox-approver",
  privateKeyPem: `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJg5ZDB8tJZ7wVA8vo2nynO3I7lPamhZs1PktIlgVMqM
-----END PRIVATE KEY-----
`,
  publicKeyPem: `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAT6pszNFcgqGTbEnDII1Y+13EhhhamhQc9pSCprzqeNY=
-----END PUBLIC KEY-----
`
} as const
