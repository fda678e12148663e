/** Invalid arguments or files of the command. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
}

/** Runs a step whose TypeErrors are about the arguments. */
export function orCommandError<Value>(step: () => Value): Value {
  try {
    return step()
  } catch (error) {
    throw error instanceof TypeError ? new CommandError(error.message, { cause: error }) : error
  }
}
