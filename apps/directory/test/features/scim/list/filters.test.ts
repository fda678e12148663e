import { unwrap } from '@plumbline/result'
import { type Filter, parseFilter } from '@plumbline/scim/filter'
import { describe, expect, it } from 'vitest'
import {
  conjunctsOf,
  equalValue,
  mentions,
  soughtIn,
} from '../../../../src/features/scim/list/filters.ts'

const parse = (text: string): Filter.Expression => unwrap(parseFilter(text))

it("a filter's conjuncts are the operands of its and, or the filter itself", () => {
  const three = parse('a eq "1" and b pr and (c pr or d pr)')
  expect(conjunctsOf(three)).toEqual([parse('a eq "1"'), parse('b pr'), parse('c pr or d pr')])
  for (const text of ['a pr', 'a pr or b pr', 'not (a pr and b pr)', 'a[b pr and c pr]']) {
    expect(conjunctsOf(parse(text))).toEqual([parse(text)])
  }
})

describe('the string an element of emails must equal', () => {
  it.each([
    ['emails eq "x"', 'x'],
    ['emails.value eq "x"', 'x'],
    ['Emails.Value eq "x"', 'x'],
    ['emails[value eq "x"]', 'x'],
    ['emails[type eq "work" and Value eq "x"]', 'x'],
    ['emails[value eq "x" and value eq "y"]', 'x'],
    ['emails ne "x"', null],
    ['emails.type eq "x"', null],
    ['emails.value sw "x"', null],
    ['emails.value eq true', null],
    ['emails pr', null],
    ['phoneNumbers eq "x"', null],
    ['phoneNumbers[value eq "x"]', null],
    ['emails[type eq "x"]', null],
    ['emails[value co "x"]', null],
    ['emails[value pr]', null],
    ['emails[value eq true]', null],
    ['emails[value eq "x" or type eq "work"]', null],
    ['emails[not (value eq "x")]', null],
    ['not (emails eq "x")', null],
    ['emails eq "x" or emails eq "y"', null],
  ])('the filter %s is examined', (text, value) => {
    expect(equalValue(parse(text), 'emails')).toBe(value)
  })
})

describe("the total length of a filter's substrings", () => {
  it.each([
    ['a co "123"', 3],
    ['a sw "12"', 2],
    ['a ew "1"', 1],
    ['a eq "123"', 0],
    ['a gt "123"', 0],
    ['a pr', 0],
    ['a co "123" and b sw "12" and c eq "1"', 5],
    ['a co "123" or not (b ew "1")', 4],
    ['a[b co "123" and not (c sw "12")]', 5],
  ])('the substrings in %s have %d characters', (text, length) => {
    expect(soughtIn(parse(text))).toBe(length)
  })
})

describe('a filter mentions an attribute', () => {
  it.each([
    ['groups pr', true],
    ['Groups.Value eq "x"', true],
    ['groups[value eq "x"]', true],
    ['a pr and (b pr or not (groups pr))', true],
    ['a pr and b.groups pr', false],
    ['a[groups pr]', false],
    ['groupsx pr', false],
    ['not (a pr)', false],
  ])('the filter %s mentions the attribute: %s', (text, isMentioned) => {
    expect(mentions(parse(text), 'groups')).toBe(isMentioned)
  })
})
