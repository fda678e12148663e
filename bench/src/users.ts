import { ENTERPRISE_USER_SCHEMA, USER_SCHEMA } from '@plumbline/scim'

/** A user as a provisioning client sends it, the same for the same number. */
export function user(number: number) {
  const given = ['Barbara', 'José', 'Mei', 'Olu', 'Anna', 'Piotr'][number % 6]
  return {
    schemas: [USER_SCHEMA, ENTERPRISE_USER_SCHEMA],
    id: `id-${number}`,
    externalId: `ext-${number}`,
    userName: `User${number}@Example.com`,
    name: { givenName: given, familyName: `Jensen${number % 997}`, formatted: `${given} Jensen` },
    displayName: `${given} Jensen ${number}`,
    title: number % 3 === 0 ? 'Tour Guide' : 'Engineer',
    active: number % 7 !== 0,
    emails: [
      { value: `user${number}@example.com`, type: 'work', primary: true },
      { value: `u${number}@home.example`, type: 'home' },
    ],
    phoneNumbers: [{ value: `+1-555-${number}`, type: 'work' }],
    meta: {
      resourceType: 'User',
      created: '2026-01-01T00:00:00Z',
      lastModified: new Date(Date.UTC(2026, 0, 1, 0, 0, number % 86_400)).toISOString(),
      version: 'W/"1"',
      location: `https://example.com/scim/v2/Users/id-${number}`,
    },
    [ENTERPRISE_USER_SCHEMA]: {
      employeeNumber: String(number),
      department: number % 5 === 0 ? 'Sales' : 'Research',
      manager: { value: `id-${number % 100}` },
    },
  }
}
