import type { MenuSection } from './menu.ts'

/** Lists the pages for language models, as llmstxt.org describes it. Each page is linked as Markdown. */
export function llmsText(menu: readonly MenuSection[]): string {
  const sections = menu.map(({ title, pages }) => {
    const links = pages.map((page) => `- [${page.title}](/${page.path}.md)`)
    return `## ${title}\n\n${links.join('\n')}\n`
  })
  return `# Plumbline\n\n> ${SUMMARY}\n\n${sections.join('\n')}`
}

const SUMMARY =
  'TypeScript libraries for HTTP APIs that match their OpenAPI document (`@plumbline/openapi`), with contract tests (`@plumbline/contract`), and for SCIM 2.0 provisioning from Entra ID and Okta (`@plumbline/scim`), a command that examines SCIM servers (`@plumbline/doctor`), and a SCIM directory server.'
