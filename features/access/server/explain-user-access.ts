import { GRANULAR_ACTIONS } from '@pc/domain/access/action.ts'
import type { Permit, RowFacts } from '@pc/domain/access/decide.ts'
import { type AccessExplanation, explainAccess } from '@pc/domain/access/explain-access.ts'
import { RESOURCE_NAMES, type ResourceName } from '@pc/domain/access/resource-name.ts'
import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { isOfOwnAgreement, isOfOwnPublisher, isOfOwnPublisherOnMedium } from '@pc/platform/postgres/own-rows.ts'
import { type RawBuilder, sql } from 'kysely'
import { findUser, isUid, type UserRow } from './user-store.ts'

export interface ExplainRequest {
  readonly userUid: string
  readonly action: string
  readonly resource: string
  /** Empty or undefined: rows in general. */
  readonly rowId?: string | undefined
}

type ExplainRefusal = Refusal<
  'access/action-unknown' | 'access/resource-unknown' | 'access/row-not-explained' | 'record/not-found'
>

/**
 * Explains the access of a user whom the caller may see to a row that the caller may see.
 * Tested by `features/users/server/people.test.ts`.
 */
export async function explainForViewer(
  database: Database,
  request: ExplainRequest,
  permit: Permit<'read:show', 'iam:user.'>,
): Promise<Result<AccessExplanation, ExplainRefusal>> {
  const user = await findUser(database, request.userUid, permit)
  // A caller who sees every user gets explanations of every row, others of the rows in their scope.
  return user ? explain(database, permit.scope, user, request) : refused(refusal('record/not-found', ['userID']))
}

/** For the command line of this machine, which names the user by email address. */
export async function explainForOperator(
  database: Database,
  email: string,
  request: Omit<ExplainRequest, 'userUid'>,
): Promise<Result<AccessExplanation, ExplainRefusal>> {
  const user = await database.inScope(SYSTEM, async tx => {
    const found = await sql<Pick<UserRow, 'uid' | 'email' | 'enabled' | 'roles'> & { organizationId: bigint | null }>`
      select u.uid::text as uid, u.email, u.enabled, u.organization_id,
        array(select r.role_name from user_roles r where r.uid = u.uid) as roles
      from users u where u.email = ${email.trim().toLowerCase()}`.execute(tx)
    return found.rows[0]
  })
  if (!user) return refused(refusal('record/not-found', ['user']))
  const { organizationId } = user
  const organization = organizationId === null ? null : { id: organizationId, name: '' }
  return explain(database, SYSTEM, { ...user, organization }, request)
}

type Explained = Pick<UserRow, 'uid' | 'email' | 'enabled' | 'roles' | 'organization'>

async function explain(
  database: Database,
  scope: Scope,
  user: Explained,
  request: Omit<ExplainRequest, 'userUid'>,
): Promise<Result<AccessExplanation, ExplainRefusal>> {
  const action = GRANULAR_ACTIONS.find(one => one === request.action)
  if (!action) return refused(refusal('access/action-unknown', ['action']))
  const resource = RESOURCE_NAMES.find(one => one === request.resource || one === `${request.resource}.`)
  if (!resource) return refused(refusal('access/resource-unknown', ['resource']))
  const id = request.rowId?.trim() ?? ''
  const question = {
    action,
    resource,
    user: { ...user, organizationId: user.organization?.id ?? null },
  }
  if (id === '') return ok(explainAccess(question))
  const statement = FACTS[resource]
  if (!statement) return refused(refusal('access/row-not-explained', ['rowId']))
  const isPossible = resource === 'iam:user.' ? isUid(id) : /^\d{1,18}$/.test(id)
  const facts = isPossible ? await database.inScope(scope, tx => readFacts(tx, statement(id, user.uid))) : undefined
  return facts
    ? ok(explainAccess({ ...question, row: { id, facts } }))
    : refused(refusal('record/not-found', ['rowId']))
}

interface FactRow {
  readonly uid: string | null
  readonly organizationId: bigint | null
  readonly isOfOwnAgreement: boolean | null
  /** Absent where the month does not matter. */
  readonly hasBeenFinalized?: boolean
}

async function readFacts(tx: Transaction, statement: RawBuilder<FactRow>): Promise<RowFacts | undefined> {
  const row = (await statement.execute(tx)).rows[0]
  if (!row) return undefined
  return {
    ...(row.uid === null ? {} : { uid: row.uid }),
    ...(row.organizationId === null ? {} : { organizationId: row.organizationId }),
    ...(row.hasBeenFinalized === undefined ? {} : { hasBeenFinalized: row.hasBeenFinalized }),
    ...(row.isOfOwnAgreement === null ? {} : { isOfOwnAgreement: row.isOfOwnAgreement }),
  }
}

/** Facts of a row that has a publisher and a medium. */
const ofPublisher = (table: RawBuilder<unknown>, key: RawBuilder<unknown>) => (id: string, uid: string) =>
  sql<FactRow>`select null as uid, p.organization_id,
      ${isOfOwnPublisherOnMedium(sql`t.publisher_id`, sql`t.medium_id`, uid)} as is_of_own_agreement
    from ${table} t join publishers p on p.id = t.publisher_id where ${key} = ${id}::bigint`

const ofMonth = (table: RawBuilder<unknown>) => (id: string, uid: string) =>
  sql<FactRow>`select null as uid, t.organization_id, t.has_been_finalized,
      ${isOfOwnAgreement(sql`t.agreement_id`, uid)} as is_of_own_agreement
    from ${table} t where t.id = ${id}::bigint`

/** The facts of a row that conditions compare, by resource; `uid` is the user whose access is explained. */
const FACTS: Partial<Record<ResourceName, (id: string, uid: string) => RawBuilder<FactRow>>> = {
  'iam:user.': id =>
    sql<FactRow>`select u.uid::text as uid, u.organization_id, null::boolean as is_of_own_agreement
      from users u where u.uid = ${id}::uuid`,
  'iam:org.': id =>
    sql<FactRow>`select null as uid, o.id as organization_id, null::boolean as is_of_own_agreement
      from organizations o where o.id = ${id}::bigint`,
  'insight:agreement.': (id, uid) =>
    sql<FactRow>`select null as uid, a.organization_id, ${isOfOwnAgreement(sql`a.id`, uid)} as is_of_own_agreement
      from agreements a where a.id = ${id}::bigint`,
  'insight:agreement_publisher_rule.': (id, uid) =>
    sql<FactRow>`select null as uid, a.organization_id, ${isOfOwnAgreement(sql`a.id`, uid)} as is_of_own_agreement
      from agreement_publisher_rules r join agreements a on a.id = r.agreement_id where r.id = ${id}::bigint`,
  'insight:publisher.': (id, uid) =>
    sql<FactRow>`select null as uid, p.organization_id, ${isOfOwnPublisher(sql`p.id`, uid)} as is_of_own_agreement
      from publishers p where p.id = ${id}::bigint`,
  'insight:agreement_snapshot.': ofMonth(sql`monthly_agreement_snapshots`),
  'insight:monthly_payment.': ofMonth(sql`monthly_payments`),
  'insight:monthly_publisher_payment.': ofMonth(sql`monthly_publisher_payments`),
  'insight:rule_snapshot.': ofMonth(sql`monthly_rule_snapshots`),
  // Only finalised payments have a statement.
  'insight:statement.': ofMonth(sql`(select *, true as has_been_finalized from statements)`),
  'insight:feed.': ofPublisher(sql`feeds`, sql`t.id`),
  'insight:medium_article.': ofPublisher(sql`medium_articles`, sql`t.article_id`),
}
