import type { GranularAction } from '@pc/domain/access/action.ts'
import { decide, type Permit } from '@pc/domain/access/decide.ts'
import { RESOURCE_LABELS_JA } from '@pc/domain/access/resource-labels.ja.ts'
import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import { GraphQLError } from 'graphql'
import { isSessionSteppedUp, STEP_UP_MINUTES } from '../oidc/session-uses.ts'
import type { Database } from '../postgres/database.ts'
import type { AccessRule } from './access-rule.ts'
import type { GraphContext } from './graph.ts'

/**
 * The permit of the signed-in person.
 * @throws UNAUTHENTICATED when nobody is signed in, FORBIDDEN without the permission
 */
export function demandPermit<A extends GranularAction, R extends ResourceName>(
  context: GraphContext,
  action: A,
  resource: R,
): Permit<A, R> {
  const viewer = demandViewer(context)
  const permit = permitOf(context, viewer, action, resource)
  if (!permit) throw forbidden(action, resource)
  return permit
}

/** For a field that answers differently with the permission than without it. Undefined: no permission. */
export function findPermit<A extends GranularAction, R extends ResourceName>(
  context: GraphContext,
  action: A,
  resource: R,
): Permit<A, R> | undefined {
  return context.viewer ? permitOf(context, context.viewer, action, resource) : undefined
}

/** Deliberately does not say which of the three: a person who found a key would learn that it is valid. */
const REFUSED_KEY =
  'このAPIキーは使えません。キーに誤りがある、失効または期限切れになっている、許可するIPアドレスからの呼び出しではない、のいずれかです。キーを発行した管理者に確認してください。'

/** The signed-in person, or the person of an accepted API key. @throws UNAUTHENTICATED */
export function demandViewer(context: GraphContext): Viewer {
  if (!context.viewer) {
    throw new GraphQLError(
      context.hasRefusedKey ? REFUSED_KEY : 'サインインが必要です。もう一度サインインしてください。',
      {
        extensions: { code: 'UNAUTHENTICATED' },
      },
    )
  }
  return context.viewer
}

/** For every change, and for data that belong to a person only: an API key is refused, because keys only read. */
export function demandPerson(context: GraphContext): Viewer {
  const viewer = demandViewer(context)
  if (!viewer.apiKey) return viewer
  throw new GraphQLError('APIキーでは、この操作はできません。画面でサインインして操作してください。', {
    extensions: { code: 'FORBIDDEN' },
  })
}

/** Staff who impersonate a user may only read: nothing is changed in another person's name. */
export function demandNoImpersonation(context: GraphContext): void {
  const { email, impersonatedBy } = demandViewer(context)
  if (!impersonatedBy) return
  const message = `${email}として表示している間は、変更できません。表示を終了してから操作してください。`
  throw new GraphQLError(message, { extensions: { code: 'FORBIDDEN', isViewingAs: true } })
}

/** Prefix of the session key for a session at an external issuer. */
const EXTERNAL_SESSION = /^external:/

/**
 * Step-up authentication: required for what would let a thief keep access after a stolen session ends. Without a
 * session (an API key) nothing is asked, because keys cannot change anything.
 */
export async function demandStepUp(context: GraphContext, database: Database): Promise<void> {
  const { sessionKey, ...viewer } = demandViewer(context)
  if (sessionKey === undefined) return
  if (EXTERNAL_SESSION.test(sessionKey)) return demandSignInAtIssuer(viewer)
  if (await isSessionSteppedUp(database, sessionKey)) return
  throw new GraphQLError('安全のため、もう一度本人確認を行ってください。', {
    extensions: { code: 'FORBIDDEN', needsStepUp: true },
  })
}

/**
 * At an external issuer the person steps up by signing in again there (`prompt=login`, `max_age=0`, `acr_values`). The
 * new token proves it by `auth_time` and `acr` (RFC 9470).
 */
function demandSignInAtIssuer({ signedInAtMs, lacksStepUpAcr }: Pick<Viewer, 'signedInAtMs' | 'lacksStepUpAcr'>): void {
  const isFresh = signedInAtMs !== undefined && signedInAtMs > Date.now() - STEP_UP_MINUTES * 60_000
  if (isFresh && !lacksStepUpAcr) return
  const unsaid =
    signedInAtMs === undefined
      ? (['認証の時刻（auth_time）', 'auth_time'] as const)
      : lacksStepUpAcr && (['必要な認証の強さ（acr）', 'acr'] as const)
  const remedy =
    unsaid &&
    `サインインし直してもこの表示が続く場合は、会社のサインインが${unsaid[0]}を送っていません。会社のアカウントの管理者に、${unsaid[1]}を送る設定を依頼してください。`
  throw new GraphQLError(`安全のため、会社のアカウントでもう一度サインインしてください。${remedy ?? ''}`, {
    extensions: { code: 'FORBIDDEN', needsStepUp: true },
  })
}

/** Checks the rule of a root field, before its arguments are validated. */
export function demandRule(context: GraphContext, rule: AccessRule | undefined): void {
  if (!rule || rule.allow === 'public') return
  if ('on' in rule) demandPermit(context, rule.allow, rule.on)
  else demandPerson(context)
}

/** Objects of a type may be read with either of the two reading permissions on its resource. */
export function demandReader(context: GraphContext, resource: ResourceName): void {
  const viewer = demandViewer(context)
  if (permitOf(context, viewer, 'read:show', resource) || permitOf(context, viewer, 'read:list', resource)) return
  throw forbidden('read:show', resource)
}

export function forbidden(action: GranularAction, resource: ResourceName): GraphQLError {
  return new GraphQLError(`${RESOURCE_LABELS_JA[resource]}を${ACTION_LABELS_JA[action]}できません。`, {
    extensions: { code: 'FORBIDDEN' },
  })
}

/** The error catalogue prefixes 「権限がありません: 」, so these labels do not repeat it. */
const ACTION_LABELS_JA: Readonly<Record<GranularAction, string>> = {
  'read:list': '一覧で表示',
  'read:show': '表示',
  'write:create': '作成',
  'write:update': '変更',
  'write:delete': '削除',
}

function permitOf<A extends GranularAction, R extends ResourceName>(
  context: GraphContext,
  viewer: Viewer,
  action: A,
  resource: R,
): Permit<A, R> | undefined {
  const key = keyOf(action, resource)
  if (!context.permits.has(key)) context.permits.set(key, decide(viewer, action, resource))
  return context.permits.get(key) as Permit<A, R> | undefined
}

const keys = new Map<GranularAction, Map<ResourceName, string>>()

/** Caches the joined text: a list needs the same key for each field of each row. */
function keyOf(action: GranularAction, resource: ResourceName): string {
  const ofAction = keys.get(action) ?? new Map<ResourceName, string>()
  keys.set(action, ofAction)
  const key = ofAction.get(resource) ?? `${action} ${resource}`
  ofAction.set(resource, key)
  return key
}
