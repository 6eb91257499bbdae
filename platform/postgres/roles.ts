import pg from 'pg'
import { connectionOptions } from './connection-options.ts'

/**
 * The roles belong to the cluster, not to a database, so they are made outside of the migrations.
 *
 * | Role       | Logs in | May                                                                          |
 * |------------|---------|------------------------------------------------------------------------------|
 * | `pc_owner` | yes     | own the database and everything in it: migrations only                       |
 * | `pc_login` | yes     | nothing, except to become `pc_app` within a transaction: the running system  |
 * | `pc_app`   | no      | read and write rows that the scope of the transaction shows                   |
 *
 * With `DATABASE_URL` the operator makes what {@link OPERATOR_SQL} shows. The embedded server makes all of it.
 */
export const OWNER_ROLE = 'pc_owner'
export const LOGIN_ROLE = 'pc_login'
const APP_ROLE = 'pc_app'

export const OPERATOR_SQL = `create role ${APP_ROLE} nologin;
create role ${OWNER_ROLE} login password '…';
create role ${LOGIN_ROLE} login noinherit password '…';
grant ${APP_ROLE} to ${OWNER_ROLE}, ${LOGIN_ROLE} with inherit false, set true;
create database publisher_center owner ${OWNER_ROLE} encoding 'UTF8' template template0
  locale_provider builtin builtin_locale 'C.UTF-8' locale 'C' lc_ctype 'C.UTF-8';`

/** Makes the roles of the embedded cluster. Idempotent. `adminUrl` logs in as a superuser. */
export async function ensureClusterRoles(adminUrl: string): Promise<void> {
  await withClient(adminUrl, async client => {
    await ensureRole(client, APP_ROLE, 'nologin noinherit')
    await ensureRole(client, OWNER_ROLE, 'login noinherit')
    await ensureRole(client, LOGIN_ROLE, 'login noinherit')
    await client.query(`grant ${APP_ROLE} to ${OWNER_ROLE}, ${LOGIN_ROLE} with inherit false, set true`)
  })
}

/** Makes an empty database that `pc_owner` owns, unless it exists. `adminUrl` logs in as a superuser. */
export async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  await withClient(adminUrl, async client => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)} owner ${OWNER_ROLE}`)
  })
}

/**
 * Makes sure that `pc_app` exists and the connected user may take it. Called before the migrations.
 * @throws Error that tells the operator what to do
 */
export async function ensureAppRole(client: pg.Client): Promise<void> {
  try {
    await ensureRole(client, APP_ROLE, 'nologin noinherit')
    const { rows } = await client.query<{ may: boolean }>(
      `select pg_has_role(current_user, '${APP_ROLE}', 'set') as may`,
    )
    if (!rows[0]?.may) await client.query(`grant ${APP_ROLE} to current_user with inherit false, set true`)
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    const { user } = client
    throw new Error(
      `The database user ${user} may not make the role ${APP_ROLE}. Run once as an administrator:\n\n${OPERATOR_SQL}\n`,
      { cause: error },
    )
  }
}

/**
 * Revokes temporary tables from everybody, which PostgreSQL grants in a new database. Not a migration, because a cloned
 * database does not inherit it. The client must be the owner.
 */
export async function restrictDatabase(client: pg.Client, name: string): Promise<void> {
  await client.query(`revoke temporary on database ${pg.escapeIdentifier(name)} from public`)
}

async function ensureRole(client: pg.Client, name: string, attributes: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name])
  if (rowCount !== 0) return
  try {
    await client.query(`create role ${name} ${attributes}`)
  } catch (error) {
    // Another process created it at the same time: duplicate_object, or unique_violation in the catalogue.
    if (!['42710', '23505'].includes((error as { code?: string }).code ?? '')) throw error
  }
}

/**
 * A separate connection for work outside of scopes: roles, migrations, catalogue.
 * Tested by `platform/postgres/open-postgres.test.ts`.
 */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...connectionOptions(url), connectionTimeoutMillis: 10_000, keepAlive: true })
  client.on('error', () => {}) // without a listener the process would end; the running query rejects
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
