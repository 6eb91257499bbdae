import { mayKeyAsk } from '../api-key/api-key.ts'
import { GRANULAR_ACTIONS, type GranularAction } from './action.ts'
import { RESOURCE_NAMES, type ResourceName } from './resource-name.ts'
import { GRANTS_OF_ROLE, GRANTS_WITHOUT_ROLE, type Grant } from './role-policies.ts'
import type { Scope, Viewer } from './viewer-scope.ts'

/** Only this file has the key, so only `decide` makes permits. */
const KEY = Symbol('decide')

class IssuedPermit<A extends GranularAction = GranularAction, R extends ResourceName = ResourceName> {
  readonly #issued = true
  readonly action: A
  readonly resource: R
  readonly viewer: Viewer
  /** The rows that the permit covers: hand it to `inScope`. */
  readonly scope: Scope
  /** Only rows of finalised months. */
  readonly onlyFinalized: boolean
  /** Only published announcements that are addressed to the viewer. */
  readonly onlyPublished: boolean
  /** Account numbers are shown shortened. */
  readonly isMasked: boolean

  constructor(key: symbol, action: A, resource: R, viewer: Viewer, scope: Scope, grant: Grant) {
    if (key !== KEY) throw new TypeError('only decide() makes permits')
    this.action = action
    this.resource = resource
    this.viewer = viewer
    this.scope = scope
    this.onlyFinalized = grant.conditions.includes('finalized')
    this.onlyPublished = grant.conditions.includes('published')
    this.isMasked = grant.isMasked
    Object.freeze(this)
  }

  static isOne(value: unknown): value is IssuedPermit {
    return typeof value === 'object' && value !== null && #issued in value && value.#issued
  }
}

/** Proof that a viewer may do something, and to which rows. Stores require it, and only `decide` can make one. */
export type Permit<A extends GranularAction = GranularAction, R extends ResourceName = ResourceName> = IssuedPermit<
  A,
  R
>

/** Whether the value is a permit that {@link decide} issued; an object of the same shape is not. */
export function isPermit(value: unknown): value is Permit {
  return IssuedPermit.isOne(value)
}

/**
 * The server's access decision: exact resource, exact action, and the widest rows that the viewer's roles give. An API
 * key narrows the rights of the person who made it and never adds to them.
 * Tested by `domain/access/access.test.ts`.
 * @returns undefined when access is denied, also for anything empty or unknown
 */
export function decide<A extends GranularAction, R extends ResourceName>(
  viewer: Viewer,
  action: A,
  resource: R,
): Permit<A, R> | undefined {
  if (!GRANULAR_ACTIONS.includes(action) || !RESOURCE_NAMES.includes(resource)) return undefined
  if (viewer.apiKey && !mayKeyAsk(viewer.apiKey.scopes, action, resource)) return undefined
  let widest: { readonly grant: Grant; readonly scope: Scope } | undefined
  for (const grant of candidates(viewer, action, resource)) {
    const scope = scopeOf(grant, viewer)
    if (scope && (!widest || isWider(grant, widest.grant))) widest = { grant, scope }
  }
  return widest && new IssuedPermit(KEY, action, resource, viewer, widest.scope, widest.grant)
}

/** The properties of a row that conditions compare. An absent value never matches a condition. */
export interface RowFacts {
  readonly uid?: string
  readonly organizationId?: bigint
  /** Whether the row belongs to an agreement that the viewer works for. */
  readonly isOfOwnAgreement?: boolean
  readonly hasBeenFinalized?: boolean
  readonly isPublishedToViewer?: boolean
}

/** Whether the permit covers a row in memory. Lists turn `permit.scope` into SQL instead. */
export function covers(permit: Permit, row: RowFacts): boolean {
  if (!isPermit(permit)) return false
  if (permit.onlyFinalized && row.hasBeenFinalized !== true) return false
  if (permit.onlyPublished && row.isPublishedToViewer !== true) return false
  switch (permit.scope.kind) {
    case 'all':
      return true
    case 'organization':
      return row.organizationId === permit.scope.organizationId
    case 'agreements':
      return row.isOfOwnAgreement === true
    case 'self':
      return row.uid === permit.scope.uid
  }
}

function candidates(viewer: Viewer, action: GranularAction, resource: ResourceName): Grant[] {
  const grants: Grant[] = []
  const collect = (given: readonly Grant[] | undefined) => {
    for (const grant of given ?? []) {
      if (grant.resource === resource && grant.actions.includes(action)) grants.push(grant)
    }
  }
  collect(GRANTS_WITHOUT_ROLE)
  for (const role of viewer.roles) collect(GRANTS_OF_ROLE.get(role))
  return grants
}

/** Undefined when the grant covers no row, because the viewer has no organisation to compare with. */
function scopeOf(grant: Grant, viewer: Viewer): Scope | undefined {
  if (grant.conditions.includes('own-user')) return { kind: 'self', uid: viewer.uid }
  if (grant.conditions.includes('own-agreements')) {
    return { kind: 'agreements', uid: viewer.uid, organizationId: viewer.organizationId }
  }
  if (grant.conditions.includes('own-organization')) {
    if (viewer.organizationId === null) return undefined
    return { kind: 'organization', uid: viewer.uid, organizationId: viewer.organizationId }
  }
  return { kind: 'all' }
}

/**
 * Whether `a` covers more rows than `b`. Grants of one action on one resource form a chain (`access.test.ts` holds it),
 * so fewer conditions are wider.
 */
function isWider(a: Grant, b: Grant): boolean {
  return narrowness(a) < narrowness(b)
}

function narrowness(grant: Grant): number {
  const rows = grant.conditions.includes('own-user')
    ? 3
    : grant.conditions.includes('own-agreements')
      ? 2
      : grant.conditions.includes('own-organization')
        ? 1
        : 0
  const rest = grant.conditions.filter(condition => condition === 'finalized' || condition === 'published').length
  return rows * 4 + rest * 2 + (grant.isMasked ? 1 : 0)
}
