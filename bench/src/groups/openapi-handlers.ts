import { type Compiled, compilePrograms } from '../bookshop/compile.ts'
import { CONTENDERS, type Started } from '../bookshop/contenders.ts'
import { EXCHANGES, type Judged, judge, memberOf, post, put } from '../bookshop/exchanges.ts'
import { handwritten, implemented, REQUESTS } from '../bookshop/handwritten.ts'
import { compareOverHttp } from '../bookshop/load.ts'
import { MISTAKES } from '../bookshop/mistakes.ts'
import { printCondition } from '../budget.ts'
import { compare } from '../compare.ts'

/** Compares the same bookshop in five libraries: code, compile errors, answers and speed. */
export async function run(): Promise<void> {
  const started: Started[] = []
  for (const { start } of CONTENDERS) started.push(await start())
  const judged = await judgeAll(started)
  const compiled = await compilePrograms()
  printSummary(judged, compiled)
  printMistakes(compiled)
  printAnswers(judged)
  await compareHandwritten()
  await compareInProcess(started)
  await compareOverHttp()
  requireOurs(judged, compiled)
}

async function judgeAll(started: readonly Started[]): Promise<Judged[][]> {
  return await Promise.all(
    started.map(async (one) => {
      // More books than a page has.
      for (let added = 0; added < 25; added += 1) await one.send(post())
      const judged: Judged[] = []
      for (const exchange of EXCHANGES) judged.push(await judge(exchange, one))
      return judged
    }),
  )
}

function printSummary(judged: readonly Judged[][], compiled: readonly Compiled[]): void {
  const rows = CONTENDERS.map(({ name }, at) => {
    const { lines, checked, rejections } = compiled[at] as Compiled
    const answers = judged[at] ?? []
    const right = answers.filter(({ isRight }) => isRight).length
    const documented = answers.filter(({ isDeclared }) => isDeclared !== null)
    const declared = documented.filter(({ isDeclared }) => isDeclared).length
    const cells = [
      lines,
      `${rejections.filter(Boolean).length} of ${MISTAKES.length}`,
      `${right} of ${EXCHANGES.length}`,
      `${declared} of ${documented.length}`,
      `${checked.seconds.toFixed(2)} s`,
      checked.instantiations.toLocaleString('en'),
    ]
    return `| ${name} | ${cells.join(' | ')} |`
  })
  const head =
    '| | lines | mistakes that do not compile | right answers | answers that its document declares | type-check | instantiations |'
  console.log(`\nA bookshop of six operations\n\n${head}\n|${' --- |'.repeat(7)}`)
  console.log(rows.join('\n'))
}

function printMistakes(compiled: readonly Compiled[]): void {
  console.log('\nMistakes of a handler: whether each is a compile error\n')
  printByContender(MISTAKES, (row, at) => (compiled[at]?.rejections[row] ? 'error' : 'compiles'))
}

function printAnswers(judged: readonly Judged[][]): void {
  console.log('\nAnswers: `right`, or the status and the media type of the answer\n')
  const rows = EXCHANGES.map(({ what, expected }) => `${what}: ${expected}`)
  printByContender(rows, (row, at) => judged[at]?.[row]?.verdict ?? '')
}

function printByContender(
  rows: readonly string[],
  cellOf: (row: number, contender: number) => string,
): void {
  const names = CONTENDERS.map(({ name }) => name)
  console.log(`| | ${names.join(' | ')} |\n|${' --- |'.repeat(names.length + 1)}`)
  for (const [row, what] of rows.entries()) {
    console.log(`| ${what} | ${names.map((_, at) => cellOf(row, at)).join(' | ')} |`)
  }
}

/** Measures what `implement` costs: the same schemas in a hand-written handler. */
async function compareHandwritten(): Promise<void> {
  const against = 'a handler written by hand with the same schemas'
  const answer = async (response: Response) => {
    const { status, headers } = response.clone()
    return { status, headers: [...headers], text: await response.clone().text() }
  }
  for (const [what, request] of Object.entries(REQUESTS)) {
    await compare(
      `${what}, next to a handler written by hand`,
      [
        { name: '@plumbline/openapi/server', run: () => implemented.fetch(request()), answer },
        { name: against, run: () => handwritten(request()), answer },
      ],
      { budgets: [{ against, atMost: 1.2 }], rounds: 41 },
    )
  }
}

async function compareInProcess(started: readonly Started[]): Promise<void> {
  const paths: string[] = []
  for (const { send } of started) {
    paths.push(`/books/${memberOf((await send(post())).text, 'id')}`)
  }
  const answer = ({ text }: { readonly text: string }) => memberOf(text, 'title')
  const contenders = (sentTo: (path: string) => Parameters<Started['send']>[0]) =>
    CONTENDERS.map(({ name }, at) => {
      const sent = sentTo(paths[at] ?? '')
      return { name, run: () => started[at]?.send(sent), answer }
    })
  await compare(
    '`GET` of a book, in process',
    contenders((path) => ({ method: 'GET', path })),
    { asRates: true, milliseconds: 100, budgets: FASTER },
  )
  await compare(
    '`PUT` of a book, in process',
    contenders((path) => put(path, { title: 'Emma', stock: 1 })),
    { asRates: true, milliseconds: 100, budgets: FASTER },
  )
}

const FASTER = [{ against: '@hono/zod-openapi', atMost: 1 }]

/** Fails if the bookshop in ours is longer than 70 lines, accepts a mistake or gives a wrong answer. */
function requireOurs([judged = []]: readonly Judged[][], [compiled]: readonly Compiled[]): void {
  const isKept =
    compiled !== undefined &&
    compiled.lines <= 70 &&
    compiled.rejections.every(Boolean) &&
    judged.every(({ isRight, isDeclared }) => isRight && isDeclared !== false)
  printCondition(
    'A bookshop of six operations',
    'at most 70 lines, every mistake a compile error, every answer right',
    isKept,
  )
}
