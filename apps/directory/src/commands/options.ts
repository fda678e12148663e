/** A command's option. */
export interface CommandOption {
  readonly name: string
  /** The value's name in the help; null without one. */
  readonly value: string | null
  readonly meaning: string
}

/** The options given to a command, with their values; an empty one without a value. */
export type GivenOptions = ReadonlyMap<string, string>

/** Reads the options given to a command. Returns an error message if one cannot be used. */
export function readOptions(
  args: readonly string[],
  options: readonly CommandOption[] = [],
): GivenOptions | string {
  const given = new Map<string, string>()
  for (let at = 0; at < args.length; at += 1) {
    const name = args[at] ?? ''
    const option = options.find((one) => one.name === name)
    if (option === undefined) return `unknown option ${name}`
    if (given.has(name)) return `${name} is repeated`
    const value = option.value === null ? '' : args[++at]
    if (value === undefined || (option.value !== null && value === '')) {
      return `${name} needs a value`
    }
    given.set(name, value)
  }
  return given
}
