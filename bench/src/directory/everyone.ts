/**
 * Creates users over HTTP, and a group with all of them; returns their ids. This fills every version of the directory.
 */
export async function fillEveryone(base: string, token: string, count: number): Promise<string[]> {
  const send = async (method: string, path: string, body: object): Promise<string> => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' }
    const response = await fetch(base + path, { method, headers, body: JSON.stringify(body) })
    const text = await response.text()
    if (!response.ok)
      throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`)
    return text === '' ? '' : String(JSON.parse(text).id)
  }
  const ids: string[] = []
  for (let at = 0; at < count; at += PARALLEL) {
    const numbers = Array.from({ length: PARALLEL }, (_, place) => at + place)
    ids.push(
      ...(await Promise.all(numbers.map((number) => send('POST', '/Users', userOf(number))))),
    )
  }
  const group = await send('POST', '/Groups', { schemas: [GROUP], displayName: 'Everyone' })
  for (let at = 0; at < count; at += MEMBERS) {
    const value = ids.slice(at, at + MEMBERS).map((id) => ({ value: id }))
    const operation = { op: 'add', path: 'members', value }
    await send('PATCH', `/Groups/${group}`, { schemas: [PATCH], Operations: [operation] })
  }
  return ids
}

function userOf(number: number): object {
  const value = `person.${number}@example.com`
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: value,
    externalId: `hr-${number}`,
    title: 'Engineer',
    active: true,
    name: { givenName: 'Person', familyName: `Number ${number}` },
    emails: [{ value, type: 'work', primary: true }],
  }
}

const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const PARALLEL = 20
const MEMBERS = 1_000
