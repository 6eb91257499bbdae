import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { readMonth } from '@pc/platform/graphql/month-argument.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { MonthKey } from './month-key.ts'

interface MonthKeyArguments {
  readonly month: string
  readonly mediumId: string
}

/** The month that a field's arguments name. Throws an error with the argument's path when one cannot be read. */
export function monthKeyOf({ month, mediumId }: MonthKeyArguments): MonthKey {
  return { mediumId: readId(mediumId, ['mediumId']), month: readMonth(month, ['month']) }
}

/** As {@link monthKeyOf}; a medium that does not exist is refused. */
export async function readMonthKey(
  tx: Transaction,
  given: MonthKeyArguments,
): Promise<Result<MonthKey, Refusal<RefusalCode>>> {
  const key = monthKeyOf(given)
  const medium = await tx.selectFrom('media').select('id').where('id', '=', key.mediumId).executeTakeFirst()
  if (medium) return ok(key)
  return refused(refusal('payment/medium-unknown', ['mediumId'], { mediumId: key.mediumId.toString() }))
}
