import type { ReceivedEvent } from './event-reader.ts'

/** A stream, and what WHATWG HTML §9.2.5 and §9.2.6 read from it. */
export interface EventCase {
  readonly rule: string
  /** The stream, as text or as bytes. */
  readonly stream: string | readonly number[]
  readonly events: readonly ReceivedEvent[]
  /** The last event ID at the end; empty by default. */
  readonly lastId?: string
  /** The time to wait before a reconnection; null by default. */
  readonly retry?: number
  /** Whether the stream ended within an event; false by default. */
  readonly isCut?: boolean
}

const message = (data: string, id = ''): ReceivedEvent => ({ event: 'message', data, id })
const ascii = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0))

export const EVENT_CASES: readonly EventCase[] = [
  { rule: 'nothing', stream: '', events: [] },

  // Lines
  { rule: 'LF ends a line', stream: 'data: a\n\n', events: [message('a')] },
  {
    rule: 'CR ends a line',
    stream: 'data: a\r\rdata: b\r\r',
    events: [message('a'), message('b')],
  },
  { rule: 'CRLF ends a line', stream: 'data: a\r\n\r\n', events: [message('a')] },
  {
    rule: 'line ends may be mixed',
    stream: 'data: a\rdata: b\r\ndata: c\n\r\n',
    events: [message('a\nb\nc')],
  },
  {
    rule: 'LF and CR are two line ends',
    stream: 'data: a\n\rdata: b\n\n',
    events: [message('a'), message('b')],
  },
  {
    rule: 'other separators do not end a line',
    stream: 'data: a\u2028b\u0085c\vd\n\n',
    events: [message('a\u2028b\u0085c\vd')],
  },
  {
    rule: 'a byte order mark at the start is skipped',
    stream: '\uFEFFdata: a\n\n',
    events: [message('a')],
  },
  {
    rule: 'a second byte order mark is part of the name',
    stream: '\uFEFF\uFEFFdata: a\n\n',
    events: [],
  },
  {
    rule: 'a later byte order mark is part of the name',
    stream: 'data: a\n\n\uFEFFdata: b\n\n',
    events: [message('a')],
  },
  {
    rule: 'a byte order mark is kept in data',
    stream: 'data:\uFEFFa\n\n',
    events: [message('\uFEFFa')],
  },
  {
    rule: 'a byte order mark may be the only line',
    stream: '\uFEFF\ndata: a\n\n',
    events: [message('a')],
  },
  {
    rule: 'characters may have several bytes',
    stream: 'data: é€😀\n\n',
    events: [message('é€😀')],
  },
  {
    rule: 'a byte that is not UTF-8 is replaced',
    stream: [...ascii('data: a'), 0xe9, ...ascii('b\n\n')],
    events: [message('a\uFFFDb')],
  },
  {
    rule: 'a character cut by a line end is replaced, and the line ends',
    stream: [...ascii('data: '), 0xf0, 0x9f, 0x98, ...ascii('\n\n')],
    events: [message('\uFFFD')],
  },

  // Fields
  { rule: 'the space after the colon is optional', stream: 'data:a\n\n', events: [message('a')] },
  { rule: 'only one space is dropped', stream: 'data:  a \n\n', events: [message(' a ')] },
  { rule: 'a tab is not dropped', stream: 'data:\ta\n\n', events: [message('\ta')] },
  { rule: 'the first colon ends the name', stream: 'data: a: b:\n\n', events: [message('a: b:')] },
  { rule: 'a line without a colon is a name', stream: 'data\n\n', events: [message('')] },
  { rule: 'data may be empty', stream: 'data:\n\n', events: [message('')] },
  { rule: 'data lines are joined with LF', stream: 'data\ndata\n\n', events: [message('\n')] },
  {
    rule: 'an empty line of data is kept',
    stream: 'data: a\ndata:\ndata: b\n\n',
    events: [message('a\n\nb')],
  },
  { rule: 'data may contain a null character', stream: 'data: \0\n\n', events: [message('\0')] },
  { rule: 'a colon starts a comment', stream: ': a\n\n:\ndata: b\n:c\n\n', events: [message('b')] },
  { rule: 'an unknown field is ignored', stream: 'other: a\ndata: b\n\n', events: [message('b')] },
  { rule: 'names have a letter case', stream: 'Data: a\nDATA: b\n\n', events: [] },
  { rule: 'names are not trimmed', stream: ' data: a\ndata : b\n\n', events: [] },

  // Event types
  {
    rule: 'a type is for one event',
    stream: 'event: x\ndata: a\n\ndata: b\n\n',
    events: [{ event: 'x', data: 'a', id: '' }, message('b')],
  },
  {
    rule: 'the last type counts',
    stream: 'event: x\ndata: a\nevent: y\n\n',
    events: [{ event: 'y', data: 'a', id: '' }],
  },
  {
    rule: 'an empty type is the default',
    stream: 'event: x\nevent\ndata: a\n\n',
    events: [message('a')],
  },
  {
    rule: 'a block without data clears the type',
    stream: 'event: x\n\ndata: b\n\n',
    events: [message('b')],
  },

  // The last event ID
  {
    rule: 'an id stays for later events',
    stream: 'id: 1\ndata: a\n\ndata: b\n\n',
    events: [message('a', '1'), message('b', '1')],
    lastId: '1',
  },
  {
    rule: 'an id may come after the data',
    stream: 'data: a\nid: 1\n\n',
    events: [message('a', '1')],
    lastId: '1',
  },
  {
    rule: 'the last id in a block counts',
    stream: 'id: 1\nid: 2\ndata: a\n\n',
    events: [message('a', '2')],
    lastId: '2',
  },
  { rule: 'a block without data sets the id', stream: 'id: 5\n\n', events: [], lastId: '5' },
  {
    rule: 'the id of a block without data is that of later events',
    stream: 'id: 5\n\ndata: a\n\n',
    events: [message('a', '5')],
    lastId: '5',
  },
  {
    rule: 'a block that is cut does not set the id',
    stream: 'id: 1\n\nid: 2\n',
    events: [],
    lastId: '1',
  },
  {
    rule: 'an empty id resets',
    stream: 'id: 1\ndata: a\n\nid\ndata: b\n\n',
    events: [message('a', '1'), message('b')],
  },
  { rule: 'an empty id resets without data, too', stream: 'id: 1\n\nid:\n\n', events: [] },
  {
    rule: 'an id with a null character is ignored',
    stream: 'id: 1\n\nid: 2\0\ndata: a\n\n',
    events: [message('a', '1')],
    lastId: '1',
  },
  { rule: 'an id keeps its characters', stream: 'id:  é \n\n', events: [], lastId: ' é ' },

  // The time before a reconnection
  { rule: 'retry has digits', stream: 'retry: 1500\n\n', events: [], retry: 1_500 },
  { rule: 'retry counts before its block ends', stream: 'retry: 1500\n', events: [], retry: 1_500 },
  {
    rule: 'retry with another character is ignored',
    stream:
      'retry: 7\nretry: x\nretry:\nretry: -1\nretry: 1.5\nretry: 8 \nretry: ٣\nretry: 1e3\n\n',
    events: [],
    retry: 7,
  },

  // The end
  {
    rule: 'an event without its empty line is dropped',
    stream: 'data: a\n\ndata: b\n',
    events: [message('a')],
    isCut: true,
  },
  {
    rule: 'an unfinished line is dropped',
    stream: 'data: a\n\nda',
    events: [message('a')],
    isCut: true,
  },
  {
    rule: 'an unfinished line after data is dropped',
    stream: 'data: a\ndata: b',
    events: [],
    isCut: true,
  },
  { rule: 'a character may be cut', stream: [0xc3], events: [], isCut: true },
  { rule: 'a comment may be cut', stream: 'data: a\n\n: b', events: [message('a')] },
  { rule: 'a line end may be cut', stream: 'data: a\r\n\r', events: [message('a')] },
]
