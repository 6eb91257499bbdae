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

/** What a use case that changes something works with. Everything in it ends with the transaction. */
export interface Write<A extends GranularAction = GranularAction, R extends ResourceName = ResourceName> {
  /** In the scope of the permit; commits when the use case accepts, rolls back when it refuses or throws. */
  readonly tx: Transaction
  readonly permit: Permit<A, R>
  readonly actor: Actor
  /** Notes one change of one row for the audit log, written at the end of this transaction. */
  record(change: Change): void
  /** Says that nothing had to be changed. A use case that accepts must do this or `record`. */
  recordNothing(): void
}

type UseCase<Value, Args extends InputFieldMap, A extends GranularAction, R extends ResourceName, Prepared> = (
  args: InputShapeFromFields<Args>,
  write: Write<A, R>,
  context: GraphContext,
  prepared: Prepared,
) => Promise<Result<Value, Refusal<RefusalCode>>>

/**
 * A root field that changes something. It needs a right, runs in one transaction with its audit rows, and takes an
 * optional `idempotencyKey`: the first answer to a key is the answer to every repetition of the same arguments. The
 * value of the use case therefore has to be data. Work outside of the database does not belong here: enqueue a job.
 * What takes long is done by `prepare`, before the transaction: `run` has to make sure that what was prepared still holds.
 * It changes nothing that `run` answers for, but may count attempts, in a transaction of its own that a refusal leaves.
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
    /** For ending an impersonation: every other mutation is refused while it lasts. */
    readonly isAllowedWhileImpersonating?: true
    /**
     * For what would let a stolen session stay: a step-up of the last ten minutes is needed. A function:
     * only with these arguments.
     */
    readonly needsStepUp?: true | ((args: InputShapeFromFields<Args>) => boolean)
    readonly prepare?: (args: InputShapeFromFields<Args>, permit: Permit<Allow, On>) => Promise<Prepared>
    /** The refusal that says that what was prepared no longer holds: prepared and tried again, three times in all. */
    readonly retryOn?: RefusalCode
    /** Longest time of a single statement; default that of every transaction. */
    readonly statementTimeoutMs?: number
    /** What of the answer is kept for repetitions, where it holds a secret. Default: all of it. */
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
        // What was answered is not prepared again.
        const kept = submission && (await findAnswer(database.reader(permit.scope), submission))
        if (kept) return kept.answer as ShapeFromTypeParam<Types, Type, Nullable>
        return runOnce(database, attempt, async () => {
          const prepared = await prepare(read, permit)
          return write => run(read, write, context, prepared)
        })
      })
    },
  }
  // Pothos' own signature cannot be met by generic options; the one above is what is type-checked.
  return t.field(field as never) as unknown as FieldRef<Types, ShapeFromTypeParam<Types, Type, Nullable>, 'Mutation'>
}

/** Submissions that are being prepared, by their key. */
const submitting = new Map<string, Promise<unknown>>()

/** Repetitions that arrive while the first one is prepared wait for its answer instead of preparing as well. */
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
/** Another transaction was in the way: the work starts again from nothing. */
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
