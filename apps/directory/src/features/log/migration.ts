import type { SqlDialect } from '../../kernel/store/store.ts'

/**
 * Creates the provisioning log's tables. The tenant is empty for a request whose token does not belong to one.
 * Most requests succeed, so the index for the others is small.
 */
export function createRequestLog({ text, document }: SqlDialect): readonly string[] {
  return [
    `create table requests (
      tenant_id ${text} not null,
      id bigint not null,
      time bigint not null,
      status integer not null,
      resource_id ${text},
      user_name_key ${text},
      entry ${document} not null,
      exchange ${document},
      primary key (tenant_id, id)
    )`,
    `create index requests_by_resource on requests (tenant_id, resource_id, id)
      where resource_id is not null`,
    `create index requests_by_user_name on requests (tenant_id, user_name_key, id)
      where user_name_key is not null`,
    'create index requests_by_failure on requests (tenant_id, id) where status >= 400',
    // A revoked token is recognized by its hash, so the log can show the revocation.
    `create table revoked_tokens (
      id ${text} primary key,
      tenant_id ${text},
      hash ${text} not null,
      revoked_at bigint not null
    )`,
    `insert into settings (name, value) values ('last_request_id', '0')`,
  ]
}

/** Adds the sizes of the tenants' logs, which a deletion needs without reading the whole log. */
export function addRequestSizes({ text }: SqlDialect): readonly string[] {
  return [
    `create table request_sizes (
      tenant_id ${text} primary key,
      requests bigint not null,
      bytes bigint not null
    )`,
    `insert into request_sizes (tenant_id, requests, bytes)
      select tenant_id, count(*),
        sum(octet_length(entry) + coalesce(octet_length(exchange), 0) + 200)
      from requests group by tenant_id`,
  ]
}
