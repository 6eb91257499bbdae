import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'

/** The media that have something to close. */
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
