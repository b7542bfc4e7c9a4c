/** Mistakes with the method and the address of a base string. */
import type { Mistake, Variant } from "./Mistake.ts"
import type { OAuthDraft } from "./OAuthDraft.ts"

type Variants = ReadonlyArray<Variant<OAuthDraft>>

/** Makes one variant for each wrong address. */
const addresses = (draft: OAuthDraft, list: ReadonlyArray<readonly [detail: string, address: string]>): Variants =>
  list.filter(([, address]) => address !== draft.address).map(([detail, address]) => [detail, { ...draft, address }])

/** Names of this machine, which mean the same and are not the same text. */
const loopback = ["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "host.docker.internal"]

/** Returns other names that the host of an address may have. */
const namesOf = (hostname: string): ReadonlyArray<string> => [
  ...(loopback.includes(hostname) ? loopback : []),
  ...(/^[\d.]+$|^\[/.test(hostname) ? [] : namesBeside(hostname))
]

/** First parts of the names of hosts that belong together. */
const firstParts = [
  "www",
  "api",
  "sandbox",
  "test",
  "stage",
  "staging",
  "dev",
  "demo",
  "gate",
  "gateway",
  "secure",
  "pay"
]

/** Returns the names of hosts that may belong to the same gateway: with another first part, with one more or one less. */
const namesBeside = (hostname: string): ReadonlyArray<string> => {
  const rest = hostname.includes(".") ? hostname.slice(hostname.indexOf(".") + 1) : ""
  const ends = rest.includes(".") ? [hostname, rest] : [hostname]
  const hosts = [...ends.flatMap((end) => firstParts.map((first) => `${first}.${end}`)), ...ends]
  return hosts.filter((name) => name !== hostname)
}

/** Returns the part of a path that names the operation and the endpoint: from `/api/` on. */
const afterPrefix = (path: string): string => path.slice(Math.max(0, path.search(/\/api\//i)))

export const addressMistakes: ReadonlyArray<Mistake<OAuthDraft>> = [
  {
    id: "http-method",
    description: "Another HTTP method was signed, or not in capitals.",
    remedy: "Sign POST, the method of every operation.",
    aspect: "method",
    variants: (draft) =>
      ["post", "Post", "GET", "get", "PUT", ""].map((method) => [
        method === "" ? "no method" : `signed as ${method}`,
        { ...draft, method }
      ])
  },
  {
    id: "host-case",
    description: "The host was signed with capital letters.",
    remedy: "Put scheme and host of the address in lower case.",
    aspect: "host",
    variants: (draft) => {
      const { protocol, host, pathname } = draft.url
      const written = draft.writtenUrl.split(/[/?#]/)[2] ?? host
      return addresses(draft, [
        ["as the address is written", `${protocol}//${written}${pathname}`],
        ["all capitals", `${protocol}//${host.toUpperCase()}${pathname}`],
        [
          "the first letter a capital",
          `${protocol}//${host.replace(/^./, (letter) => letter.toUpperCase())}${pathname}`
        ]
      ])
    }
  },
  {
    id: "default-port",
    description: "The port was signed although it is the default one, or dropped or changed although it is not.",
    remedy: "Sign the port of the address that you call, and only if it is neither 443 for https nor 80 for http.",
    aspect: "host",
    variants: (draft) => {
      const { protocol, hostname, port, pathname } = draft.url
      const standard = protocol === "https:" ? "443" : "80"
      const others = [standard, "", "80", "443", "8080", "8443", "3000"].filter((other) => other !== port)
      return addresses(
        draft,
        others.map((other) => [
          other === "" ? "no port" : other === standard ? "the default port" : `the port ${other}`,
          `${protocol}//${hostname}${other === "" ? "" : `:${other}`}${pathname}`
        ])
      )
    }
  },
  {
    id: "host-other",
    description: "The name of another host was signed than the one that is called.",
    remedy: "Sign the public address exactly as you call it: localhost and 127.0.0.1 are not the same text.",
    aspect: "host",
    isRare: true,
    variants: (draft) => {
      const { hostname, pathname, port, protocol } = draft.url
      const end = port === "" ? "" : `:${port}`
      return addresses(draft, [
        ...namesOf(hostname).map((name) => [`signed as ${name}`, `${protocol}//${name}${end}${pathname}`] as const),
        ...draft.otherBases
          .filter(({ base }) => URL.parse(base)?.hostname !== hostname)
          .flatMap(({ base, label }) => [
            [label, `${base}${afterPrefix(pathname)}`] as const,
            [label, `${URL.parse(base)?.origin}${pathname}`] as const
          ])
      ])
    }
  },
  {
    id: "scheme",
    description: "http was signed in place of https, or the other way round.",
    remedy: "Sign the public address as the merchant calls it, also behind a proxy.",
    aspect: "scheme",
    variants: (draft) => {
      const other = draft.address.startsWith("https:") ? "http" : "https"
      return addresses(draft, [[`signed as ${other}`, draft.address.replace(/^[a-z]+/, other)]])
    }
  },
  {
    id: "query-in-address",
    description: "The query was signed as a part of the address.",
    remedy: "Cut the address at its ? and sign the query's parameters with the others.",
    aspect: "path",
    variants: (draft) =>
      draft.url.search === ""
        ? []
        : [
            ["in the address and as parameters", { ...draft, address: draft.address + draft.url.search }],
            ["only in the address", { ...draft, address: draft.address + draft.url.search, query: [] }]
          ]
  },
  {
    id: "slash-at-end",
    description: "The address was signed with a slash at its end, or without the one it has.",
    remedy: "Sign the path exactly as it is called.",
    aspect: "path",
    variants: (draft) => {
      const { address } = draft
      return addresses(draft, [["a slash more or less", address.endsWith("/") ? address.slice(0, -1) : `${address}/`]])
    }
  },
  {
    id: "path-slashes",
    description: "The path was signed with two slashes in a row, or without those that it has.",
    remedy: "Sign the path exactly as it is called.",
    aspect: "path",
    isRare: true,
    variants: ({ url: { origin, pathname }, ...draft }) =>
      addresses({ ...draft, url: new URL(draft.writtenUrl) }, [
        ["one slash in place of two", origin + pathname.replaceAll(/\/{2,}/g, "/")],
        ["two slashes at the beginning", `${origin}/${pathname}`],
        ["two slashes before /api/", origin + pathname.replace("/api/", "//api/")]
      ])
  },
  {
    id: "path-case",
    description: "The path was signed in other letters, capital or small, than those in which it is called.",
    remedy: "Sign the path exactly as it is called: only scheme and host are put in lower case.",
    aspect: "path",
    isRare: true,
    variants: (draft) => {
      const { origin, pathname } = draft.url
      return addresses(draft, [
        ["in small letters", origin + pathname.toLowerCase()],
        ["in capitals", origin + pathname.toUpperCase()],
        ["in capitals, with scheme and host", (origin + pathname).toUpperCase()]
      ])
    }
  },
  {
    id: "prefix-missing",
    description:
      "The part of the path before /api/ was not signed, or is another one, as behind a proxy that changes it.",
    remedy: "Sign the public address as the merchant calls it, with its whole path.",
    aspect: "path",
    variants: (draft) => {
      const { hostname, origin, pathname } = draft.url
      const rest = afterPrefix(pathname)
      const prefixes = draft.otherBases
        .flatMap(({ base }) => URL.parse(base) ?? [])
        .filter((base) => base.hostname === hostname)
        .map((base) => base.pathname.replace(/\/$/, ""))
        .filter((prefix) => !pathname.toLowerCase().startsWith(`${prefix.toLowerCase()}/api/`))
      return addresses(draft, [
        ["from /api/ on", origin + rest],
        ...prefixes.map((prefix) => [`with ${prefix} before /api/`, origin + prefix + rest] as const)
      ])
    }
  },
  {
    id: "operation-other",
    description: "The address of another operation was signed.",
    remedy: "Sign the very address that is called.",
    aspect: "path",
    isRare: true,
    variants: (draft) => {
      const { address } = draft
      const [begin, end] = [address.indexOf("/api/"), address.lastIndexOf("/")]
      if (begin === -1) return []
      const [own = "", group = ""] = address.slice(begin, end).split(/(?=\/group$)/)
      return addresses(
        draft,
        draft.paths
          .filter((path) => path !== own)
          .map((path) => [`signed as ${path}`, address.slice(0, begin) + path + group + address.slice(end)])
      )
    }
  },
  {
    id: "address-incomplete",
    description: "Only a part of the address was signed.",
    remedy: "Sign scheme, host and path.",
    aspect: "path",
    variants: (draft) =>
      addresses(draft, [
        ["only the path", draft.url.pathname],
        ["no scheme", draft.address.replace(/^[a-z]+:\/\//, "")],
        ["no path", draft.url.origin],
        ["no path but a slash", `${draft.url.origin}/`],
        ["no endpoint id", draft.address.replace(/\/[^/]*$/, "")],
        ["no address", ""]
      ])
  },
  {
    id: "endpoint-or-group",
    description: "Another endpoint id or group id was signed than the one in the path.",
    remedy: "Sign the very address that is called.",
    aspect: "path",
    variants: (draft) => {
      const begin = draft.address.slice(0, draft.address.lastIndexOf("/") + 1)
      const id = draft.address.slice(begin.length)
      const plain = begin.replace(/\/group\/$/, "/")
      return addresses(draft, [
        ...draft.otherIds.map((other) => [`signed with ${other}`, begin + other] as const),
        ["without group/", plain + id],
        ["with group/ before the id", `${plain}group/${id}`]
      ])
    }
  }
]
