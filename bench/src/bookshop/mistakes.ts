/** The mistakes handlers make. */
export const MISTAKES = [
  'a body of another type',
  'an undeclared status',
  'an undeclared error',
  'a missing handler',
  'a missing required header',
] as const

export type Mistake = (typeof MISTAKES)[number]

/** A mistake, which replaces a text's first occurrence. */
type Replacement = readonly [from: string, to: string]

const HONO: Readonly<Record<Exclude<Mistake, 'a missing handler'>, Replacement>> = {
  'a body of another type': ['c.json(book, 200)', 'c.json({ ...book, title: 1 }, 200)'],
  'an undeclared status': ['c.json(book, 200)', 'c.json(book, 202)'],
  'an undeclared error': ['c.json(missing, 404)', 'c.json(missing, 409)'],
  'a missing required header': ['201, { Location:', '201, { Locations:'],
}

/** The mistakes in each program, by file. */
export const REPLACEMENTS: Readonly<Record<string, Readonly<Record<Mistake, Replacement>>>> = {
  'examples/openapi/bookshop.ts': {
    'a body of another type': ['reply(200, book)', 'reply(200, { ...book, title: 1 })'],
    'an undeclared status': ['reply(200, book)', 'reply(202, book)'],
    'an undeclared error': [
      'reply(200, book) : problems.notFound()',
      'reply(200, book) : problems.soldOut()',
    ],
    'a missing handler': [
      `    readBook: ({ params, reply, problems }) => {
      const book = books.get(params.id)
      return book ? reply(200, book) : problems.notFound()
    },
`,
      '',
    ],
    'a missing required header': ['book, { headers: { Location:', 'book, { headers: { Locations:'],
  },
  'bench/src/bookshop/programs/hono-zod-openapi.ts': {
    ...HONO,
    'a missing handler': [
      `  (c) => {
    const book = books.get(c.req.valid('param').id)
    return book ? c.json(book, 200) : c.json(missing, 404)
  },
`,
      '',
    ],
  },
  'bench/src/bookshop/programs/hono-openapi.ts': {
    ...HONO,
    'a missing handler': [
      `, (c) => {
  const book = books.get(c.req.valid('param').id)
  return book ? c.json(book, 200) : c.json(missing, 404)
}`,
      '',
    ],
  },
  'bench/src/bookshop/programs/orpc.ts': {
    'a body of another type': ['return book\n', 'return { ...book, title: 1 }\n'],
    // The other operations' handlers cannot choose a status.
    'an undeclared status': ['return { headers', 'return { status: 202, headers'],
    'an undeclared error': ['throw errors.NOT_FOUND()', 'throw errors.SOLD_OUT()'],
    'a missing handler': [
      `
    .handler(({ input, errors }) => {
      const book = books.get(input.id)
      if (book === undefined) throw errors.NOT_FOUND()
      return book
    })`,
      '',
    ],
    'a missing required header': ['headers: { location:', 'headers: { locations:'],
  },
  'bench/src/bookshop/programs/fastify.ts': {
    'a body of another type': ['send(book) :', 'send({ ...book, title: 1 }) :'],
    'an undeclared status': ['code(200).send(book) :', 'code(202).send(book) :'],
    'an undeclared error': ['code(404).send(missing)', 'code(409).send(missing)'],
    'a missing handler': [
      `
  async (request, reply) => {
    const book = books.get(request.params.id)
    return book ? reply.code(200).send(book) : reply.code(404).send(missing)
  },`,
      '',
    ],
    'a missing required header': ["header('Location'", "header('Locations'"],
  },
}
