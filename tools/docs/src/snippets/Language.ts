/** The languages of the snippets, and the command that runs a snippet of each. */
export const languages = ["curl", "TypeScript", "PHP", "Python"] as const
export type Language = (typeof languages)[number]

/** The languages whose programs in tools/vectors/programs verify the signing vectors. */
export const vectorLanguages = ["PHP", "Python", "Go", "Java"] as const
export type VectorLanguage = (typeof vectorLanguages)[number]

interface Facts {
  /** The name of the language in a block of Markdown. */
  readonly fence: string
  readonly extension: string
  /** The command that runs a file, with the arguments that precede the file. */
  readonly command: readonly [program: string, ...before: ReadonlyArray<string>]
}

export const facts: Readonly<Record<Language | VectorLanguage, Facts>> = {
  curl: { fence: "bash", extension: "sh", command: ["bash"] },
  TypeScript: { fence: "ts", extension: "ts", command: ["node"] },
  PHP: { fence: "php", extension: "php", command: ["php"] },
  Python: { fence: "python", extension: "py", command: ["python3"] },
  Go: { fence: "go", extension: "go", command: ["go", "run"] },
  Java: { fence: "java", extension: "java", command: ["java"] }
}
