import { unwrap } from '@plumbline/result'
import { expect, it } from 'vitest'
import { PATCH_OP_SCHEMA } from '../constants.ts'
import { parsePatch } from './parse.ts'
import { collectSearchedTexts } from './position-index.ts'

function collect(...Operations: object[]): string[] {
  const operations = unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations }))
  return [...collectSearchedTexts(operations)]
}

it("the value's strings, numbers and booleans are collected, folded", () => {
  const value = [{ value: 'ABC', weight: 5, primary: true, type: null }, 'Plain']
  expect(collect({ op: 'add', path: 'a', value })).toStrictEqual(['abc', '5', 'true', 'plain'])
})

it("a filter's values are collected, with the names in its tree", () => {
  const texts = collect({ op: 'remove', path: 'emails[type eq "Work" and value eq "B"]' })
  expect(texts).toEqual(expect.arrayContaining(['work', 'b']))
})

it('every operation is collected from, but not a path without a filter', () => {
  const operations = ['a', 'b'].map((value) => ({ op: 'add', path: 'title', value }))
  expect(collect(...operations, { op: 'remove', path: 'name.givenName' })).toStrictEqual(['a', 'b'])
})

it('eight levels are collected from, and no attribute has more', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 'x' : [nested(levels - 1)])
  expect(collect({ op: 'add', path: 'a', value: nested(8) })).toStrictEqual(['x'])
  expect(collect({ op: 'add', path: 'a', value: nested(9) })).toStrictEqual([])
})
