import fs from 'node:fs'
import { expect, test } from 'vitest'
import { columnTable } from './column-tables.ts'
import { DATASETS } from './dataset-columns.ts'

test.each(DATASETS)('the manual lists the columns of %s as they are', dataset => {
  const manual = fs.readFileSync(new URL('../../../docs/manual/ingest.md', import.meta.url), 'utf8')
  expect(manual).toContain(columnTable(dataset))
})
