import type { GranularAction } from './action.ts'
import { RESOURCE_NAMES, type ResourceName } from './resource-name.ts'
import { ROLES, type Role } from './role.ts'

/**
 * What must hold for a row before a grant covers it.
 * - `own-organization` the row's organisation is the viewer's
 * - `own-agreements`   the row belongs to an agreement that the viewer works for
 * - `own-user`         the row is the viewer
 * - `finalized`        the row's month is final
 * - `published`        the announcement is published and addressed to the viewer
 */
export type RowCondition = 'own-organization' | 'own-agreements' | 'own-user' | 'finalized' | 'published'

export interface Grant {
  readonly actions: readonly GranularAction[]
  readonly resource: ResourceName
  /** All of them must hold; none: every row. */
  readonly conditions: readonly RowCondition[]
  /** Sensitive values (account numbers) are shown shortened. */
  readonly isMasked: boolean
}

const ACTION_OF_CODE: Readonly<Record<string, GranularAction>> = {
  L: 'read:list',
  S: 'read:show',
  C: 'write:create',
  U: 'write:update',
  D: 'write:delete',
}
const CONDITION_OF_WORD: Readonly<Record<string, RowCondition>> = {
  ORG: 'own-organization',
  AGR: 'own-agreements',
  OWN: 'own-user',
  FIN: 'finalized',
  PUB: 'published',
}

/**
 * The one table of who may do what. A cell has the letters of the actions, then the conditions: `LSC ORG masked`. Both
 * evaluators, the rows in PostgreSQL and the menus are made from it.
 */
const INSIGHT_ROLES = [
  'insight:admin',
  'insight:editor',
  'insight:viewer',
  'insight:publisher_admin',
  'insight:publisher_editor',
] as const
const INSIGHT_TABLE: readonly (readonly [ResourceName, string, string, string, string, string])[] = [
  ['insight:agreement.', 'LSCU', 'LSCU', 'LS', 'LS ORG', 'LS AGR'],
  ['insight:agreement_publisher_rule.', 'LSCU', 'LSCU', 'LS', 'LS ORG', ''],
  // Money of before the books: administrators of staff bring it in.
  ['insight:opening_balance.', 'LSCUD', 'LS', 'LS', '', ''],
  ['insight:publisher.', 'LSCU', 'LSCU', 'LS', 'LS ORG', 'LS AGR'],
  ['insight:feed.', 'LSCUD', 'LSCU', 'LS', 'LS ORG', 'LS AGR'],
  // Publishers' people read the names of their own agreements' media with the right to the agreements (`availableMedia`).
  ['insight:medium.', 'LSCU', 'LS', 'LS', '', ''],
  ['insight:medium_article.', 'LSD', 'LSD', 'LS', 'LSD ORG', 'LSD AGR'],
  ['insight:agreement_snapshot.', 'LS', 'LS', 'LS', 'LS FIN ORG', 'LS FIN AGR'],
  ['insight:monthly_payment.', 'LSU', 'LS', 'LS', 'LS FIN ORG', 'LS FIN AGR'],
  ['insight:monthly_publisher_payment.', 'LS', 'LS', 'LS', 'LS FIN ORG', 'LS FIN AGR'],
  ['insight:rule_snapshot.', 'LS', 'LS', 'LS', 'S FIN ORG', ''],
  // U: the payee confirms or objects, staff answers; C: issue, replace, settings of the payer. Editors of publishers see no
  // bank accounts, and a statement names one.
  ['insight:statement.', 'LSCU', 'LSU', 'LS', 'LSU FIN ORG', ''],
  ['insight:announcement.', 'LSCUD', 'LSCU', 'LS', 'LS PUB', 'LS PUB'],
  ['insight:publisher_rank.', 'L', 'L', 'L', '', ''],
  ['insight:bank_account.', 'LSCU', 'LSC', 'L masked', 'LSC ORG masked', ''],
  ['insight:agreement_bank_account.', 'LSCU', 'LSCU', 'LS', 'LS ORG', ''],
  ['insight:summary_stats.', 'LS', 'LS', 'LS', 'LS ORG', 'LS AGR'],
  ['insight:article_stats.', 'LS', 'LS', 'LS', 'LS ORG', 'LS AGR'],
  ['insight:video_stats.', 'LS', 'LS', 'LS', 'LS ORG', 'LS AGR'],
  // Own boards and notes, and shared ones to read: who owns one is decided below the right (ADR 0082).
  ['insight:board.', 'LSCUD', 'LSCUD', 'LSCUD', 'LSCUD ORG', 'LSCUD AGR'],
  ['insight:annotation.', 'LSCUD', 'LSCUD', 'LSCUD', 'LSCUD ORG', 'LSCUD AGR'],
  // C: a publisher's people ask; U: a person who may see a thread goes on with it, staff also assigns and notes (ADR 0072).
  ['insight:question.', 'LSU', 'LSU', 'LS', 'LSCU ORG', 'LSCU AGR'],
  ['insight:answer_template.', 'LSCUD', 'LSCUD', 'LS', '', ''],
  // C: place, U: release.
  ['insight:legal_hold.', 'LSCU', 'L', 'L', '', ''],
  // Below it, each kind of import needs the rights of its form.
  ['insight:import.', 'LSC', '', '', '', ''],
  // Addresses that are notified of money and feeds: administrators, the publishers' of their own organisation.
  ['insight:webhook.', 'LSCUD', '', '', 'LSCUD ORG', ''],
  // An organisation's own keys. Staff sees and revokes them (a lost key is ended at once), and makes none.
  ['insight:api_key.', 'LD', '', '', 'LCD ORG', ''],
  ['insight:payment_rate.', 'LSCU', 'LSCU', 'LS', 'S ORG', ''],
  ['insight:revenue_detail.', 'LS', 'LS', 'LS', '', ''],
  // C: deliver a file on the screen. What was delivered is read with the revenue detail.
  ['insight:ingest.', 'C', '', '', '', ''],
  ['insight:in_house_field.', 'LSCU', 'LSU', 'LS', '', ''],
  ['insight:in_house_note.', 'LSCU', 'LSCU', 'LS', '', ''],
  ['insight:dividend.', 'LSCUD', 'LSC', 'L', '', ''],
  ['iam:user.', 'LS', '', '', 'LSCUD ORG', ''],
  ['iam:org.', 'LS', '', '', 'S ORG', ''],
  ['iam:user_role.', '', '', '', 'L', ''],
  ['iam:view_as.', 'C', '', '', '', ''],
]
const OTHER_ROLES: readonly (readonly [Role, ResourceName, string])[] = [
  ['iam:admin', 'iam:user.', 'LSCUD'],
  ['iam:admin', 'iam:org.', 'LSCUD'],
  ['iam:admin', 'iam:user_role.', 'LSU'],
  ['iam:admin', 'iam:audit_log.', 'L'],
  ['iam:admin', 'iam:view_as.', 'C'],
  ['iam:viewer', 'iam:user.', 'LS'],
  ['iam:viewer', 'iam:org.', 'LS'],
  ['iam:viewer', 'iam:user_role.', 'L'],
  ['coupon:admin', 'coupon:coupon.', 'LSCUD'],
  ['coupon:admin', 'coupon:brand.', 'LSCUD'],
  ['coupon:editor', 'coupon:coupon.', 'LSCU'],
  ['coupon:editor', 'coupon:brand.', 'LS'],
  ['coupon:brand_admin', 'coupon:coupon.', 'LSCU ORG'],
  ['coupon:brand_admin', 'coupon:brand.', 'SU ORG'],
  ['video:admin', 'video:video.', 'LSCUD'],
  ['video:admin', 'video:channel.', 'LSCUD'],
  ['video:publisher_admin', 'video:video.', 'LSCU ORG'],
  ['video:publisher_admin', 'video:channel.', 'S ORG'],
  ['article:admin', 'article:article.', 'LSCUD'],
  ['article:publisher_admin', 'article:article.', 'LSCUD ORG'],
  // The global administrator may do everything, resource by resource: a resource name has no wildcard.
  ...RESOURCE_NAMES.map(resource => ['admin', resource, 'LSCUD'] as const),
]

/** What a signed-in person may do without any role: read the own user. */
export const GRANTS_WITHOUT_ROLE: readonly Grant[] = [grantOf('iam:user.', 'S OWN')]

export const GRANTS_OF_ROLE: ReadonlyMap<Role, readonly Grant[]> = new Map(ROLES.map(role => [role, grantsOf(role)]))

/** The grants of all roles together, and those that need none. */
export function grantsFor(roles: readonly Role[]): readonly Grant[] {
  return [...GRANTS_WITHOUT_ROLE, ...roles.flatMap(role => GRANTS_OF_ROLE.get(role) ?? [])]
}

function grantsOf(role: Role): readonly Grant[] {
  const column = (INSIGHT_ROLES as readonly Role[]).indexOf(role)
  const cells = [
    ...(column < 0 ? [] : INSIGHT_TABLE.map(row => [row[0], row[column + 1] ?? ''] as const)),
    ...OTHER_ROLES.filter(([name]) => name === role).map(([, resource, cell]) => [resource, cell] as const),
  ]
  return cells.filter(([, cell]) => cell !== '').map(([resource, cell]) => grantOf(resource, cell))
}

function grantOf(resource: ResourceName, cell: string): Grant {
  const [codes = '', ...words] = cell.split(' ')
  return {
    resource,
    actions: [...codes].map(code => known(ACTION_OF_CODE, code)),
    conditions: words.filter(word => word !== 'masked').map(word => known(CONDITION_OF_WORD, word)),
    isMasked: words.includes('masked'),
  }
}

function known<T>(table: Readonly<Record<string, T>>, key: string): T {
  const value = Object.hasOwn(table, key) ? table[key] : undefined
  if (value === undefined) throw new RangeError(`not in the legend of the table: ${key}`)
  return value
}
