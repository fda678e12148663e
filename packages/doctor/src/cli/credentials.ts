import type { ExamineOptions } from '../lib/examine.ts'
import { isJsonObject, parseJson } from '../lib/json.ts'
import { CommandError, orCommandError } from './command-error.ts'
import type { CommandArguments } from './parse-arguments.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** An examination's credentials, from the arguments and the environment. Throws a CommandError. */
export async function readCredentials(
  {
    token,
    credentials: { basic, headers, oauth },
  }: Pick<CommandArguments, 'token' | 'credentials'>,
  env: Environment,
): Promise<Pick<ExamineOptions, 'token' | 'authorization' | 'headers'>> {
  if (oauth !== null) {
    const secret = env[SECRET_VARIABLE]
    if (secret === undefined)
      throw new CommandError(`the secret of the client is not in ${SECRET_VARIABLE}`)
    return { token: await requestToken(oauth, secret), headers }
  }
  if (basic !== null) {
    const pair = basic.includes(':') ? basic : `${basic}:${env[PASSWORD_VARIABLE] ?? ''}`
    // RFC 7617 §2.1: the characters are encoded as UTF-8.
    return { authorization: `Basic ${Buffer.from(pair).toString('base64')}`, headers }
  }
  return { token: token ?? env[TOKEN_VARIABLE], headers }
}

/**
 * Requests a token with client credentials (RFC 6749 §4.4). The client authenticates with Basic, or in the body if
 * Basic fails.
 */
async function requestToken(
  {
    url,
    client,
    scope,
  }: { readonly url: string; readonly client: string; readonly scope: string | null },
  secret: string,
): Promise<string> {
  const body = { grant_type: 'client_credentials', ...(scope === null ? {} : { scope }) }
  // RFC 6749 §2.3.1: both parts are encoded as in a form.
  const pair = [client, secret].map(encodeURIComponent).join(':')
  const Authorization = `Basic ${Buffer.from(pair).toString('base64')}`
  const ways: readonly [Record<string, string>, Record<string, string>][] = [
    [{ Authorization }, body],
    [{}, { ...body, client_id: client, client_secret: secret }],
  ]
  let status = 0
  for (const [own, form] of ways) {
    const response = await orCommandError(`${url}: `, () =>
      fetch(url, {
        method: 'POST',
        headers: { Accept: 'application/json', ...own },
        body: new URLSearchParams(form),
        redirect: 'error',
        signal: AbortSignal.timeout(10_000),
      }),
    )
    status = response.status
    const json = parseJson(await response.text())
    const token = isJsonObject(json) ? json.access_token : undefined
    if (response.ok && typeof token === 'string') return token
    if (status !== 400 && status !== 401) break
  }
  throw new CommandError(`${url}: no access token: ${status}`)
}

/** The environment variables with the secrets. */
export const TOKEN_VARIABLE = 'PLUMBLINE_DOCTOR_TOKEN'
const PASSWORD_VARIABLE = 'PLUMBLINE_DOCTOR_PASSWORD'
const SECRET_VARIABLE = 'PLUMBLINE_DOCTOR_CLIENT_SECRET'
