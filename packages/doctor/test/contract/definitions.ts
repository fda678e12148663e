import { USER_SCHEMA } from '@plumbline/scim'
import {
  type Discovery,
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  pickAttributes,
  USER_DEFINITION,
} from '@plumbline/scim/discovery'

const user = pickAttributes(USER_DEFINITION, [
  'userName',
  'name.givenName',
  'displayName',
  'userType',
  'active',
  'password',
  'emails.value',
  'emails.type',
  'emails.primary',
  'phoneNumbers.value',
  'phoneNumbers.type',
])
const enterprise = pickAttributes(ENTERPRISE_USER_DEFINITION, ['department', 'manager'])

export const USERS: Discovery.Definitions = { [USER_SCHEMA]: user, [enterprise.id]: enterprise }

export const GROUPS: Discovery.Definitions = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }

/** A resource type with an attribute of every type. */
const SENSOR: Discovery.SchemaDefinition = {
  id: 'urn:example:params:scim:schemas:core:2.0:Sensor',
  name: 'Sensor',
  attributes: [
    { name: 'label', type: 'string', required: true },
    {
      name: 'serial',
      type: 'string',
      caseExact: true,
      uniqueness: 'server',
      mutability: 'immutable',
    },
    { name: 'place', type: 'string', caseExact: true },
    { name: 'note', type: 'string', returned: 'request' },
    { name: 'manual', type: 'reference', caseExact: true, referenceTypes: ['external'] },
    { name: 'count', type: 'integer' },
    { name: 'voltage', type: 'decimal' },
    { name: 'seen', type: 'dateTime' },
    { name: 'key', type: 'binary' },
    { name: 'on', type: 'boolean' },
    { name: 'tags', type: 'string', multiValued: true },
  ],
}

export const SENSORS: Discovery.Definitions = { [SENSOR.id]: SENSOR }
