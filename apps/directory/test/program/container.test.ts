import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { expect, it } from 'vitest'
import { VARIABLES } from '../../src/commands/config.ts'
import { START_COMMAND } from '../support/spawned-server.ts'

const fileOf = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const dockerfile = fileOf('container/Dockerfile')
const unit = fileOf('systemd/plumbline-directory.service')

/** The settings of the image. */
const settings = Object.fromEntries(
  [...(/^ENV (.+\n)(?: {2}.+\n)*/m.exec(dockerfile)?.[0] ?? '').matchAll(/(\w+)=(\S+)/g)].map(
    ([, name = '', value]) => [name, value],
  ),
)

it("the image starts npm start's program with its flags, without the sources", () => {
  const [, command = '[]'] = /^ENTRYPOINT (.+)$/m.exec(dockerfile) ?? []
  const [program, ...args] = JSON.parse(command) as string[]
  expect(program).toBe('/plumbline/node')
  const [, file = ''] = /\/(start[.]js)$/.exec(START_COMMAND.at(-1) ?? '') ?? []
  const flags = START_COMMAND.slice(0, -1).filter(
    (flag) => flag !== '--conditions=@plumbline/source',
  )
  expect(args).toEqual([...flags, `/plumbline/node_modules/@plumbline/directory/dist/${file}`])
  // The cache of compiled code depends on the flags.
  const filled = /^RUN (\[.+\])$/m.exec(dockerfile)?.[1] ?? '[]'
  expect(JSON.parse(filled)).toEqual([program, ...args, '--help'])
})

it("the image has the unit's settings, and listens on every address", () => {
  const [, line = ''] = /^Environment=(.+)$/m.exec(unit) ?? []
  const names = line.split(' ').map((setting) => setting.split('=')[0])
  expect(Object.keys(settings).sort()).toEqual([...names, 'HOST'].sort())
  expect(settings.NODE_ENV).toBe('production')
  expect(settings.HOST).toBe('0.0.0.0')
})

it('every setting in compose.yaml is a server variable', () => {
  const { services } = Object(load(fileOf('container/compose.yaml')))
  const known = VARIABLES.map(([name]) => name)
  const names = Object.keys(services.directory.environment)
  expect(names.length).toBeGreaterThan(0)
  expect(known).toEqual(expect.arrayContaining(names))
})

it('the Caddyfile in compose.yaml is the one in docs/providers.md', () => {
  const [, documented = ''] = /```caddy\n(.*?) *```/s.exec(fileOf('docs/providers.md')) ?? []
  const expected = documented
    .replaceAll(/^ {3}/gm, '')
    .replace('directory.example.com', '{$DOMAIN}')
    .replaceAll('127.0.0.1:3000', 'directory:3000')
  expect(fileOf('container/Caddyfile')).toContain(expected)
})

it('every setting in the Kubernetes manifests is a server variable', () => {
  const known = VARIABLES.map(([name]) => name)
  const { data } = Object(load(fileOf('kubernetes/base/settings.yaml')))
  const { containers, initContainers } = Object(load(fileOf('kubernetes/base/deployment.yaml')))
    .spec.template.spec
  for (const container of [...containers, ...initContainers]) {
    const names: string[] = container.env.map(({ name }: { name: string }) => name)
    expect(names.length).toBeGreaterThan(0)
    expect(known).toEqual(expect.arrayContaining([...names, ...Object.keys(data)]))
  }
})
