import type { GranularAction } from '../access/action.ts'
import type { ResourceName } from '../access/resource-name.ts'
import { ROLES, type Role } from '../access/role.ts'
import { isOfPublisher } from '../access/role-duties.ts'
import { grantsFor } from '../access/role-policies.ts'

/** Steps of the setup guide: first the operator's, in the order of setting a system up, then a publisher's. */
export const SETUP_STEPS = [
  'media',
  'payer',
  'taxes',
  'organizations',
  'agreements',
  'statistics',
  'colleagues',
  'bank_accounts',
  'first_figures',
  'first_close',
  'company',
  'registration',
  'bank_account',
  'notifications',
  'first_statement',
] as const
export type SetupStepKey = (typeof SETUP_STEPS)[number]

/** The tasks of which steps consist. The data decide whether one is done. */
export const SETUP_TASKS = [
  'medium',
  'payer',
  'transfer_source',
  'transfer_fee',
  'tax_rate',
  'tax_period',
  'holidays',
  'delivery',
  'organization',
  'publisher',
  'agreement',
  'rule',
  'account_request',
  'account_approval',
  'account_assignment',
  'colleague',
  'figures',
  'closed_month',
  'own_agreement',
  'registration_number',
  'report_mail',
  'statement_issued',
  'statement_answered',
] as const
export type SetupTask = (typeof SETUP_TASKS)[number]

/** `waiting`: another step must come first. `not_yours`: the reader lacks the right. */
export const SETUP_STATES = ['done', 'open', 'waiting', 'not_yours'] as const
export type SetupState = (typeof SETUP_STATES)[number]

interface Right {
  readonly action: GranularAction
  readonly resource: ResourceName
}
interface TaskRule {
  readonly task: SetupTask
  /** The right to do the task. Absent in a publisher's step that only the operator can do. */
  readonly right?: Right
  /** Steps that must be done before. */
  readonly needs?: readonly SetupStepKey[]
  /** How many records there must be; default 1. */
  readonly atLeast?: bigint
}
export interface SetupStepRule {
  readonly key: SetupStepKey
  /**
   * The right to see the step. Without it the step is hidden, because its state would reveal what the reader may not
   * see.
   */
  readonly reads?: Right
  /** In the order in which they are to be done. */
  readonly tasks: readonly TaskRule[]
}

const right = (action: GranularAction, resource: ResourceName): Right => ({ action, resource })
const create = (resource: ResourceName) => right('write:create', resource)
const update = (resource: ResourceName) => right('write:update', resource)
const list = (resource: ResourceName) => right('read:list', resource)

const OPERATOR_STEPS: readonly SetupStepRule[] = [
  { key: 'media', tasks: [{ task: 'medium', right: create('insight:medium.') }] },
  {
    key: 'payer',
    tasks: [
      { task: 'payer', right: create('insight:statement.') },
      { task: 'transfer_source', right: update('insight:dividend.') },
      { task: 'transfer_fee', right: update('insight:dividend.') },
    ],
  },
  {
    key: 'taxes',
    tasks: [
      { task: 'tax_rate', right: update('insight:dividend.') },
      { task: 'tax_period', right: update('insight:dividend.') },
      { task: 'holidays', right: update('insight:dividend.') },
    ],
  },
  { key: 'organizations', tasks: [{ task: 'organization', right: create('iam:org.') }] },
  {
    key: 'agreements',
    tasks: [
      // A publisher's form also takes its rates under an agreement, so the agreement comes first.
      { task: 'agreement', right: create('insight:agreement.'), needs: ['media', 'organizations'] },
      { task: 'publisher', right: create('insight:publisher.'), needs: ['organizations'] },
      { task: 'rule', right: update('insight:agreement_publisher_rule.') },
    ],
  },
  // Deliveries for unknown media or publishers are refused.
  {
    key: 'statistics',
    tasks: [{ task: 'delivery', right: create('insight:ingest.'), needs: ['media', 'agreements'] }],
  },
  // Two, because the person who approves an account must not be the one who requested it. The reader counts as one.
  { key: 'colleagues', tasks: [{ task: 'colleague', right: create('iam:user.'), atLeast: 2n }] },
  {
    key: 'bank_accounts',
    tasks: [
      { task: 'account_request', right: create('insight:bank_account.'), needs: ['organizations'] },
      { task: 'account_approval', right: update('insight:bank_account.') },
      { task: 'account_assignment', right: create('insight:agreement_bank_account.'), needs: ['agreements'] },
    ],
  },
  {
    key: 'first_figures',
    tasks: [{ task: 'figures', right: create('insight:ingest.'), needs: ['media', 'statistics', 'agreements'] }],
  },
  {
    key: 'first_close',
    tasks: [
      {
        task: 'closed_month',
        right: update('insight:dividend.'),
        needs: ['payer', 'taxes', 'agreements', 'first_figures'],
      },
    ],
  },
]

const PUBLISHER_STEPS: readonly SetupStepRule[] = [
  { key: 'company', reads: list('insight:agreement.'), tasks: [{ task: 'own_agreement' }] },
  {
    key: 'registration',
    reads: list('insight:statement.'),
    tasks: [{ task: 'registration_number', needs: ['company'] }],
  },
  {
    key: 'bank_account',
    reads: list('insight:agreement_bank_account.'),
    tasks: [
      { task: 'account_request', right: create('insight:bank_account.') },
      { task: 'account_approval' },
      { task: 'account_assignment', needs: ['company'] },
    ],
  },
  {
    key: 'notifications',
    reads: right('read:show', 'iam:user.'),
    tasks: [{ task: 'report_mail', right: right('read:show', 'iam:user.') }],
  },
  {
    key: 'first_statement',
    reads: list('insight:statement.'),
    tasks: [
      { task: 'statement_issued', needs: ['company'] },
      { task: 'statement_answered', right: update('insight:statement.') },
    ],
  },
]

export type SetupSide = 'operator' | 'publisher'
export const SETUP_RULES: Readonly<Record<SetupSide, readonly SetupStepRule[]>> = {
  operator: OPERATOR_STEPS,
  publisher: PUBLISHER_STEPS,
}

export interface SetupStep {
  readonly key: SetupStepKey
  readonly state: SetupState
  /** The first task that is not done; null when all are. */
  readonly nextTask: SetupTask | null
  /** Roles that may do it; empty for a publisher's step that only the operator can do. */
  readonly roles: readonly Role[]
  /** Required steps that are not done yet. */
  readonly waitsFor: readonly SetupStepKey[]
  readonly found: readonly { readonly task: SetupTask; readonly count: bigint; readonly isDone: boolean }[]
}

/**
 * The steps of a side with their states.
 * Tested by `features/setup/server/setup-steps.test.ts`.
 * @param may whether the reader has a right to all rows of this side
 */
export function setupSteps(
  side: SetupSide,
  counts: ReadonlyMap<SetupTask, bigint>,
  may: (right: Right) => boolean,
): readonly SetupStep[] {
  const rules = SETUP_RULES[side].filter(({ reads }) => !reads || may(reads))
  const isDone = ({ task, atLeast = 1n }: TaskRule) => (counts.get(task) ?? 0n) >= atLeast
  const open = new Set(rules.filter(({ tasks }) => !tasks.every(isDone)).map(({ key }) => key))
  return rules.map(({ key, tasks }): SetupStep => {
    const next = tasks.find(task => !isDone(task))
    const waitsFor = (next?.needs ?? []).filter(step => open.has(step))
    const found = tasks.map(task => ({
      task: task.task,
      count: counts.get(task.task) ?? 0n,
      isDone: isDone(task),
    }))
    const stateOfNext = waitsFor.length > 0 ? 'waiting' : next?.right && may(next.right) ? 'open' : 'not_yours'
    return {
      key,
      state: next ? stateOfNext : 'done',
      nextTask: next?.task ?? null,
      roles: next?.right ? rolesWith(next.right, side) : [],
      waitsFor,
      found,
    }
  })
}

/** Roles that have the right: to every row for the operator, to those of the own organisation for a publisher. */
export function rolesWith({ action, resource }: Right, side: SetupSide): readonly Role[] {
  const isOfSide = (role: Role) => isOfPublisher([role]) === (side === 'publisher')
  return ROLES.filter(
    role =>
      isOfSide(role) &&
      grantsFor([role]).some(
        grant =>
          grant.resource === resource &&
          grant.actions.includes(action) &&
          (side === 'publisher' || grant.conditions.length === 0),
      ),
  )
}
