import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ROOT } from './source-tree.ts'

/**
 * The slowest test files, slowest first: if one started last, the other workers would be idle at the end. (The offline
 * test mostly waits.)
 */
const LONG_FILES = [
  'apps/server/authorisation-matrix.test.ts',
  'apps/server/backup-drill.test.ts',
  'platform/stats/conformance.test.ts',
  'features/ingest/server/import-batch.test.ts',
  'apps/server/practice.test.ts',
  'demo/seed-demo.test.ts',
  'apps/server/commands/start.test.ts',
  'features/sign-in/server/open-redirect.test.ts',
  'features/sign-in/server/sign-in-limits.test.ts',
  'features/users/server/account-changes.test.ts',
  'apps/server/double-submit.test.ts',
  'scenarios/extreme-deliveries.test.ts',
  'scenarios/random-months.test.ts',
  'features/reports/exports/server/report-exports.test.ts',
  'apps/server/start-environment.test.ts',
  'platform/postgres/launch-postgres.test.ts',
  'platform/audit/audit-log.test.ts',
  'features/reports/contents/server/content-report.test.ts',
  'features/reports/dashboard/server/summary-report.test.ts',
  'e2e/offline.test.ts',
  'e2e/crawl.test.ts',
  'e2e/stored-markup.test.ts',
  'e2e/report-keyboard.test.ts',
  'e2e/day-one.test.ts',
  'e2e/users.test.ts',
  'e2e/close-month.test.ts',
  'e2e/sign-in.test.ts',
]

/** Vitest knows the duration of a file only where it has run before; a fresh clone sorts by file size. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const groupOf = (file: TestSpecification) => file.project.config.sequence.groupOrder
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || placeOf(a) - placeOf(b))
  }
}

function placeOf(file: TestSpecification): number {
  const place = LONG_FILES.indexOf(path.relative(ROOT, file.moduleId).replaceAll(path.sep, '/'))
  return place < 0 ? LONG_FILES.length : place
}
