import { addDays, type Day } from '@pc/domain/month/day.ts'
import { statementOfContent } from '@pc/features/statements/server/generate-statements.ts'
import type { StatementDependencies } from '@pc/features/statements/server/statement-dependencies.ts'
import {
  confirmStatement,
  objectToStatement,
  resolveStatement,
  reviseStatement,
} from '@pc/features/statements/server/statement-steps.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { actAs } from './act-as.ts'

interface Answerable {
  readonly id: bigint
  readonly hash: string
  readonly state: string
  readonly line: string
  readonly deemedOn: Day
}
const UPDATE = ['write:update', 'insight:statement.'] as const
const CREATE = ['write:create', 'insight:statement.'] as const

/**
 * Answers statements as the demonstration's publisher, before they count as confirmed by silence. In its two newest
 * months one is objected to, one answered, one confirmed, and one replaced by a revision that waits for an answer.
 */
export async function answerDemoStatements(dependencies: StatementDependencies): Promise<void> {
  const [objected, revised, answered, confirmed] = await answerable(dependencies)
  if (objected?.state === 'issued')
    await object(dependencies, objected, '前月より大きく減っています。算定の根拠を確認してください。')
  if (answered?.state === 'issued')
    await object(dependencies, answered, '広告の停止期間が含まれていないか、確認してください。')
  if (answered && (await stateOf(dependencies, answered.id)) === 'objected')
    await actAs(dependencies.database, 'insight:admin', UPDATE, write =>
      resolveStatement(write, at(dependencies, answered, -2), answered.id, {
        text: '停止期間の収益は含まれていません。金額に変更はありません。',
        resolution: 'upheld',
        adjustmentMonth: null,
      }),
    )
  if (confirmed?.state === 'issued')
    await actAs(dependencies.database, 'insight:publisher_admin', UPDATE, write =>
      confirmStatement(write, at(dependencies, confirmed, -4), confirmed.id, confirmed.hash),
    )
  if (revised?.state === 'issued')
    await actAs(dependencies.database, 'insight:admin', CREATE, write =>
      reviseStatement(write, dependencies, revised.id, '支払者の所在地の表記を改めたため'),
    )
}

/** The dependencies with the clock set this many days before the statement would count as confirmed. */
function at(dependencies: StatementDependencies, { deemedOn }: Answerable, days: number): StatementDependencies {
  return { ...dependencies, clock: { now: () => Date.parse(`${addDays(deemedOn, days)}T10:00:00+09:00`) } }
}

function object(dependencies: StatementDependencies, statement: Answerable, reason: string) {
  const objection = { seenHash: statement.hash, text: '', lines: [{ label: statement.line, reason }] }
  return actAs(dependencies.database, 'insight:publisher_admin', UPDATE, write =>
    objectToStatement(write, at(dependencies, statement, -5), statement.id, objection),
  )
}

/** Two statements each of the newest month and of the month before. */
function answerable({ database }: StatementDependencies): Promise<readonly (Answerable | undefined)[]> {
  return database.inScope(SYSTEM, async tx => {
    const { organizationId } = await tx
      .selectFrom('users as u')
      .innerJoin('userRoles as r', 'r.uid', 'u.uid')
      .select('u.organizationId')
      .where('r.roleName', '=', 'insight:publisher_admin')
      .where('u.organizationId', 'is not', null)
      .executeTakeFirstOrThrow()
    const rows = await tx
      .selectFrom('statements')
      .select(['id', 'hash', 'state', 'deemedOn', 'month', 'content'])
      .where('organizationId', '=', organizationId)
      .where('revision', '=', 0)
      .orderBy('month', 'desc')
      .orderBy('id')
      .execute()
    const months = [...new Set(rows.map(row => row.month))].slice(0, 2)
    return months.flatMap(month => {
      const ofMonth = rows.filter(row => row.month === month)
      return [ofMonth[0], ofMonth[1]].map(
        row => row && { ...row, deemedOn: row.deemedOn as Day, line: statementOfContent(row.content).lines[0]!.label },
      )
    })
  })
}

async function stateOf({ database }: StatementDependencies, id: bigint): Promise<string> {
  const { state } = await database.inScope(SYSTEM, tx =>
    tx.selectFrom('statements').select('state').where('id', '=', id).executeTakeFirstOrThrow(),
  )
  return state
}
