// Reads, filters, projects and patches a resource type of its own by its definition.

import { isFailure, unwrap } from '@plumbline/result'
import { PATCH_OP_SCHEMA, parseResource, project, writeResource } from '@plumbline/scim'
import { type Discovery, resourceTypes } from '@plumbline/scim/discovery'
import { compileFilter, parseFilter } from '@plumbline/scim/filter'
import { applyPatch, parsePatch } from '@plumbline/scim/patch'

const DEVICE: Discovery.SchemaDefinition = {
  id: 'urn:example:2.0:Device',
  name: 'Device',
  attributes: [
    { name: 'serial', type: 'string', required: true, caseExact: true, mutability: 'immutable' },
    { name: 'pin', type: 'string', mutability: 'writeOnly', returned: 'never' },
    { name: 'seen', type: 'dateTime', mutability: 'readOnly' },
  ],
}
const definitions = { [DEVICE.id]: DEVICE }
const body = { id: 'x', Serial: 'X1', pin: '1234', color: 'red' }
const parsed = unwrap(parseResource(definitions, body))
parsed //=> { schemas: [DEVICE.id], serial: 'X1', pin: '1234' }
const device = { ...parsed, id: '1', seen: '2026-01-31T12:00:00+01:00' }
const { schemas: _, ...response } = writeResource({ ...device, seen: new Date(0) }, definitions)
response //=> { id: '1', serial: 'X1', seen: '1970-01-01T00:00:00.000Z' }

const filter = unwrap(parseFilter('seen ge "2026-01-31T11:00:00Z" and serial eq "X1"'))
unwrap(compileFilter(filter, { definitions }))(device) //=> true
const attributes = ['serial']
project(device, { attributes }, definitions) //=> { schemas: [DEVICE.id], id: '1', serial: 'X1' }
resourceTypes([{ id: 'Device', endpoint: '/Devices', schema: DEVICE.id }]).totalResults //=> 1

const Operations = [{ op: 'replace', path: 'serial', value: 'X2' }]
const operations = unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations }))
const rejected = applyPatch(device, operations, { definitions })
isFailure(rejected) && rejected.error.scimType //=> 'mutability'
