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

/** Checks whose findings a person can acknowledge with a reason. */
const ACKNOWLEDGEABLE: {
  readonly [Kind in CheckKind]?: (tx: Transaction, key: MonthKey, today: Day) => Promise<Finding>
} = {
  pools: poolsFinding,
  accounts: accountsFinding,
  law: lawFinding,
  amounts: amountsFinding,
}

/** The hash of what a check finds now, as the board computes it; undefined: it finds nothing that can be acknowledged. */
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
