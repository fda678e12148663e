import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { attributeIndex } from '../schema/attribute-index.ts'
import { GROUP_DEFINITION } from '../schema/core-schemas.ts'
import { parseFilter } from './parse.ts'
import { restrictFilter } from './restrict.ts'

const index = attributeIndex({ [GROUP_DEFINITION.id]: GROUP_DEFINITION })

describe('restrictFilter: an attribute from another type is unassigned (RFC 7644 §3.4.2.1)', () => {
  it.each([
    ['displayName eq "a"', 'displayName eq "a"'],
    ['userName eq "a"', false],
    ['userName gt "a"', false],
    ['userName pr', false],
    ['emails[type eq "work"]', false],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "a"', false],
    // RFC 7643 §2.5: unassigned is the same as null, and differs from any other value.
    ['userName ne "a"', true],
    ['userName eq null', true],
    ['userName ne null', false],
    ['not (userName pr)', true],
    ['not (displayName pr)', 'not (displayName pr)'],
    ['userName eq "a" or displayName eq "b"', 'displayName eq "b"'],
    ['userName eq "a" and displayName eq "b"', false],
    ['userName ne "a" or displayName eq "b"', true],
    ['userName ne "a" and displayName eq "b"', 'displayName eq "b"'],
    ['userName pr or title pr', false],
    ['userName ne "a" and title ne "a"', true],
    ['id pr and userName ne "a" and displayName pr', 'id pr and displayName pr'],
    ['not (userName pr and id pr) and members pr', 'members pr'],
  ])('%s is restricted to %s', (text, expected) => {
    const restricted = restrictFilter(unwrap(parseFilter(text)), index)
    expect(restricted).toEqual(
      typeof expected === 'string' ? unwrap(parseFilter(expected)) : expected,
    )
  })
})
