import { createHash } from 'node:crypto'
import {
  type HolidayCalendar,
  type HolidayCalendarRefusal,
  parseHolidayCalendar,
} from '@pc/domain/month/holiday-calendar.ts'
import { auditRowId } from '@pc/domain/payment/audit-row-id.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { type Actor, recordChange } from '@pc/platform/audit/record-change.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'

/**
 * Replaces the holiday calendar by the Cabinet Office's file (Shift_JIS as it is published, or UTF-8). A file that cannot
 * be read as a whole, or ends before the calendar that is there, changes nothing.
 */
export async function importHolidays(
  tx: Transaction,
  file: { readonly name: string; readonly content: Uint8Array },
  actor: Actor,
): Promise<Result<HolidayCalendar, HolidayCalendarRefusal>> {
  const read = parseHolidayCalendar(decode(file.content))
  if (!read.ok) return read
  const { firstYear, lastYear, holidays } = read.value
  const known = await tx
    .selectFrom('holidayImports')
    .select('lastYear')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (known && lastYear < known.lastYear)
    return refused(refusal('holiday-calendar/older', [], { lastYear, knownYear: known.lastYear }))
  await tx.deleteFrom('holidays').execute()
  await tx
    .insertInto('holidays')
    .values([...holidays].map(([day, name]) => ({ day, name })))
    .execute()
  const contentSha256 = createHash('sha256').update(file.content).digest('hex')
  const { id } = await tx
    .insertInto('holidayImports')
    .values({ firstYear, lastYear, sourceName: file.name, contentSha256 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const after = { firstYear, lastYear, days: holidays.size, contentSha256 }
  await recordChange(tx, actor, {
    action: 'import',
    resource: 'insight:dividend.',
    rowId: auditRowId('holidays', id),
    before: null,
    after,
  })
  return ok(read.value)
}

/** Tries UTF-8 first: the published file, which is in Shift_JIS, is never valid UTF-8. */
function decode(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return new TextDecoder('shift_jis').decode(content)
  }
}
