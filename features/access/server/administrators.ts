import type { Role } from '@pc/domain/access/role.ts'
import type { OtherAdministrators, Person } from '@pc/domain/access/user-changes.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { FILTERED, IS_INVITED } from './user-store.ts'

const OF_SYSTEM: Role = 'admin'
const OF_ORGANIZATION: Role = 'insight:publisher_admin'

/**
 * Administrators of the system or of an organisation who can sign in, kept up to date while several people are changed.
 */
export interface Administrators {
  /** Administrators other than this person. */
  beside(person: Person): OtherAdministrators
  /** Records what a person has become. `enabled`: can sign in, so neither disabled nor only invited. */
  become(person: Person): void
}

/**
 * Reads the administrators who can sign in, of the system and of these people's organisations. A publisher's
 * administrator sees only one organisation, and cannot change the system's. Call it under the lock that a change
 * which ends an administration takes.
 * Tested by `features/users/server/people-changes.test.ts`.
 */
export async function readAdministrators(tx: Transaction, people: readonly Person[]): Promise<Administrators> {
  const organizationIds = [...new Set(people.flatMap(({ organizationId }) => organizationId ?? []))]
  const { rows } = await sql<{ uid: string; role: string; organizationId: bigint | null }>`
    select u.uid::text as uid, r.role_name as role, u.organization_id from ${FILTERED} join user_roles r on r.uid = u.uid
    where u.enabled and not ${IS_INVITED} and (r.role_name = ${OF_SYSTEM}
      or r.role_name = ${OF_ORGANIZATION} and u.organization_id = any(${organizationIds}::bigint[]))`.execute(tx)
  const ofSystem = new Set<string>()
  const ofOrganizations = new Map(organizationIds.map(id => [id, new Set<string>()]))
  for (const { uid, role, organizationId } of rows) {
    if (role === OF_SYSTEM) ofSystem.add(uid)
    else if (organizationId !== null) ofOrganizations.get(organizationId)?.add(uid)
  }
  const ofOrganization = ({ organizationId }: Person) =>
    organizationId === null ? undefined : ofOrganizations.get(organizationId)
  return {
    beside(person) {
      return { ofSystem: countBeside(ofSystem, person), ofOrganization: countBeside(ofOrganization(person), person) }
    },
    become(person) {
      updateMembership(ofSystem, person, OF_SYSTEM)
      updateMembership(ofOrganization(person), person, OF_ORGANIZATION)
    },
  }
}

function countBeside(uids: ReadonlySet<string> = new Set(), { uid }: Person): number {
  return uids.has(uid) ? uids.size - 1 : uids.size
}

function updateMembership(uids: Set<string> | undefined, { uid, enabled, roles }: Person, role: Role): void {
  if (enabled && roles.includes(role)) uids?.add(uid)
  else uids?.delete(uid)
}
