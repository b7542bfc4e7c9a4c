/** Fields of the 3-D Secure uploads. */
import * as Field from "../Field.ts"

export const CRes = Field.text({
  about: "The challenge response as the browser posted it: base64url JSON.",
  max: 4096,
  pattern: /^[A-Za-z0-9_-]+={0,2}$/,
  must: "must be base64url",
  sample:
    "eyJ0aHJlZURTU2VydmVyVHJhbnNJRCI6IjhhODgwZGMwLWQyZDItNDA2Ny1iY2IxLWIwOGQxNjkwYjI2ZSIsIm1lc3NhZ2VUeXBlIjoiQ1JlcyJ9"
})

export const PaRes = Field.text({
  about: "The payer authentication response as the browser posted it: base64 of deflated XML.",
  max: 10_240,
  pattern: /^[A-Za-z0-9+/=\s]+$/,
  must: "must be base64",
  canonical: (text) => text.replaceAll(/\s/g, ""),
  sample: "eJzVWNnSo8iOfpWO"
})

export const Md = Field.text({
  about: "The `MD` that was sent with the PaReq.",
  max: 1024,
  sample: "6768788"
})

export const ServerTransId = Field.text({
  about: "The transaction's identifier at the 3DS server (UUID).",
  max: 36,
  pattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  must: "must be a UUID",
  canonical: (text) => text.toLowerCase(),
  sample: "8a880dc0-d2d2-4067-bcb1-b08d1690b26e"
})

export const CompletionIndicator = Field.oneOf(["Y", "N", "U"], {
  about:
    "Y: the method completed. N: not within 10 seconds. U: there was no method URL, and the request has the browser's data.",
  sample: "Y"
})
