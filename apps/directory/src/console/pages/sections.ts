import type { Section } from '../context.ts'
import { aboutSection } from './about.ts'
import { clientsSection } from './clients.ts'
import { connectSection } from './connect.ts'
import { recordingsSection } from './recordings.ts'
import { requestsSection } from './requests.ts'
import { RESOURCE_SECTIONS } from './resources.ts'
import { schemasSection } from './schemas.ts'
import { tenantSection } from './tenant.ts'
import { tenantsSection } from './tenants.ts'
import { tokensSection } from './tokens.ts'

/** The console's pages, in the order of the navigation. A new page needs one line here. */
export const SECTIONS: readonly Section[] = [
  tenantsSection,
  tenantSection,
  requestsSection,
  recordingsSection,
  ...RESOURCE_SECTIONS,
  connectSection,
  tokensSection,
  clientsSection,
  schemasSection,
  aboutSection,
]
