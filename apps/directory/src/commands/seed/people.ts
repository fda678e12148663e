import { createHash } from 'node:crypto'
import type { Scim } from '@plumbline/scim'
import type { NewResource } from '../../features/scim/scope.ts'
import { createId } from '../../kernel/ids.ts'

/** Returns the user with this number, with a name, addresses and a department; the same for the same seed. */
export function personOf(number: number, seed: number): NewResource<Scim.User> {
  const pick = chooser(`${seed} person ${number}`)
  const givenName = pick(GIVEN_NAMES)
  const familyName = pick(FAMILY_NAMES)
  const department = pick(DEPARTMENTS)
  const city = pick(CITIES)
  const login = `${givenName}.${familyName}.${number}`
  const resource: Scim.User = {
    userName: `${login}@example.com`,
    externalId: `hr-${number}`,
    name: { givenName, familyName, formatted: `${givenName} ${familyName}` },
    displayName: `${givenName} ${familyName}`,
    title: `${department} ${pick(TITLES)}`,
    preferredLanguage: pick(LANGUAGES),
    active: pick(ACTIVE),
    emails: [
      { value: `${login}@example.com`, type: 'work', primary: true },
      { value: `${login.toLowerCase()}@home.example`, type: 'home' },
    ],
    phoneNumbers: [{ value: `+1-555-${String(number).padStart(7, '0')}`, type: 'work' }],
    addresses: [{ type: 'work', locality: city, country: 'NL' }],
    extensions: { enterprise: { employeeNumber: String(number), department } },
  }
  return { ...identity(`${seed} person ${number}`, number), resource }
}

/** Returns the group with this number, without its members; the same for the same seed. */
export function groupOf(number: number, seed: number): NewResource<Scim.Group> {
  const pick = chooser(`${seed} group ${number}`)
  const displayName = `${pick(DEPARTMENTS)} ${pick(CITIES)} ${number}`
  const about = identity(`${seed} group ${number}`, number)
  return { ...about, resource: { displayName, externalId: `group-${number}` } }
}

/** Returns the id of the user with this number. */
export function personId(number: number, seed: number): string {
  return identity(`${seed} person ${number}`, number).id
}

/** Returns a resource's id and time. Each is created a second after the one before. */
function identity(name: string, number: number) {
  const at = FIRST + number * 1_000
  return { id: createId(at, digestOf(name).subarray(0, 16)), at }
}

/** Creates a function to choose from lists; each choice reads a digest's next byte. */
function chooser(name: string) {
  const bytes = digestOf(name)
  let next = 16
  return <Value>(list: readonly Value[]): Value => {
    const byte = bytes[next++] ?? 0
    return list[byte % list.length] as Value
  }
}

function digestOf(name: string): Buffer {
  return createHash('sha256').update(name).digest()
}

const FIRST = Date.UTC(2020, 0, 1)
// One user in eight is inactive.
const ACTIVE = [true, true, true, true, true, true, true, false]
const LANGUAGES = 'en nl de fr es ja'.split(' ')
const TITLES = 'Engineer Lead Analyst Assistant Manager Director'.split(' ')
const CITIES = 'Amsterdam Berlin Lisbon Kraków Osaka Montréal Lagos'.split(' ')
const DEPARTMENTS =
  'Research Sales Finance Legal Support Security Operations Design Marketing Logistics Quality'.split(
    ' ',
  )
const GIVEN_NAMES =
  'Ada Alan Amara Anneke Barbara Björn Chidi Clara Dorothy Edsger Émilie Farida Grace Hedy Inés Jean Kenji Lise Mei Niels Olga Priya Radia Tim'.split(
    ' ',
  )
const FAMILY_NAMES =
  'Andersen Bakker Chen Díaz Eze Fischer García Haddad Ivanova Jansen Kowalska Lindqvist Müller Nakamura Okafor Petrov Quist Rossi Silva Tanaka Umar Visser Weber Yilmaz'.split(
    ' ',
  )
