// Reads and writes a user with an extension of its own, as a Standard Schema.

import { isFailure, unwrap } from '@plumbline/result'
import { ENTERPRISE_USER_SCHEMA, parseUser, userResource } from '@plumbline/scim'
import { z } from 'zod'

const Enterprise = z.object({ department: z.string().optional() })
const Badge = z.object({ number: z.string().min(3) })
const extensions = {
  enterprise: { urn: ENTERPRISE_USER_SCHEMA, schema: Enterprise },
  badge: { urn: 'urn:example:2.0:Badge', schema: Badge },
}

const body = { userName: 'bjensen', 'urn:example:2.0:Badge': { number: '7001' } }
const user = unwrap(parseUser(body, { extensions }))
user.extensions.badge?.number //=> '7001'
const { schemas } = userResource(user, { extensions })
schemas //=> ['urn:ietf:params:scim:schemas:core:2.0:User', 'urn:example:2.0:Badge']

const short = { userName: 'bjensen', 'urn:example:2.0:Badge': { number: '7' } }
const rejected = parseUser(short, { extensions })
isFailure(rejected) && rejected.error.status //=> 400
isFailure(rejected) && rejected.error.message.startsWith('urn:example:2.0:Badge:number') //=> true
