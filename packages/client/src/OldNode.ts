/**
 * Every entry of the package loads this module first. A Node that is too old gets one sentence instead of an error about something that it
 * lacks.
 */
const oldest = { major: 22, minor: 19 }

const { node } = process.versions
const [major = 0, minor = 0] = node.split(".").map(Number)
if (major < oldest.major || (major === oldest.major && minor < oldest.minor))
  throw new Error(
    `@pay/client needs Node ${oldest.major}.${oldest.minor} or later, and this is Node ${node}: https://nodejs.org`
  )
