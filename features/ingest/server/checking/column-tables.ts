import { type ColumnType, DATASET_COLUMNS, type Dataset, type DatasetColumn } from './dataset-columns.ts'

/** The columns of a dataset as a Markdown table, for the manual. A test compares it with the manual. */
export function columnTable(dataset: Dataset): string {
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
