import fs from 'node:fs'
import path from 'node:path'
import { LAW_RULES } from '@pc/domain/agreement/law-rules.ts'
import { expect, test } from 'vitest'
import { ROOT } from './source-tree.ts'

test('the document on the rules of law names each rule with its days', () => {
  const lines = fs.readFileSync(path.join(ROOT, 'docs/law-rules.md'), 'utf8').split('\n')
  for (const { id, validFrom } of LAW_RULES) {
    const short = id.replace('registration-number', '')
    const row = lines.find(line => line.includes(`\`${id}\``) || line.includes(`\`${short}\``))
    expect(row, id).toContain(validFrom)
  }
})
