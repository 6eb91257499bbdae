import type { ArticleLabel } from './port.ts'
import type { ReaderGate } from './reader-gate.ts'
import { DIMENSIONS } from './tables.ts'

const { columns, key } = DIMENSIONS.article_label

export function labelTable(name: string): string {
  const definitions = columns.map(([column, type]) => `${column} ${type}`)
  return `create table if not exists ${name} (${definitions.join(', ')}) engine = MergeTree order by (${key.join(', ')})`
}

/**
 * The table as it shall be is made beside the one that is read: what is new, and what stays of the old one. Then the two
 * change their names in one step of the server.
 */
export async function putClickHouseLabels(
  database: string,
  command: (text: string, rows?: string) => Promise<void>,
  gate: ReaderGate,
  labels: AsyncIterable<readonly ArticleLabel[]>,
): Promise<void> {
  const [now, next] = [`${database}.article_label`, `${database}.article_label_next`]
  await command(`drop table if exists ${next} sync`)
  await command(labelTable(next))
  let isAny = false
  for await (const rows of labels) {
    if (rows.length === 0) continue
    isAny = true
    await command(`insert into ${next} format JSONCompactEachRow`, rows.map(lineOf).join('\n'))
  }
  if (isAny) {
    await command(`insert into ${next} select * from ${now} where article_id not in (select article_id from ${next})`)
    await gate.write(() => command(`exchange tables ${now} and ${next}`))
  }
  await command(`drop table ${next} sync`)
}

const lineOf = ({ publisherId, articleId, kindNo, labelId, batchNo }: ArticleLabel) =>
  `[${[publisherId, articleId, kindNo, labelId, batchNo].join(',')}]`
