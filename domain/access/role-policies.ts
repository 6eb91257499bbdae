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
  /** All of them must hold; empty: every row. */
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
 * Who may do what. A cell holds the letters of the actions, then the conditions, for example `LSC ORG masked`. What is
 * not named is denied. Both evaluators, the row policies of PostgreSQL and the menus derive from it.
 */
const POLICIES: Readonly<Record<Role, readonly (readonly [ResourceName, string])[]>> = {
  // Everything, resource by resource: a resource name has no wildcard.
  admin: RESOURCE_NAMES.map(resource => [resource, 'LSCUD']),
  'iam:admin': [
    ['iam:user.', 'LSCUD'],
    ['iam:org.', 'LSCUD'],
    ['iam:user_role.', 'LSU'],
    ['iam:audit_log.', 'L'],
    ['iam:view_as.', 'C'],
  ],
  'iam:viewer': [
    ['iam:user.', 'LS'],
    ['iam:org.', 'LS'],
    ['iam:user_role.', 'L'],
  ],
  'insight:admin': [
    ['insight:agreement.', 'LSCU'],
    ['insight:agreement_publisher_rule.', 'LSCU'],
    // What was owed before the first month in this system.
    ['insight:opening_balance.', 'LSCUD'],
    ['insight:publisher.', 'LSCU'],
    ['insight:feed.', 'LSCUD'],
    // Publishers' people read the names of their own agreements' media by the right to the agreements
    // (`availableMedia`).
    ['insight:medium.', 'LSCU'],
    ['insight:medium_article.', 'LSD'],
    ['insight:agreement_snapshot.', 'LS'],
    ['insight:monthly_payment.', 'LSU'],
    ['insight:monthly_publisher_payment.', 'LS'],
    ['insight:rule_snapshot.', 'LS'],
    // U: the payee confirms or objects, staff answer. C: issue, replace, the payer's settings. Publishers' editors have
    // no right here: a statement names a bank account, which they may not see.
    ['insight:statement.', 'LSCU'],
    ['insight:announcement.', 'LSCUD'],
    ['insight:publisher_rank.', 'L'],
    ['insight:bank_account.', 'LSCU'],
    ['insight:agreement_bank_account.', 'LSCU'],
    ['insight:summary_stats.', 'LS'],
    ['insight:article_stats.', 'LS'],
    ['insight:video_stats.', 'LS'],
    // Own boards and notes, and shared ones to read. Ownership is checked in addition to this right (docs/adr/0082).
    ['insight:board.', 'LSCUD'],
    ['insight:annotation.', 'LSCUD'],
    // C: a publisher's people ask. U: everybody who sees a thread may reply; staff also assign it and write internal notes
    // (docs/adr/0072).
    ['insight:question.', 'LSU'],
    ['insight:answer_template.', 'LSCUD'],
    // C: set a hold. U: release it.
    ['insight:legal_hold.', 'LSCU'],
    // Each kind of import also needs the rights of its form.
    ['insight:import.', 'LSC'],
    // Addresses that are notified of money and feeds. Administrators manage them; a publisher's, those of the own
    // organisation.
    ['insight:webhook.', 'LSCUD'],
    // API keys of an organisation. Staff see and revoke them, as a lost key must end at once, and make none.
    ['insight:api_key.', 'LD'],
    ['insight:payment_rate.', 'LSCU'],
    ['insight:revenue_detail.', 'LS'],
    // C: upload a delivery on the screen. Reading deliveries needs the revenue detail.
    ['insight:ingest.', 'C'],
    ['insight:in_house_field.', 'LSCU'],
    ['insight:in_house_note.', 'LSCU'],
    ['insight:dividend.', 'LSCUD'],
    ['iam:user.', 'LS'],
    ['iam:org.', 'LS'],
    ['iam:view_as.', 'C'],
  ],
  'insight:editor': [
    ['insight:agreement.', 'LSCU'],
    ['insight:agreement_publisher_rule.', 'LSCU'],
    ['insight:opening_balance.', 'LS'],
    ['insight:publisher.', 'LSCU'],
    ['insight:feed.', 'LSCU'],
    ['insight:medium.', 'LS'],
    ['insight:medium_article.', 'LSD'],
    ['insight:agreement_snapshot.', 'LS'],
    ['insight:monthly_payment.', 'LS'],
    ['insight:monthly_publisher_payment.', 'LS'],
    ['insight:rule_snapshot.', 'LS'],
    ['insight:statement.', 'LSU'],
    ['insight:announcement.', 'LSCU'],
    ['insight:publisher_rank.', 'L'],
    ['insight:bank_account.', 'LSC'],
    ['insight:agreement_bank_account.', 'LSCU'],
    ['insight:summary_stats.', 'LS'],
    ['insight:article_stats.', 'LS'],
    ['insight:video_stats.', 'LS'],
    ['insight:board.', 'LSCUD'],
    ['insight:annotation.', 'LSCUD'],
    ['insight:question.', 'LSU'],
    ['insight:answer_template.', 'LSCUD'],
    ['insight:legal_hold.', 'L'],
    ['insight:payment_rate.', 'LSCU'],
    ['insight:revenue_detail.', 'LS'],
    ['insight:in_house_field.', 'LSU'],
    ['insight:in_house_note.', 'LSCU'],
    ['insight:dividend.', 'LSC'],
  ],
  'insight:viewer': [
    ['insight:agreement.', 'LS'],
    ['insight:agreement_publisher_rule.', 'LS'],
    ['insight:opening_balance.', 'LS'],
    ['insight:publisher.', 'LS'],
    ['insight:feed.', 'LS'],
    ['insight:medium.', 'LS'],
    ['insight:medium_article.', 'LS'],
    ['insight:agreement_snapshot.', 'LS'],
    ['insight:monthly_payment.', 'LS'],
    ['insight:monthly_publisher_payment.', 'LS'],
    ['insight:rule_snapshot.', 'LS'],
    ['insight:statement.', 'LS'],
    ['insight:announcement.', 'LS'],
    ['insight:publisher_rank.', 'L'],
    ['insight:bank_account.', 'L masked'],
    ['insight:agreement_bank_account.', 'LS'],
    ['insight:summary_stats.', 'LS'],
    ['insight:article_stats.', 'LS'],
    ['insight:video_stats.', 'LS'],
    ['insight:board.', 'LSCUD'],
    ['insight:annotation.', 'LSCUD'],
    ['insight:question.', 'LS'],
    ['insight:answer_template.', 'LS'],
    ['insight:legal_hold.', 'L'],
    ['insight:payment_rate.', 'LS'],
    ['insight:revenue_detail.', 'LS'],
    ['insight:in_house_field.', 'LS'],
    ['insight:in_house_note.', 'LS'],
    ['insight:dividend.', 'L'],
  ],
  'insight:publisher_admin': [
    ['insight:agreement.', 'LS ORG'],
    ['insight:agreement_publisher_rule.', 'LS ORG'],
    ['insight:publisher.', 'LS ORG'],
    ['insight:feed.', 'LS ORG'],
    ['insight:medium_article.', 'LSD ORG'],
    ['insight:agreement_snapshot.', 'LS FIN ORG'],
    ['insight:monthly_payment.', 'LS FIN ORG'],
    ['insight:monthly_publisher_payment.', 'LS FIN ORG'],
    ['insight:rule_snapshot.', 'S FIN ORG'],
    ['insight:statement.', 'LSU FIN ORG'],
    ['insight:announcement.', 'LS PUB'],
    ['insight:bank_account.', 'LSC ORG masked'],
    ['insight:agreement_bank_account.', 'LS ORG'],
    ['insight:summary_stats.', 'LS ORG'],
    ['insight:article_stats.', 'LS ORG'],
    ['insight:video_stats.', 'LS ORG'],
    ['insight:board.', 'LSCUD ORG'],
    ['insight:annotation.', 'LSCUD ORG'],
    ['insight:question.', 'LSCU ORG'],
    ['insight:webhook.', 'LSCUD ORG'],
    ['insight:api_key.', 'LCD ORG'],
    ['insight:payment_rate.', 'S ORG'],
    ['iam:user.', 'LSCUD ORG'],
    ['iam:org.', 'S ORG'],
    ['iam:user_role.', 'L'],
  ],
  'insight:publisher_editor': [
    ['insight:agreement.', 'LS AGR'],
    ['insight:publisher.', 'LS AGR'],
    ['insight:feed.', 'LS AGR'],
    ['insight:medium_article.', 'LSD AGR'],
    ['insight:agreement_snapshot.', 'LS FIN AGR'],
    ['insight:monthly_payment.', 'LS FIN AGR'],
    ['insight:monthly_publisher_payment.', 'LS FIN AGR'],
    ['insight:announcement.', 'LS PUB'],
    ['insight:summary_stats.', 'LS AGR'],
    ['insight:article_stats.', 'LS AGR'],
    ['insight:video_stats.', 'LS AGR'],
    ['insight:board.', 'LSCUD AGR'],
    ['insight:annotation.', 'LSCUD AGR'],
    ['insight:question.', 'LSCU AGR'],
  ],
  'coupon:admin': [
    ['coupon:coupon.', 'LSCUD'],
    ['coupon:brand.', 'LSCUD'],
  ],
  'coupon:editor': [
    ['coupon:coupon.', 'LSCU'],
    ['coupon:brand.', 'LS'],
  ],
  'coupon:brand_admin': [
    ['coupon:coupon.', 'LSCU ORG'],
    ['coupon:brand.', 'SU ORG'],
  ],
  'video:admin': [
    ['video:video.', 'LSCUD'],
    ['video:channel.', 'LSCUD'],
  ],
  'video:publisher_admin': [
    ['video:video.', 'LSCU ORG'],
    ['video:channel.', 'S ORG'],
  ],
  'article:admin': [['article:article.', 'LSCUD']],
  'article:publisher_admin': [['article:article.', 'LSCUD ORG']],
}

/** What a signed-in person may do without any role: read the own user. */
export const GRANTS_WITHOUT_ROLE: readonly Grant[] = [grantOf('iam:user.', 'S OWN')]

export const GRANTS_OF_ROLE: ReadonlyMap<Role, readonly Grant[]> = new Map(
  ROLES.map(role => [role, POLICIES[role].map(([resource, cell]) => grantOf(resource, cell))]),
)

/**
 * The grants of all these roles, and those that need no role.
 * Tested by `domain/access/access.test.ts`.
 */
export function grantsFor(roles: readonly Role[]): readonly Grant[] {
  return [...GRANTS_WITHOUT_ROLE, ...roles.flatMap(role => GRANTS_OF_ROLE.get(role) ?? [])]
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
