/** The media type for documents written as JSON. */
export const MEDIA_TYPE_JSON = 'application/json'

/** The media type for documents written as YAML (RFC 9512). */
export const MEDIA_TYPE_YAML = 'application/yaml'

/** The OpenAPI version a built document declares by default. */
export const OPENAPI_VERSION = '3.1.1'

/** The JSON Schema dialect such a document declares (OpenAPI 3.1.1 §4.8.24.5). */
export const JSON_SCHEMA_DIALECT = 'https://spec.openapis.org/oas/3.1/dialect/base'

/** The OpenAPI versions a document may declare. */
export type OpenAPIVersion = '3.1.1' | '3.2.0'
