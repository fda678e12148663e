/**
 * Writes what a person notices on a page as lines of text: the title, headings, texts, links, tables, fields, buttons and
 * messages, without the markup around them. Escaped characters stay as they are, so a value that is not escaped differs.
 */
export function outlineOf(page: string): string {
  const lines: string[] = []
  let line = ''
  const open: Tag[] = []
  const isIn = (name: string) => open.some((tag) => tag.name === name)
  const end = (): void => {
    const text = isIn('pre') || isIn('textarea') ? line : line.replaceAll(/\s+/g, ' ').trim()
    if (text.trim() !== '') lines.push(text)
    line = ''
  }
  for (const [, text = '', slash, name = '', rest = ''] of page.matchAll(TAG)) {
    // Charts are drawn with shapes, and described by these two.
    if (!isIn('svg') || isIn('title') || isIn('desc')) line += text
    const isBlock = BLOCKS.has(name)
    if (isBlock) end()
    if (slash === '/') {
      const tag = open.pop()
      if (tag?.name !== name) throw new Error(`</${name}> does not end <${tag?.name}>`)
      line += AFTER[name]?.(tag.attributes) ?? ''
    } else {
      const attributes = attributesOf(rest)
      line += BEFORE[name]?.(attributes) ?? ''
      if (!VOID.has(name) && !rest.endsWith('/')) open.push({ name, attributes })
    }
    if (isBlock && (slash === '/' || ALONE.has(name))) end()
  }
  return `\n${lines.join('\n')}\n`
}

type Attributes = ReadonlyMap<string, string>

interface Tag {
  readonly name: string
  readonly attributes: Attributes
}

function attributesOf(text: string): Attributes {
  const found = text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)
  return new Map(Array.from(found, ([, name = '', value = '']) => [name, value]))
}

/** The given attributes, such as `value="a" required`. */
function shown(attributes: Attributes, ...names: readonly string[]): string {
  const present = names.filter((name) => attributes.has(name))
  return present
    .map((name) =>
      attributes.get(name) === '' ? ` ${name}` : ` ${name}="${attributes.get(name)}"`,
    )
    .join('')
}

/** The prefix of a message, such as `error: `. */
function kindOf(attributes: Attributes): string {
  const [, alert, error] =
    /\balert-(?!soft)(\w+)|^(error)$/.exec(attributes.get('class') ?? '') ?? []
  const kind = alert ?? error
  return kind === undefined ? '' : `${kind}: `
}

const FIELD = ['name', 'type', 'value', 'checked', 'required', 'min', 'max', 'maxlength', 'pattern']

/** The text before the content of an element. */
const BEFORE: Readonly<Record<string, (attributes: Attributes) => string>> = {
  script: (attributes) => ` script ${attributes.get('src')}`,
  title: () => 'title: ',
  h1: () => '# ',
  h2: (attributes) => `##${shown(attributes, 'id')} `,
  h3: () => '### ',
  section: (attributes) => (attributes.has('id') ? `section${shown(attributes, 'id')}` : ''),
  div: kindOf,
  p: kindOf,
  li: () => '- ',
  dd: () => '= ',
  a: () => '[',
  th: () => '| ',
  td: () => '| ',
  form: (attributes) => `form${shown(attributes, 'method', 'action')}`,
  summary: () => 'summary: ',
  label: () => 'label: ',
  input: (attributes) => `input${shown(attributes, ...FIELD, 'placeholder', 'aria-invalid')}`,
  select: (attributes) => `select${shown(attributes, ...FIELD, 'aria-invalid')}`,
  option: (attributes) => `option${shown(attributes, 'value', 'selected')}: `,
  textarea: (attributes) => `textarea${shown(attributes, ...FIELD, 'aria-invalid')}: `,
  button: (attributes) =>
    `button${shown(attributes, 'name', 'value', 'formaction', 'data-copy')}: `,
}

/** The text after the content of an element. */
const AFTER: Readonly<Record<string, (attributes: Attributes) => string>> = {
  a: (attributes) => `](${attributes.get('href')}${shown(attributes, 'aria-current')})`,
  time: (attributes) => ` <${attributes.get('datetime')}>`,
  span: (attributes) => shown(attributes, 'title'),
  th: () => ' ',
  td: () => ' ',
}

/** The elements whose texts are lines of their own. */
const BLOCKS = new Set(
  'title main nav section div p ul ol li dl dt h1 h2 h3 table caption tr form label input select option textarea button pre details summary figure figcaption desc fieldset legend'.split(
    ' ',
  ),
)

/** The elements whose first line does not have their content. */
const ALONE = new Set(['section', 'form', 'input', 'select'])

const VOID = new Set(['input', 'meta', 'link', 'br', 'use', 'rect'])

const TAG = /([^<]*)<(\/?)([a-z]\w*)([^>]*)>/g
