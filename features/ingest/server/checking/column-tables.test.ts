import fs from 'node:fs'
import { day } from '@pc/domain/month/day.ts'
import { expect, test } from 'vitest'
import { sampleFile } from '../uploads/dataset-template.ts'
import { type ColumnType, DATASET_COLUMNS, DATASETS, type Dataset, type DatasetColumn } from './dataset-columns.ts'

/** The formatter widens the cells of tables. */
const plain = (markdown: string) => markdown.replace(/ *\| */g, '|').replace(/-+/g, '-')

test.each(DATASETS)('the manual lists the columns of %s as they are, with a complete file', dataset => {
  const manual = fs.readFileSync(new URL('../../../../docs/manual/ingest.md', import.meta.url), 'utf8')
  expect(plain(manual)).toContain(plain(columnTable(dataset)))
  expect(manual).toContain(`\`\`\`csv\n${sampleFile(dataset, day('2026-11-01'))}\`\`\`\n`)
})

test.each(DATASETS)('%s has no more columns than the 32 bits by which a row says which are wrong', dataset => {
  expect(DATASET_COLUMNS[dataset].length).toBeLessThanOrEqual(32)
})

/** The columns of a dataset as a Markdown table, for the manual. */
function columnTable(dataset: Dataset): string {
  const rows = DATASET_COLUMNS[dataset].map(
    column =>
      `| \`${column.name}\` | ${column.label} | ${typeText(column.type)} | ${presenceText(column)} | ${column.note ?? ''} |`,
  )
  return ['| 列名 | 内容 | 型 | 必須 | 説明 |', '|---|---|---|---|---|', ...rows].join('\n')
}

function typeText(type: ColumnType): string {
  switch (type.kind) {
    case 'day':
      return '日付'
    case 'instant':
      return '日時'
    case 'id':
      return '1以上の整数'
    case 'count':
      return `0〜${type.max}の整数`
    case 'choice':
      return type.choices.map(choice => `\`${choice}\``).join('、')
    case 'cells':
      return 'JSON'
    case 'title':
    case 'name':
      return `文字列（${type.max}文字まで）`
    case 'names':
      return `文字列か JSON（${type.max}文字まで、${type.most}個まで）`
    case 'web-address':
      return `URL（${type.max}文字まで）`
  }
}

function presenceText({ presence }: DatasetColumn): string {
  return { column: '必須', filled: '列は省略可', optional: '任意' }[presence]
}
