import type { Day } from '@pc/domain/month/day.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import { accountsFinding } from './accounts-finding.ts'
import { subjectHashOf } from './acknowledgements.ts'
import { amountsFinding } from './amounts-finding.ts'
import { poolsFinding } from './books-findings.ts'
import type { CheckKind } from './close-checks.ts'
import type { Finding } from './close-finding.ts'
import { lawFinding } from './law-finding.ts'

/** Checks whose findings may have a good reason that a person knows. */
const ACKNOWLEDGEABLE: {
  readonly [Kind in CheckKind]?: (tx: Transaction, key: MonthKey, today: Day) => Promise<Finding>
} = {
  pools: poolsFinding,
  accounts: accountsFinding,
  law: lawFinding,
  amounts: amountsFinding,
}

/** The board's hash of what a check finds now; undefined: nothing that may have a good reason. */
export async function findSubjectHash(
  database: Database,
  key: MonthKey,
  kind: CheckKind,
  today: Day,
): Promise<string | undefined> {
  const findingOf = ACKNOWLEDGEABLE[kind]
  if (!findingOf) return undefined
  const finding = await database.inScope(SYSTEM, tx => findingOf(tx, key, today), {
    isolation: 'repeatable read',
    readOnly: true,
  })
  return subjectHashOf(kind, finding)
}
