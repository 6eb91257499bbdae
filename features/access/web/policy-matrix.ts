import { GRANULAR_ACTIONS, type GranularAction } from '@pc/domain/access/action.ts'
import { RESOURCE_LABELS_JA } from '@pc/domain/access/resource-labels.ja.ts'
import { RESOURCE_NAMES, type ServicePrefix } from '@pc/domain/access/resource-name.ts'
import type { RolesQuery } from './roles-iam.gen.ts'

type Policy = RolesQuery['policies']['nodes'][number]

export interface MatrixRow {
  readonly resource: string
  readonly label: string
  readonly allowed: ReadonlySet<GranularAction>
  /** The rows that the policies cover, in words; empty: all. */
  readonly conditions: readonly string[]
}

export interface MatrixService {
  readonly title: string
  readonly rows: readonly MatrixRow[]
}

/** In the order of the screen. */
const SERVICES: Readonly<Record<ServicePrefix, string>> = {
  'iam:': 'ユーザー管理',
  'insight:': 'パブリッシャーセンター',
  'coupon:': 'クーポン管理',
  'video:': '動画管理',
  'article:': '記事入稿',
}

const CONDITIONS_JA: Readonly<Record<string, string>> = {
  organizationId: '所属する組織のもの',
  agreementId: '担当する契約のもの',
  uid: '自分自身',
  hasBeenFinalized: '確定済みの月のもの',
  isPublished: '公開中で自分に宛てたもの',
}

/** What a role's policies allow, by resource. Services without a policy are left out. */
export function policyMatrix(policies: readonly Policy[]): readonly MatrixService[] {
  const services = Object.entries(SERVICES).map(([prefix, title]) => ({
    title,
    rows: RESOURCE_NAMES.filter(name => name.startsWith(prefix)).map(name => rowOf(name, policies)),
  }))
  return services.filter(({ rows }) => rows.some(row => row.allowed.size > 0))
}

function rowOf(name: (typeof RESOURCE_NAMES)[number], policies: readonly Policy[]): MatrixRow {
  const own = policies.flatMap(policy =>
    policy.resources.filter(one => one.name === name).map(({ sameConditionKey }) => ({ ...policy, sameConditionKey })),
  )
  const keys = own.flatMap(({ sameConditionKey }) => sameConditionKey?.split(',') ?? [])
  return {
    resource: name,
    label: RESOURCE_LABELS_JA[name],
    allowed: new Set(
      GRANULAR_ACTIONS.filter(action => own.some(({ actions }) => actions.includes(action) || actions.includes('*'))),
    ),
    conditions: [...new Set(keys)].map(key => CONDITIONS_JA[key] ?? key),
  }
}
