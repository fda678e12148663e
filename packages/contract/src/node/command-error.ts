/** Invalid arguments or files passed to the command. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
}

/** Runs a step and rethrows its TypeErrors as a CommandError: they are about the arguments. */
export function orCommandError<Value>(step: () => Value): Value {
  try {
    return step()
  } catch (error) {
    throw error instanceof TypeError ? new CommandError(error.message, { cause: error }) : error
  }
}
