import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'

/** The media with agreements, which have months to close. Callers are staff's screens and jobs, so it reads as SYSTEM. */
export function mediaWithAgreements(database: Database): Promise<{ readonly id: bigint; readonly name: string }[]> {
  return database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('media')
      .select(['id', 'name'])
      .where('id', 'in', eb => eb.selectFrom('agreements').select('mediumId'))
      .orderBy('id')
      .execute(),
  )
}
