import type { GranularAction } from '@pc/domain/access/action.ts'
import type { Permit } from '@pc/domain/access/decide.ts'
import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import type { Refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { Result } from '@pc/domain/result.ts'
import type {
  FieldNullability,
  FieldRef,
  InputFieldMap,
  InputShapeFromFields,
  ShapeFromTypeParam,
  TypeParam,
} from '@pothos/core'
import { type Actor, type Change, recordChange } from '../audit/record-change.ts'
import { actorOf } from '../audit/record-read.ts'
import type { Database, Transaction } from '../postgres/database.ts'
import { readSqlRefusal } from '../postgres/translate-sql-state.ts'
import type { Types } from './field.ts'
import type { GraphContext } from './graph.ts'
import { demandNoImpersonation, demandPermit, demandPerson, demandStepUp } from './guard.ts'
import { claimKey, findAnswer, keepAnswer, type Submission } from './idempotency-key.ts'
import { acceptedValue, refusesWith } from './refusal-error.ts'

/** What a use case that changes something receives. Nothing of it may be used after the transaction. */
export interface Write<A extends GranularAction = GranularAction, R extends ResourceName = ResourceName> {
  /** In the scope of the permit. Commits when the use case accepts, rolls back when it refuses or throws. */
  readonly tx: Transaction
  readonly permit: Permit<A, R>
  readonly actor: Actor
  /** Adds a change of one row to the audit log. It is written at the end of this transaction. */
  record(change: Change): void
  /**
   * States that nothing had to change. A use case that accepts must call this or `record`; otherwise the mutation
   * throws.
   */
  recordNothing(): void
}

type UseCase<Value, Args extends InputFieldMap, A extends GranularAction, R extends ResourceName, Prepared> = (
  args: InputShapeFromFields<Args>,
  write: Write<A, R>,
  context: GraphContext,
  prepared: Prepared,
) => Promise<Result<Value, Refusal<RefusalCode>>>

/**
 * A root field that changes something: it needs a permission and runs in one transaction with its audit rows. With an
 * `idempotencyKey`, the first answer is also the answer to every repetition, so the returned value must be plain data.
 * Slow work goes to `prepare`, which runs before the transaction and may only count attempts; `run` must check that
 * what was prepared still holds.
 */
export function mutation<
  Type extends TypeParam<Types>,
  Allow extends GranularAction,
  On extends ResourceName,
  Nullable extends FieldNullability<Type> = false,
  Args extends InputFieldMap = Record<never, never>,
  Prepared = undefined,
>(
  t: PothosSchemaTypes.MutationFieldBuilder<Types, object>,
  options: {
    readonly type: Type
    readonly nullable?: Nullable
    readonly args?: Args
    readonly description?: string
    readonly allow: Allow
    readonly on: On
    readonly database: Database
    /** Only for ending an impersonation: every other mutation is refused during one. */
    readonly isAllowedWhileImpersonating?: true
    /**
     * Requires a step-up within the last ten minutes, for what would let the thief of a session keep access. A function
     * decides by the arguments.
     */
    readonly needsStepUp?: true | ((args: InputShapeFromFields<Args>) => boolean)
    readonly prepare?: (args: InputShapeFromFields<Args>, permit: Permit<Allow, On>) => Promise<Prepared>
    /**
     * The refusal that means "what was prepared no longer holds": `prepare` and `run` are repeated, three attempts in
     * all.
     */
    readonly retryOn?: RefusalCode
    /** Time limit of a single statement; default as for every transaction. */
    readonly statementTimeoutMs?: number
    /** Removes secrets from the answer before it is stored for repetitions. Default: stored as it is. */
    readonly keptAnswer?: (
      value: ShapeFromTypeParam<Types, Type, Nullable>,
    ) => ShapeFromTypeParam<Types, Type, Nullable>
    readonly run: UseCase<ShapeFromTypeParam<Types, Type, Nullable>, Args, Allow, On, Prepared>
  },
): FieldRef<Types, ShapeFromTypeParam<Types, Type, Nullable>, 'Mutation'> {
  const {
    allow,
    on,
    database,
    run,
    prepare,
    statementTimeoutMs,
    args,
    isAllowedWhileImpersonating,
    needsStepUp,
    ...rest
  } = options
  const { keptAnswer, retryOn, ...shape } = rest
  const idempotencyKey = t.arg.string({
    description: 'Chosen by the caller, once per submission: repetitions with the same arguments have one effect.',
  })
  const field = {
    ...shape,
    args: { ...args, idempotencyKey },
    extensions: { access: { allow, on }, isMutation: true, needsStepUp: needsStepUp ? true : undefined },
    resolve: async (
      _root: object,
      given: Record<string, unknown>,
      context: GraphContext,
      info: { fieldName: string },
    ) => {
      const { idempotencyKey: key, ...fields } = given
      demandPerson(context)
      const permit = demandPermit(context, allow, on)
      if (!isAllowedWhileImpersonating) demandNoImpersonation(context)
      const read = fields as InputShapeFromFields<Args>
      if (needsStepUp === true || needsStepUp?.(read)) await demandStepUp(context, database)
      const submission =
        typeof key === 'string' ? { uid: permit.viewer.uid, operation: info.fieldName, key, args: fields } : undefined
      const attempt = { permit, context, submission, statementTimeoutMs, keptAnswer, retryOn }
      if (!prepare)
        return runOnce(database, attempt, async () => write => run(read, write, context, undefined as Prepared))
      return afterSubmission(submission, async () => {
        // A repetition gets the stored answer without preparing again.
        const kept = submission && (await findAnswer(database.reader(permit.scope), submission))
        if (kept) return kept.answer as ShapeFromTypeParam<Types, Type, Nullable>
        return runOnce(database, attempt, async () => {
          const prepared = await prepare(read, permit)
          return write => run(read, write, context, prepared)
        })
      })
    },
  }
  // Pothos' own signature does not accept generic options; the signature above is the type-checked one.
  return t.field(field as never) as unknown as FieldRef<Types, ShapeFromTypeParam<Types, Type, Nullable>, 'Mutation'>
}

/** Submissions that this process is preparing, by uid, operation and idempotency key. */
const submitting = new Map<string, Promise<unknown>>()

/** A repetition that arrives during the preparation of the first one waits, and then finds its answer. */
async function afterSubmission<Value>(submission: Submission | undefined, work: () => Promise<Value>): Promise<Value> {
  if (!submission) return work()
  const name = JSON.stringify([submission.uid, submission.operation, submission.key])
  const before = submitting.get(name)
  const own = before ? before.then(work, work) : work()
  submitting.set(name, own)
  try {
    return await own
  } finally {
    if (submitting.get(name) === own) submitting.delete(name)
  }
}

interface Attempt<Value, A extends GranularAction, R extends ResourceName> {
  readonly permit: Permit<A, R>
  readonly context: GraphContext
  readonly submission: Submission | undefined
  readonly statementTimeoutMs: number | undefined
  readonly retryOn: RefusalCode | undefined
  readonly keptAnswer: ((value: Value) => Value) | undefined
}
type Work<Value, A extends GranularAction, R extends ResourceName> = (
  write: Write<A, R>,
) => Promise<Result<Value, Refusal<RefusalCode>>>
/** Attempts after a serialization failure or a deadlock. Each starts in a new transaction. */
const MAX_ATTEMPTS = 3

async function runOnce<Value, A extends GranularAction, R extends ResourceName>(
  database: Database,
  attempt: Attempt<Value, A, R>,
  prepare: () => Promise<Work<Value, A, R>>,
): Promise<Value> {
  const { statementTimeoutMs, retryOn } = attempt
  for (let number = 1; ; number += 1) {
    try {
      const work = await prepare()
      const options = statementTimeoutMs === undefined ? {} : { statementTimeoutMs }
      return await database.inScope(attempt.permit.scope, tx => effect(tx, attempt, work), options)
    } catch (error) {
      const wasInTheWay =
        readSqlRefusal(error)?.kind === 'retry' || (retryOn !== undefined && refusesWith(error, retryOn))
      if (number === MAX_ATTEMPTS || !wasInTheWay) throw error
    }
  }
}

async function effect<Value, A extends GranularAction, R extends ResourceName>(
  tx: Transaction,
  { permit, context, submission, keptAnswer = value => value }: Attempt<Value, A, R>,
  work: Work<Value, A, R>,
): Promise<Value> {
  const claim = submission && (await claimKey(tx, submission))
  if (claim && !claim.first) return claim.answer as Value
  const changes: Change[] = []
  let changedNothing = false
  const actor = actorOf(permit.viewer, context)
  const result = await work({
    tx,
    permit,
    actor,
    record: change => void changes.push(change),
    recordNothing() {
      changedNothing = true
    },
  })
  const value = acceptedValue(result) // a refusal is thrown, so that everything is rolled back
  if (changes.length === 0 && !changedNothing)
    throw new TypeError('a mutation recorded neither a change nor its absence')
  if (submission) await keepAnswer(tx, submission, keptAnswer(value))
  await recordChange(tx, actor, ...changes) // last: other writers wait for it
  return value
}
