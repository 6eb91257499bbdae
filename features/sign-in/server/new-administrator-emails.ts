import type { Role } from '@pc/domain/access/role.ts'
import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'
import { isPublisherRole, WATCHED_ROLES } from '@pc/domain/access/role-rank.ts'
import { addressesOf } from '@pc/platform/mail/people-with-roles.ts'
import { renderEmail } from '@pc/platform/mail/render-email.ts'
import type { Mail } from '@pc/platform/mail/send-mail.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { publisherAdministrators, systemAdministrators } from './notify-administrators.ts'

export interface RolesOfPerson {
  readonly uid: string
  readonly roles: readonly Role[]
}
interface NewAdministrator extends RolesOfPerson {
  readonly email: string
  readonly organizationId: bigint | null
  readonly organization: string | null
  readonly givenBy: string
  /** The giver belongs to the same organisation. Publishers do not see addresses of staff. */
  readonly isColleague: boolean
}

/** People that an email lists; it gives the number of the others. */
const MAX_LISTED = 50

/**
 * Emails to the other administrators about people who got a watched role: the system's administrators about its roles,
 * a publisher's administrators about their colleagues. When several people get roles at once, each reader gets one
 * email.
 * Tested by `features/imports/server/import-people.test.ts`.
 */
export async function newAdministratorMails(
  tx: Transaction,
  people: readonly RolesOfPerson[],
  givenByUid: string,
): Promise<readonly Mail[]> {
  const found = await readPeople(tx, people, givenByUid)
  const ofSystem = withRoles(found, role => !isPublisherRole(role))
  const ofPublishers = Map.groupBy(withRoles(found, isPublisherRole), ({ organizationId }) => organizationId)
  const toSystem = ofSystem.length > 0 ? await systemAdministrators(tx, [givenByUid]) : []
  const organizationIds = [...ofPublishers.keys()].filter(id => id !== null)
  const toPublishers = await publisherAdministrators(tx, organizationIds, givenByUid)
  const notices = [
    ...toSystem.map(({ email }) => ({ email, people: ofSystem, isOfSystem: true })),
    ...toPublishers.map(({ uid, email, organizationId }) => {
      const colleagues = (ofPublishers.get(organizationId) ?? []).filter(person => person.uid !== uid)
      return { email, people: colleagues, isOfSystem: false }
    }),
  ].filter(notice => notice.people.length > 0)
  // A reader who administers the system and a publisher gets one email for a file, and two for a single person.
  const emails = found.length > 1 ? [...Map.groupBy(notices, ({ email }) => email).values()] : notices.map(one => [one])
  return emails.flatMap(parts => {
    const [{ email: reader }] = parts as [(typeof parts)[0]]
    const listed = eachOnce(parts.flatMap(part => part.people))
    const seesStaff = parts.some(part => part.isOfSystem)
    return addressesOf([{ email: reader }]).map(to =>
      renderEmail({
        to,
        subject: `【Publisher Center】${kindOf(listed)}が付与されました`,
        paragraphs: listed.length === 1 ? sayOne(listed[0]!, seesStaff) : sayMany(listed, seesStaff),
      }),
    )
  })
}

async function readPeople(
  tx: Transaction,
  people: readonly RolesOfPerson[],
  givenByUid: string,
): Promise<readonly NewAdministrator[]> {
  const { rows } = await sql<Omit<NewAdministrator, 'roles'>>`select u.uid::text as uid, u.email, by.email as given_by,
      u.organization_id, o.name as organization, by.organization_id is not distinct from u.organization_id as is_colleague
    from users u left join organizations o on o.id = u.organization_id, users by
    where u.uid = any(${people.map(({ uid }) => uid)}::uuid[]) and by.uid = ${givenByUid}::uuid`.execute(tx)
  const rolesOf = new Map(people.map(({ uid, roles }) => [uid, roles]))
  return rows.map(row => ({ ...row, roles: rolesOf.get(row.uid) ?? [] }))
}

/** Highest roles first, so that a file cannot hide one behind many others. */
function withRoles(people: readonly NewAdministrator[], isMeant: (role: Role) => boolean): NewAdministrator[] {
  const rank = ({ roles }: NewAdministrator) => Math.min(...roles.map(role => WATCHED_ROLES.indexOf(role)))
  return people
    .map(person => ({ ...person, roles: person.roles.filter(isMeant) }))
    .filter(({ roles }) => roles.length > 0)
    .toSorted((a, b) => rank(a) - rank(b) || (a.email < b.email ? -1 : 1))
}

/** A person with roles of both kinds appears once, with all of them. */
function eachOnce(people: readonly NewAdministrator[]): readonly NewAdministrator[] {
  return [...Map.groupBy(people, ({ uid }) => uid).values()].flatMap(([person, ...same]) =>
    person ? [{ ...person, roles: [person, ...same].flatMap(({ roles }) => roles) }] : [],
  )
}

const HINT = 'お心当たりがない場合は、ユーザー管理で無効にし、操作の記録を確かめてください。'
const giverOf = ({ isColleague, givenBy }: NewAdministrator, seesStaff: boolean) =>
  isColleague || seesStaff ? givenBy : '運営の担当者'
const labelOf = (role: Role) => `「${ROLE_LABELS_JA[role].label}」`

/** Most watched roles administer something; others only move money. */
function kindOf(people: readonly NewAdministrator[]): string {
  const areAdministrators = new Set(people.flatMap(({ roles }) => roles.map(role => role.endsWith('admin'))))
  if (!areAdministrators.has(false)) return '管理者のロール'
  return areAdministrators.has(true) ? '管理者などのロール' : 'お金にかかわるロール'
}

function sayOne(person: NewAdministrator, seesStaff: boolean): readonly string[] {
  const labels = person.roles.map(labelOf).join('')
  return [`${giverOf(person, seesStaff)} が、${person.email} に${labels}のロールを付与しました。`, HINT]
}

function sayMany(people: readonly NewAdministrator[], seesStaff: boolean): readonly string[] {
  const counts = WATCHED_ROLES.flatMap(role => {
    const having = people.filter(({ roles }) => roles.includes(role)).length
    return having > 0 ? `${labelOf(role)}${having}人` : []
  })
  const lines = people.slice(0, MAX_LISTED).map(({ email, organization, roles }) => {
    const name = organization === null || !seesStaff ? '' : `（${organization.replace(/\s+/g, ' ')}）`
    return `・${email}${name}${roles.map(labelOf).join('')}`
  })
  const rest = people.length - lines.length
  return [
    `${giverOf(people[0]!, seesStaff)} が、${people.length}人に${kindOf(people)}を付与しました。内訳は、${counts.join('、')}です。`,
    [...lines, ...(rest > 0 ? [`ほか${rest}人`] : [])].join('\n'),
    HINT,
  ]
}
