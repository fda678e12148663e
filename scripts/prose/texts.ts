import { parseSource, type TypeScript, ts } from '../syntax.ts'

/** A sentence of a file, or a part of one. */
export interface Sentence {
  /** Counted from 1. */
  readonly line: number
  readonly text: string
}

/** The lines of a document outside of code. */
export function proseOf(source: string): Sentence[] {
  let isCode = false
  return source.split('\n').flatMap((text, at) => {
    if (text.trimStart().startsWith('```')) isCode = !isCode
    return isCode ? [] : [{ line: at + 1, text: withoutCode(text) }]
  })
}

/** Comments, and strings of several words: each comment or string of a line is one sentence. */
export function commentsAndStringsOf(source: string): Sentence[] {
  let isExample = false
  return source.split('\n').flatMap((line, at) => {
    const comment = COMMENT.exec(line)?.[1]
    if (comment === undefined) {
      isExample = false
      return stringsOf(line).map((text) => ({ line: at + 1, text }))
    }
    if (comment.startsWith('```')) isExample = !isExample
    return isExample ? [] : [{ line: at + 1, text: withoutCode(comment) }]
  })
}

/** The comments of a source file. */
export function commentsOf(source: string): string[] {
  return source.split('\n').flatMap((line) => {
    const comment = COMMENT.exec(line)?.[1]
    return comment === undefined ? [] : [withoutCode(comment)]
  })
}

/** The strings of several words in a source file, such as messages. */
export function messagesOf(source: string): string[] {
  return source.split('\n').flatMap((line) => (COMMENT.test(line) ? [] : stringsOf(line)))
}

/** The titles of tests, without placeholders in templates. */
export function titlesOf(source: string): string[] {
  return titleNodesOf(source, ['it', 'test', 'describe']).map((title) =>
    withoutCode(title.getText().replaceAll(/\$\{[^}]*\}/g, '…')),
  )
}

/** The titles of tests that are only a value of the row, so a red test does not say what holds. */
export function bareTitlesOf(source: string): Sentence[] {
  return titleNodesOf(source, ['it', 'test'])
    .filter((title) => ts.isStringLiteralLike(title) && /^(?:%\w|\$[\w.]+)$/.test(title.text))
    .map((title) => ({
      line: source.slice(0, title.end).split('\n').length,
      text: title.getText(),
    }))
}

/** The first arguments of calls such as `it(…)` and `it.each(…)(…)` that are strings. */
function titleNodesOf(source: string, names: readonly string[]): TypeScript.Expression[] {
  const titles: TypeScript.Expression[] = []
  const visit = (node: TypeScript.Node): void => {
    if (ts.isCallExpression(node) && isTest(node.expression, names)) {
      const [title] = node.arguments
      if (
        title !== undefined &&
        (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))
      ) {
        titles.push(title)
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(parseSource('test.ts', source))
  return titles
}

/** Whether an expression is one of the names, such as `it`, or a call such as `it.each(…)`. */
function isTest(node: TypeScript.Node, names: readonly string[]): boolean {
  if (ts.isIdentifier(node)) return names.includes(node.text)
  if (ts.isTaggedTemplateExpression(node)) return isTest(node.tag, names)
  return (
    (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) &&
    isTest(node.expression, names)
  )
}

function stringsOf(line: string): string[] {
  const strings = [...line.matchAll(/'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)]
  const comment = / \/\/ (.*)$/.exec(line)?.[1]
  const texts = strings.map(([, single, template]) =>
    (single ?? template ?? '').replace(/\$\{[^}]*\}/g, '…'),
  )
  return [...texts, ...(comment === undefined ? [] : [withoutCode(comment)])].filter((text) =>
    /\S \S/.test(text),
  )
}

function withoutCode(text: string): string {
  return text.replace(/`[^`]*`/g, '…')
}

const COMMENT = /^\s*(?:\/\*\*?|\*|\/\/)\s?(.*?)(?:\*\/)?$/
