import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appendList, elementsOf, joinObjects } from './json-text.ts'

describe('joinObjects', () => {
  it.each<[string, object, object]>([
    ['two empty objects', {}, {}],
    ['an empty object and another', {}, { a: 1 }],
    ['an object and an empty one', { a: 1 }, {}],
    ['braces and quotes in names and values', { 'a"}': '}' }, { '{': ['{}'] }],
  ])('joinObjects writes the members for %s', (_, first, second) => {
    const text = joinObjects(JSON.stringify(first), JSON.stringify(second))
    expect(text).toBe(JSON.stringify({ ...first, ...second }))
  })
})

describe('appendList', () => {
  it.each<[string, object, unknown[]]>([
    ['an empty list to an empty object', {}, []],
    ['an empty list to an object', { b: '}' }, []],
    ['one element to an empty object', {}, [1]],
    ['several elements to an object', { b: [] }, [{ c: ']}' }, [], null]],
  ])('appendList adds %s', (_, object, list) => {
    const elements = list.map((element) => JSON.stringify(element))
    const pieces = appendList(JSON.stringify(object), 'a"b', elements)
    expect(pieces.join('')).toBe(JSON.stringify({ ...object, 'a"b': list }))
    expect(pieces).toHaveLength(list.length + 2)
  })

  it('appendList writes the same JSON for lists joined from several lists', () => {
    const lists = fc.array(fc.array(fc.jsonValue(), { minLength: 1 }))
    fc.assert(
      fc.property(lists, (parts) => {
        const pieces = appendList(
          '{}',
          'all',
          parts.map((one) => elementsOf(JSON.stringify(one))),
        )
        expect(pieces.join('')).toBe(JSON.stringify({ all: parts.flat() }))
      }),
    )
  })
})
