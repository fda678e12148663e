import { describe, expect, it } from 'vitest'
import { badge } from './badge.ts'
import { html } from './markup.ts'
import { writePage } from './page.ts'

describe('writePage', () => {
  const page = writePage('<Title>', html`<p>${'Body'}</p>`)

  it('a page does not load or run anything, and has colors for light and dark', () => {
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
    expect(page).not.toMatch(/<script|<link|<img|src=|href=|url\(/)
    expect(page).toContain('color-scheme: light dark')
  })

  it('a page has the title, the styles and the body of the report', () => {
    expect(page).toContain('<title>&#60;Title&#62;</title>')
    expect(page).toContain('\n.badge { display: inline-block;')
    expect(page).toContain('<main>\n<p>Body</p>\n</main>')
  })
})

describe('badge', () => {
  it('a badge shows its meaning by a sign, too, which screen readers leave out', () => {
    expect(badge('error', '<b>').markup).toBe(
      '<span class="badge badge-error"><span aria-hidden="true">✕</span> &#60;b&#62;</span>',
    )
  })
})

describe('html', () => {
  it('html escapes text for elements and attributes, and inserts markup as it is', () => {
    const { markup } = html`<a title="${`"'`}">${'<b> & c'}${[html`<i>${1}</i>`]}</a>`
    expect(markup).toBe('<a title="&#34;&#39;">&#60;b&#62; &#38; c<i>1</i></a>')
  })

  it('html replaces control characters and lone surrogates (HTML Standard §13.1.3)', () => {
    expect(html`${'\u0000 \u009b \ud800 \t\n\r'}`.markup).toBe('\ufffd \ufffd \ufffd \t\n\r')
  })
})
