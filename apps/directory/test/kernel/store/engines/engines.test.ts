import { describe, expect, it } from 'vitest'
import { describeDatabase, findEngine, openStore } from '../../../../src/kernel/store/open.ts'

describe('a database URL', () => {
  it.each([
    ['file:directory.db', 'SQLite', 'file:directory.db'],
    ['file:/data/directory.db', 'SQLite', 'file:/data/directory.db'],
    ['file:///data/directory.db', 'SQLite', 'file:/data/directory.db'],
    ['postgres://user:secret@host/name', 'PostgreSQL', 'postgres://host/name'],
    ['postgresql://host:5433/name?ssl=1', 'PostgreSQL', 'postgresql://host:5433/name'],
  ])('a database URL is shown without its password: %s', (url, name, shown) => {
    expect(findEngine(url)?.name).toBe(name)
    expect(describeDatabase(url)).toBe(shown)
  })

  it.each([
    '',
    'file:',
    'directory.db',
    'a file:b',
    'mysql://host/name',
    'postgres://[',
    'postgres:a',
  ])('a database URL without an engine is rejected: %j', async (url) => {
    expect(findEngine(url)).toBe(null)
    expect(() => describeDatabase(url)).toThrow('no database engine accepts the URL')
    await expect(openStore(url)).rejects.toThrow('no database engine accepts the URL')
  })

  it('a database URL is opened by its engine', async () => {
    const store = await openStore('file::memory:')
    expect(store.dialect.name).toBe('sqlite')
    await store.close()
  })
})

it('only PostgreSQL can distribute its tables', () => {
  expect(findEngine('file:directory.db')).toMatchObject({
    form: { long: 'file:<path>', short: 'file:<path>' },
    distribute: null,
  })
  expect(findEngine('postgres://host/name')).toMatchObject({
    form: { long: 'postgres://user:password@host/name', short: 'postgres://…' },
    distribute: expect.any(Function),
  })
})
