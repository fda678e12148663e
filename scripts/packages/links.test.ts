import { describe, expect, it } from 'vitest'
import { absoluteLinks, relativeLinks } from './links.ts'

const place = { repository: 'https://example.com/plumbline', file: 'packages/scim/README.md' }

describe('absoluteLinks', () => {
  it.each([
    [
      'a file above the package',
      '[a](../../decisions/x.md)',
      '[a](https://example.com/plumbline/blob/HEAD/decisions/x.md)',
    ],
    [
      'a file of the package',
      '[a](docs/x.md#tables)',
      '[a](https://example.com/plumbline/blob/HEAD/packages/scim/docs/x.md#tables)',
    ],
    [
      'a folder',
      '[`a`](../result)',
      '[`a`](https://example.com/plumbline/blob/HEAD/packages/result)',
    ],
    [
      'a link whose label has two lines',
      '[a\nb](../x.md)',
      '[a\nb](https://example.com/plumbline/blob/HEAD/packages/x.md)',
    ],
  ])('absoluteLinks replaces a link to %s', (_, markdown, expected) => {
    expect(absoluteLinks(markdown, place)).toBe(expected)
  })

  it.each([
    ['an absolute link', '[a](https://example.com/)'],
    ['an address', '[a](mailto:a@example.com)'],
    ['a link within the document', '[a](#errors)'],
    ['code in a line', 'Write `[a](../x.md)`.'],
    ['a block of code', '```md\n[a](../x.md)\n```\n'],
  ])('absoluteLinks does not change %s', (_, markdown) => {
    expect(absoluteLinks(markdown, place)).toBe(markdown)
    expect(relativeLinks(markdown)).toStrictEqual([])
  })
})

describe('relativeLinks', () => {
  it('relativeLinks finds the links that absoluteLinks replaces', () => {
    const markdown = '[a](../x.md), [b](#c), `[d](e)`, [`f`](g.md)'
    expect(relativeLinks(markdown)).toStrictEqual(['../x.md', 'g.md'])
    expect(relativeLinks(absoluteLinks(markdown, place))).toStrictEqual([])
  })
})
