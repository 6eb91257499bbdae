import type { GranularAction } from './action.ts'
import { covers, decide, type RowFacts } from './decide.ts'
import { RESOURCE_LABELS_JA } from './resource-labels.ja.ts'
import type { ResourceName } from './resource-name.ts'
import { ROLES, type Role } from './role.ts'
import { ROLE_LABELS_JA } from './role-labels.ja.ts'
import { GRANTS_OF_ROLE, GRANTS_WITHOUT_ROLE, type Grant, type RowCondition } from './role-policies.ts'
import { type Viewer, viewerScope } from './viewer-scope.ts'

/** Whose access to which resource is explained. */
export interface AccessQuestion {
  readonly user: Pick<Viewer, 'uid' | 'email' | 'roles' | 'organizationId'> & { readonly enabled: boolean }
  readonly action: GranularAction
  readonly resource: ResourceName
  /** Undefined: the question is about rows in general. */
  readonly row?: { readonly id: string; readonly facts: RowFacts } | undefined
}

export interface AccessExplanation {
  readonly isAllowed: boolean
  /** One Japanese sentence: the policy that allows, or the nearest miss. */
  readonly sentence: string
  /** The role whose policy allows or comes nearest; null when no role is needed, or none comes near. */
  readonly role: Role | null
  readonly conditions: readonly RowCondition[]
}

const ACTION_VERBS_JA: Readonly<Record<GranularAction, string>> = {
  'read:list': '一覧',
  'read:show': '閲覧',
  'write:create': '作成',
  'write:update': '変更',
  'write:delete': '削除',
}
const CONDITIONS_JA: Readonly<Record<RowCondition, string>> = {
  'own-organization': '所属する組織のもの',
  'own-agreements': '担当する契約のもの',
  'own-user': '自分自身',
  finalized: '確定済みの月のもの',
  published: '公開中で自分に宛てたもの',
}

interface Held {
  readonly role: Role | null
  readonly grant: Grant
}

/**
 * Explains in a sentence why a user may or may not do something. `decide` and `covers` give the verdict; this finds the
 * words. It looks, in this order, at the account, a policy that allows, the same right with a condition that fails, and
 * another right on the same resource.
 */
export function explainAccess({ user, action, resource, row }: AccessQuestion): AccessExplanation {
  const { uid, email, roles, organizationId } = user
  const subject = `${email}さん`
  const deed = `${RESOURCE_LABELS_JA[resource]}${row ? `「${row.id}」` : ''}を${ACTION_VERBS_JA[action]}`
  const no = (sentence: string, miss?: Held): AccessExplanation => ({
    isAllowed: false,
    sentence,
    role: miss?.role ?? null,
    conditions: miss?.grant.conditions ?? [],
  })
  if (!user.enabled) return no(`${subject}は無効化されているため、${deed}できません。`)
  const held = heldBy(roles).filter(({ grant }) => grant.resource === resource)
  const fitting = held.filter(({ grant }) => grant.actions.includes(action))
  const permit = decide(
    { uid, email, roles, organizationId, scope: viewerScope(uid, roles, organizationId) },
    action,
    resource,
  )
  if (permit && (!row || covers(permit, row.facts))) {
    const { role, grant } = fitting.find(each => allows(each.grant, user, row?.facts))!
    const limit = row ? '' : limitText(grant)
    return {
      isAllowed: true,
      sentence: `${subject}は、${sourceText(role)}により${limit}、${deed}できます。`,
      role,
      conditions: grant.conditions,
    }
  }
  const others = `${deed}できるロール：${holdersText(action, resource)}`
  // Prefers a grant that fails: where the permit comes from a wider role, a narrower role's grant may still hold for
  // the row.
  const near = fitting.find(({ grant }) => !allows(grant, user, row?.facts)) ?? fitting[0]
  if (near && !permit) {
    return no(
      `${subject}は${sourceText(near.role)}を持っていますが、組織に所属していないため、${deed}できません。`,
      near,
    )
  }
  if (near && row) {
    const failed = near.grant.conditions.filter(condition => !holds(condition, user, row.facts))
    const what = failed.map(condition => CONDITIONS_JA[condition]).join('、')
    return no(
      `${subject}は${sourceText(near.role)}を持っていますが、「${row.id}」は条件「${what}」を満たさないため、${deed}できません。`,
      near,
    )
  }
  const sibling = held[0]
  if (sibling) {
    const may = sibling.grant.actions.map(one => ACTION_VERBS_JA[one]).join('・')
    return no(
      `${subject}は${sourceText(sibling.role)}により${RESOURCE_LABELS_JA[resource]}の${may}ができますが、${ACTION_VERBS_JA[action]}の権限がないため、${deed}できません（${others}）。`,
      sibling,
    )
  }
  if (roles.length === 0) return no(`${subject}にはロールが付与されていないため、${deed}できません（${others}）。`)
  return no(
    `${subject}のロール（${roles.map(role => ROLE_LABELS_JA[role].label).join('、')}）には${RESOURCE_LABELS_JA[resource]}のポリシーがないため、${deed}できません（${others}）。`,
  )
}

function heldBy(roles: readonly Role[]): Held[] {
  const own = roles.flatMap(role => GRANTS_OF_ROLE.get(role)!.map(grant => ({ role, grant })))
  return [...own, ...GRANTS_WITHOUT_ROLE.map(grant => ({ role: null, grant }))]
}

function allows(grant: Grant, user: AccessQuestion['user'], facts: RowFacts | undefined): boolean {
  if (grant.conditions.includes('own-organization') && user.organizationId === null) return false
  return facts === undefined || grant.conditions.every(condition => holds(condition, user, facts))
}

function holds(condition: RowCondition, user: AccessQuestion['user'], facts: RowFacts): boolean {
  switch (condition) {
    case 'own-organization':
      return user.organizationId !== null && facts.organizationId === user.organizationId
    case 'own-agreements':
      return facts.isOfOwnAgreement === true
    case 'own-user':
      return facts.uid === user.uid
    case 'finalized':
      return facts.hasBeenFinalized === true
    case 'published':
      return facts.isPublishedToViewer === true
  }
}

function sourceText(role: Role | null): string {
  return role === null
    ? 'サインインしている全員に与えられるポリシー'
    : `ロール「${ROLE_LABELS_JA[role].label}（${role}）」のポリシー`
}

function limitText(grant: Grant): string {
  const limits = grant.conditions.map(condition => CONDITIONS_JA[condition])
  if (grant.isMasked) limits.push('口座番号は一部のみ表示')
  return limits.length === 0 ? '' : `（条件：${limits.join('、')}）`
}

function holdersText(action: GranularAction, resource: ResourceName): string {
  const holders = ROLES.filter(role =>
    GRANTS_OF_ROLE.get(role)?.some(grant => grant.resource === resource && grant.actions.includes(action)),
  )
  return holders.map(role => ROLE_LABELS_JA[role].label).join('、')
}
