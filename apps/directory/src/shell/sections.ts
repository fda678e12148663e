import { connectionSection } from '../features/connections/pages/connection.ts'
import { requestsSection } from '../features/log/pages/requests.ts'
import { clientsSection } from '../features/oauth/pages/clients.ts'
import { recordingsSection } from '../features/recordings/pages/recordings.ts'
import { schemasSection } from '../features/schemas/pages/schemas.ts'
import { RESOURCE_SECTIONS } from '../features/scim/pages/resources.ts'
import { setupLinksSection } from '../features/setup-links/pages/setup-links.ts'
import { settingsSection } from '../features/tenants/pages/settings.ts'
import { tenantsSection } from '../features/tenants/pages/tenants.ts'
import { tokensSection } from '../features/tokens/pages/tokens.ts'
import { webhooksSection } from '../features/webhooks/pages/webhooks.ts'
import { aboutSection } from './about/page.ts'
import { connectSection } from './connect-page.ts'
import type { Section } from './console/context.ts'
import { overviewSection } from './overview/page.ts'

/** The console's pages, in navigation order. A new page needs one line here. */
export const SECTIONS: readonly Section[] = [
  tenantsSection,
  overviewSection,
  requestsSection,
  connectionSection,
  recordingsSection,
  ...RESOURCE_SECTIONS,
  schemasSection,
  connectSection,
  tokensSection,
  clientsSection,
  setupLinksSection,
  webhooksSection,
  settingsSection,
  aboutSection,
]
