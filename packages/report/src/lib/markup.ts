/** HTML whose inserted values are escaped. */
export interface Markup {
  readonly markup: string
}

/** A value a template inserts: text, which is escaped, or other markup. */
type Inserted = string | number | Markup | readonly Markup[]

/** Creates markup from a template. Text is escaped for elements and for attributes in quotation marks. */
export function html(strings: TemplateStringsArray, ...values: readonly Inserted[]): Markup {
  const parts = strings.map((literal, at) => {
    const value = values[at]
    return value === undefined ? literal : `${literal}${markupOf(value)}`
  })
  return { markup: parts.join('') }
}

function markupOf(value: Inserted): string {
  if (typeof value === 'string') {
    return value
      .toWellFormed()
      .replace(INVALID, '\uFFFD')
      .replace(/[&<>"']/g, escapeCharacter)
  }
  if (typeof value === 'number') return String(value)
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}

function escapeCharacter(one: string): string {
  return `&#${one.charCodeAt(0)};`
}

// Control characters are not valid in HTML (HTML Standard §13.1.3), except for white space.
const INVALID = /[^\P{Cc}\t\n\r]/gu
