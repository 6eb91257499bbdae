import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { readMonth } from '@pc/platform/graphql/month-argument.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { MonthKey } from './month-key.ts'

/** The month and medium of a field's arguments; a medium that does not exist is refused. */
export async function readMonthKey(
  tx: Transaction,
  given: { readonly month: string; readonly mediumId: string },
): Promise<Result<MonthKey, Refusal<RefusalCode>>> {
  const month: YearMonth = readMonth(given.month, ['month'])
  const mediumId = readId(given.mediumId, ['mediumId'])
  const medium = await tx.selectFrom('media').select('id').where('id', '=', mediumId).executeTakeFirst()
  if (medium) return ok({ mediumId, month })
  return refused(refusal('payment/medium-unknown', ['mediumId'], { mediumId: mediumId.toString() }))
}
