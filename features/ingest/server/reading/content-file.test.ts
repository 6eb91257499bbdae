import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { contentColumns } from '../content-store.ts'
import { CONTENTS_AT_ONCE, readContentFile, writeContentFile } from './content-file.ts'
import { ReadingEngine } from './reading-engine.ts'

test('the longest rows are read in smaller pages, every row once', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'content-file-'))
  const engine = await ReadingEngine.open({ threads: 1, memoryLimit: '256MB' }, [folder], folder)
  try {
    const list = (count: number) =>
      `'[' || array_to_string(list_transform(range(${count}), lambda x: '"' || repeat('𠮷', 98) || x || '"'), ',') || ']'`
    await engine.run(`create table good as select k as row_no, k + 1 as article_id, 1::bigint as medium_id,
      'm' || k as medium_article_id, 1::bigint as publisher_id, null::bigint as feed_id, repeat('𠮷', 500) as title,
      'https://a.example/' || repeat('日', 2000) as url, 1793000000000 as published_at, ${list(20)} as authors,
      '' as section, ${list(50)} as tags from range(1000) rows (k)`)
    const file = await writeContentFile(engine, 'articles', folder, () => ({}))
    expect(file.rowsPerPage).toBeLessThan(CONTENTS_AT_ONCE)
    const ids: string[] = []
    for await (const page of readContentFile(engine, file, contentColumns('articles')))
      ids.push(...page.article_id!.slice(1, -1).split(','))
    expect(ids).toEqual(Array.from({ length: 1000 }, (_, at) => String(at + 1)))
  } finally {
    engine.close()
    fs.rmSync(folder, { recursive: true, force: true })
  }
})
