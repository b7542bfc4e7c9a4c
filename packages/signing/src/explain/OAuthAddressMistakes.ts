/** Mistakes with the method and the address of a base string. */
import { type Mistake, RARE, type Variant } from "./Mistake.ts"
import { addressOf, correct, type OAuthDraft, sentOf } from "./OAuthDraft.ts"

type Variants = ReadonlyArray<Variant<OAuthDraft>>

/** Replaces those parts of the address in which another one differs, or the whole if it has no such parts. */
const addressed = (draft: OAuthDraft, address: string): Partial<OAuthDraft> => {
  const [, scheme, host, path] = /^([A-Za-z]+:)\/\/([^/?#]+)(.*)$/s.exec(address) ?? []
  if (scheme === undefined || host === undefined || path === undefined) return { address: () => address }
  return {
    ...(scheme !== draft.scheme && { scheme }),
    ...(host !== draft.host && { host }),
    ...(path !== draft.path && { path })
  }
}

/** Makes one variant for each wrong address. */
const addresses = (draft: OAuthDraft, list: ReadonlyArray<readonly [detail: string, address: string]>): Variants =>
  list
    .filter(([, address]) => address !== addressOf(draft))
    .map(([detail, address]) => [detail, addressed(draft, address)])

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

/** Returns the address with another last part. */
const withId = (draft: OAuthDraft, id: string): string => {
  const address = addressOf(draft)
  return address.slice(0, address.lastIndexOf("/") + 1) + id
}

/** Appends a text to the address. */
const ending = (end: string): Partial<OAuthDraft> => ({ address: (...parts) => correct.address(...parts) + end })

export const addressMistakes: ReadonlyArray<Mistake<OAuthDraft>> = [
  {
    id: "http-method",
    description: "Another HTTP method was signed, or not in capitals.",
    remedy: "Sign POST, the method of every operation.",
    variants: (draft) =>
      ["post", "Post", "GET", "get", "PUT", "PATCH", "DELETE", "POST ", " POST", "HTTP/POST", "undefined", "null", ""]
        .filter((method) => method !== draft.method)
        .map((method) => [method === "" ? "no method" : `signed as ${JSON.stringify(method)}`, { method }])
  },
  {
    id: "host-case",
    description: "The host was signed with capital letters.",
    remedy: "Put scheme and host of the address in lower case.",
    variants: (draft) => {
      const { protocol, host, pathname } = draft.url
      const written = draft.writtenUrl.split(/[/?#]/)[2] ?? host
      return addresses(draft, [
        ["as the address is written", `${protocol}//${written}${pathname}`],
        ["all capitals", `${protocol}//${host.toUpperCase()}${pathname}`],
        ["with the scheme in capitals", `${protocol.toUpperCase()}//${host}${pathname}`],
        ["with scheme and host in capitals", `${protocol.toUpperCase()}//${host.toUpperCase()}${pathname}`],
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
    weight: RARE,
    variants: (draft) => {
      const { hostname, pathname, port, protocol } = draft.url
      const end = port === "" ? "" : `:${port}`
      return addresses(draft, [
        ["with a point after the host", `${protocol}//${hostname}.${end}${pathname}`],
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
    variants: (draft) => {
      const other = addressOf(draft).startsWith("https:") ? "http" : "https"
      return addresses(draft, [[`signed as ${other}`, addressOf(draft).replace(/^[a-z]+/, other)]])
    }
  },
  {
    id: "query-in-address",
    description: "The query or a fragment was signed as a part of the address.",
    remedy: "Cut the address at its ? or #, and sign the query's parameters with the others.",
    variants: (draft) => {
      const query = sentOf(draft).filter(({ place }) => place === "query")
      const form = sentOf(draft).filter(({ place }) => place === "body")
      const all = new URLSearchParams(form.map(({ name, value }) => [name, value])).toString()
      const withoutQuery = { values: Object.fromEntries(query.map(({ step }) => [step, null])) }
      return [
        ...(draft.url.search === ""
          ? [["a ? without a query", ending("?")] as const]
          : [
              ["in the address and as parameters", ending(draft.url.search)] as const,
              ["only in the address", { ...ending(draft.url.search), ...withoutQuery }] as const
            ]),
        ["a ? and the body in the address", ending(`?${all}`)],
        ...["top", "", "main", "pay"].map((end) => [`#${end} at the end`, ending(`#${end}`)] as const),
        [
          "the fragment of the address",
          ending(draft.writtenUrl.includes("#") ? draft.writtenUrl.slice(draft.writtenUrl.indexOf("#")) : "#")
        ]
      ]
    }
  },
  {
    id: "slash-at-end",
    description: "The address was signed with a slash at its end, or without the one it has.",
    remedy: "Sign the path exactly as it is called.",
    variants: (draft) => {
      const address = addressOf(draft)
      return addresses(draft, [["a slash more or less", address.endsWith("/") ? address.slice(0, -1) : `${address}/`]])
    }
  },
  {
    id: "path-slashes",
    description:
      "The path was signed with other slashes than it has: two in a row, one in place of two, or escaped ones.",
    remedy: "Sign the path exactly as it is called.",
    weight: RARE,
    variants: ({ url: { origin, pathname }, ...draft }) =>
      addresses({ ...draft, url: new URL(draft.writtenUrl) }, [
        ["one slash in place of two", origin + pathname.replaceAll(/\/{2,}/g, "/")],
        ["two slashes at the beginning", `${origin}/${pathname}`],
        ["two slashes before /api/", origin + pathname.replace("/api/", "//api/")],
        ["two slashes before the endpoint id", origin + pathname.replace(/\/(?=[^/]*$)/, "//")],
        ["each slash escaped", origin + pathname.replaceAll("/", "%2F")],
        ["each slash but the first escaped", `${origin}/${pathname.slice(1).replaceAll("/", "%2F")}`],
        ["backslashes", origin + pathname.replaceAll("/", "\\")]
      ])
  },
  {
    id: "path-case",
    description: "The path was signed in other letters, capital or small, than those in which it is called.",
    remedy: "Sign the path exactly as it is called: only scheme and host are put in lower case.",
    weight: RARE,
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
        ["with its prefix twice", origin + pathname.slice(0, pathname.length - rest.length) + pathname],
        ["with /api twice", origin + pathname.replace("/api/", "/api/api/")],
        ["without /api", origin + pathname.replace("/api/", "/")],
        ["without its version", origin + pathname.replace(/\/v\d\//, "/")],
        ...prefixes.map((prefix) => [`with ${prefix} before /api/`, origin + prefix + rest] as const)
      ])
    }
  },
  {
    id: "operation-other",
    description: "The address of another operation was signed.",
    remedy: "Sign the very address that is called.",
    weight: RARE,
    variants: (draft) => {
      const address = addressOf(draft)
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
    variants: (draft) =>
      addresses(draft, [
        ["only the path", draft.url.pathname],
        ["no scheme", addressOf(draft).replace(/^[a-z]+:\/\//, "")],
        ["no path", draft.url.origin],
        ["no path but a slash", `${draft.url.origin}/`],
        ["no endpoint id", addressOf(draft).replace(/\/[^/]*$/, "")],
        ["no address", ""],
        ["only the host", draft.url.hostname],
        ["only scheme and path", `${draft.url.protocol}//${draft.url.pathname}`],
        ["no slashes after the scheme", addressOf(draft).replace("//", "")],
        ["a word in place of the endpoint id", withId(draft, "undefined")],
        ["the word for a number in place of the endpoint id", withId(draft, "{endpointId}")],
        ["a name of a variable in place of the endpoint id", withId(draft, "ENDPOINTID")]
      ])
  },
  {
    id: "endpoint-or-group",
    description: "Another endpoint id or group id was signed than the one in the path.",
    remedy: "Sign the very address that is called.",
    variants: (draft) => {
      const begin = addressOf(draft).slice(0, addressOf(draft).lastIndexOf("/") + 1)
      const id = addressOf(draft).slice(begin.length)
      const plain = begin.replace(/\/group\/$/, "/")
      return addresses(draft, [
        ...draft.otherIds.map((other) => [`signed with ${other}`, begin + other] as const),
        ["without group/", plain + id],
        ["with group/ before the id", `${plain}group/${id}`]
      ])
    }
  }
]
