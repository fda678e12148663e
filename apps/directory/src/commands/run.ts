import { isFailure } from '@plumbline/result'
import { TYPED } from '../kernel/typed-commands.ts'
import { COMMANDS } from './commands.ts'
import { type Config, readConfig, VARIABLES } from './config.ts'
import { stop } from './exit.ts'
import { type CommandOption, readOptions } from './options.ts'
import type { Environment } from './secret-files.ts'

/** Runs the command in the options, or serves without one. Throws a `StopError` if it cannot. */
export async function run(options: readonly string[], environment: Environment): Promise<void> {
  const [first = '', ...others] = options
  if (first === 'seed') return await (await import('./seed.ts')).seed(others, environment)
  if (options.includes('--help')) {
    console.log(HELP)
    return
  }
  const command = findCommand(options)
  const config = readConfig(environment)
  if (isFailure(config)) stop(config.error.message)
  if (command !== null) return await command(config.data)
  await (await import('./serve.ts')).serve(config.data)
}

/** Returns the command among the options; null to serve. */
function findCommand([option, ...values]: readonly string[]) {
  if (option === undefined) return null
  const command = COMMANDS.find(({ name }) => name === option)
  if (command === undefined) return stop(`unknown option ${option}; ${SEE_HELP}`)
  const [value = '', ...others] = command.value === null ? ['', ...values] : values
  if (command.value !== null && value === '') return stop(`${option} needs a ${command.value}`)
  const given = readOptions(others, command.options)
  if (typeof given === 'string') return stop(`${given}; ${SEE_HELP}`)
  return (config: Config) => command.run(config, value, given)
}

function formOf({ name, value }: CommandOption): string {
  return value === null ? name : `${name} <${value}>`
}

const SEE_HELP = `${TYPED.option} --help lists the options`

const HELP = `
${[
  [TYPED.start, 'start the directory server'],
  ...COMMANDS.flatMap(({ options = [], ...command }) => [
    [`${TYPED.option} ${formOf(command)}`, command.meaning],
    ...options.map((option) => [`  ${formOf(option)}`, option.meaning]),
  ]),
  [`${TYPED.option} --help`, 'print this help'],
  [`${TYPED.seedOption} --help`, 'show how to fill the database with sample users and groups'],
]
  .map(([command = '', meaning]) => `${command.padEnd(TYPED.option.length + 21)}${meaning}`)
  .join('\n')}

Environment variables, all optional:

${VARIABLES.map(([name, byDefault, meaning]) => `${name.padEnd(22)}${meaning}\n${' '.repeat(22)}default: ${byDefault}`).join('\n')}
`
