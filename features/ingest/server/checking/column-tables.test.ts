import fs from 'node:fs'
import { day } from '@pc/domain/month/day.ts'
import { expect, test } from 'vitest'
import { sampleFile } from '../uploads/dataset-template.ts'
import { columnTable } from './column-tables.ts'
import { DATASETS } from './dataset-columns.ts'

/** The formatter widens the cells of tables. */
const plain = (markdown: string) => markdown.replace(/ *\| */g, '|').replace(/-+/g, '-')

test.each(DATASETS)('the manual lists the columns of %s as they are, with a complete file', dataset => {
  const manual = fs.readFileSync(new URL('../../../../docs/manual/ingest.md', import.meta.url), 'utf8')
  expect(plain(manual)).toContain(plain(columnTable(dataset)))
  expect(manual).toContain(`\`\`\`csv\n${sampleFile(dataset, day('2026-11-01'))}\`\`\`\n`)
})
