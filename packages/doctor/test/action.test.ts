import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const ACTION = new URL('../action/action.yml', import.meta.url)

/** Runs the script of the action with a command that writes its arguments instead of npx. */
async function runAction(code: number, env: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-action-'))
  try {
    const [, block = ''] = (await readFile(ACTION, 'utf8')).split('      run: |\n')
    const npx = `#!/bin/sh\nprintf '%s\\n' "$@"\nexit ${code}\n`
    await writeFile(join(folder, 'npx'), npx)
    await chmod(join(folder, 'npx'), 0o755)
    const variables = {
      PATH: `${folder}:${process.env.PATH}`,
      RUNNER_TEMP: folder,
      VERSION: 'latest',
      GITHUB_OUTPUT: join(folder, 'output'),
      GITHUB_STEP_SUMMARY: join(folder, 'summary'),
      PLUMBLINE_DOCTOR_TOKEN: '',
      URL: 'http://127.0.0.1/scim/v2',
      ARGUMENTS: '',
      ...env,
    }
    const shell = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', block]
    const result = await promisify(execFile)('bash', shell, { env: variables }).catch(
      (error: { code: number }) => error,
    )
    const read = (name: string) => readFile(join(folder, name), 'utf8')
    return {
      code: 'code' in result ? result.code : 0,
      summary: await read('summary'),
      output: (await read('output')).replace(folder, '{temp}'),
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('the GitHub Action', () => {
  it('the GitHub Action passes on inputs as arguments, and writes the report into the summary', async () => {
    const env = { URL: 'http://a.example/$(id)', ARGUMENTS: '--profile entra --skip me' }
    const { code, summary, output } = await runAction(0, env)
    expect({ code, output }).toStrictEqual({ code: 0, output: 'report={temp}/plumbline-doctor\n' })
    const lines = summary.split('\n')
    expect(lines.slice(0, 5)).toStrictEqual([
      '```text',
      '--yes',
      '@plumbline/doctor@latest',
      'http://a.example/$(id)',
      '--yes',
    ])
    expect(lines.slice(-6)).toStrictEqual(['--profile', 'entra', '--skip', 'me', '```', ''])
  })

  it.each([1, 2, 3])("the GitHub Action ends with the command's exit code %i", async (code) => {
    expect((await runAction(code, {})).code).toBe(code)
  })
})
