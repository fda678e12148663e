import { readFileSync } from 'node:fs'
import { programsFolder } from '../postgres-cluster.ts'

/** The ports and the folder of a member. */
export interface Addresses {
  readonly name: string
  readonly postgres: number
  readonly rest: number
  readonly etcd: number
  /** The folder of the database. */
  readonly data: string
}

const page = readFileSync(new URL('../../../docs/operate.md', import.meta.url), 'utf8')

/** The settings of Patroni in docs/operate.md, with the addresses of a member on this machine. */
export function patroniFile({ name, postgres, rest, etcd, data }: Addresses): string {
  return replaced('yaml', 'scope: directory', [
    ['name: a\n', `name: ${name}\n`],
    ['10.0.0.1:8008', `127.0.0.1:${rest}`],
    ["'10.0.0.1:2379', '10.0.0.2:2379', '10.0.0.3:2379'", `'127.0.0.1:${etcd}'`],
    // The smallest one that Patroni accepts.
    ['ttl: 30', 'ttl: 20'],
    ['loop_wait: 10', 'loop_wait: 1'],
    ['retry_timeout: 10', 'retry_timeout: 9'],
    ['10.0.0.0/24', '127.0.0.1/32'],
    ['10.0.0.1:5432', `127.0.0.1:${postgres}`],
    ['/var/lib/postgresql/directory', data],
    ['/usr/lib/postgresql/15/bin', programsFolder()],
    [
      'postgresql:\n  listen',
      "postgresql:\n  parameters: { unix_socket_directories: '' }\n  listen",
    ],
  ])
}

/** The settings of HAProxy in docs/operate.md, which listens on a port of this machine. */
export function haproxyFile(port: number, members: readonly Addresses[]): string {
  return replaced('haproxy', 'defaults', [
    ['127.0.0.1:5000', `127.0.0.1:${port}`],
    ...members.map(({ name, postgres, rest }, at): [string, string] => [
      `server ${name} 10.0.0.${at + 1}:5432 check port 8008`,
      `server ${name} 127.0.0.1:${postgres} check port ${rest}`,
    ]),
  ])
}

/** A file of the page, in which each text must occur to be replaced. */
function replaced(
  language: string,
  start: string,
  texts: readonly (readonly [string, string])[],
): string {
  const block = new RegExp(`^\`\`\`${language}\n(${start}\n.+?)^\`\`\``, 'ms').exec(page)?.[1]
  return texts.reduce((file, [text, other]) => {
    if (!file.includes(text)) throw new Error(`docs/operate.md does not show: ${text}`)
    return file.replaceAll(text, other)
  }, block ?? '')
}
