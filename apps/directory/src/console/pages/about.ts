import { html } from 'hono/html'
import { definitionList } from '../components/table.ts'
import { code } from '../components/text.ts'
import { on, type Section } from '../context.ts'
import { routes } from '../routes.ts'

/** The page about this server. */
export const aboutSection: Section = {
  link: { text: 'About', href: routes.about.href() },
  pages: [
    on(routes.about, async (context) => {
      return await context.page({
        title: 'About',
        body: html`${definitionList([
          ['Address', code(context.origin)],
          ['SCIM base URL', code(`${context.origin}/scim/v2`)],
          ['API document', html`<a href="/openapi.json">/openapi.json</a>`],
        ])}`,
      })
    }),
  ],
}
