import { joinObjects } from './json-text.ts'

/**
 * A resource that is already JSON, such as one stored as a string. `scimResponse`, `listResponse` and `stringifyList`
 * write it unchanged, without parsing or checking it.
 *
 * @example
 * ```ts
 * import { RawJson, scimResponse } from '@plumbline/scim'
 *
 * const stored = '{"id":"1","userName":"bjensen"}'
 * const { userName } = await scimResponse(new RawJson(stored)).json()
 * userName //=> 'bjensen'
 * ```
 */
export class RawJson {
  /** The resource's JSON. */
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /**
   * Returns the resource with more members at the end, such as a `meta` that is not stored. Undefined members are
   * omitted. The JSON must be as `JSON.stringify` writes it, without a member of the same name.
   *
   * @example
   * ```ts
   * import { RawJson } from '@plumbline/scim'
   *
   * new RawJson('{"id":"1"}').withMembers({ active: true }).text //=> '{"id":"1","active":true}'
   * ```
   */
  withMembers(members: object): RawJson {
    return new RawJson(joinObjects(this.text, JSON.stringify(members)))
  }

  /** Inside another value written as JSON, it is the value it represents. */
  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

/** Writes a value as JSON. A RawJson already is JSON. */
export function stringifyJson(body: object): string {
  return body instanceof RawJson ? body.text : JSON.stringify(body)
}
