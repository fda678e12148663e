/** Invalid arguments or files for the command. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
}

/** Runs a step whose errors are about an argument or a file. */
export async function orCommandError<Value>(
  what: string,
  step: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await step()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new CommandError(`${what}${why}`, { cause: error })
  }
}
