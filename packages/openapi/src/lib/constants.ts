/** The media type of a document written as JSON. */
export const MEDIA_TYPE_JSON = 'application/json'

/** The media type of a document written as YAML (RFC 9512). */
export const MEDIA_TYPE_YAML = 'application/yaml'

/** The version of the OpenAPI Specification that every built document declares. */
export const OPENAPI_VERSION = '3.1.1'

/** The JSON Schema dialect that every built document declares (OpenAPI 3.1.1 §4.8.24.5). */
export const JSON_SCHEMA_DIALECT = 'https://spec.openapis.org/oas/3.1/dialect/base'
