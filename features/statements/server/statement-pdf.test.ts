import { createHash } from 'node:crypto'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { canonicalText } from '@pc/domain/payment/canonical-text.ts'
import {
  sampleStatement,
  sampleStatementAbroad,
  sampleStatementWithReturns,
} from '@pc/domain/statement/sample-statement.ts'
import type { Statement } from '@pc/domain/statement/statement.ts'
import { describe, expect, test } from 'vitest'
import { TEMPLATE_VERSION } from './generate-statements.ts'
import { statementPdf } from './statement-pdf.ts'

const HASH = 'ab'.repeat(32)
async function pdf(
  parts: Partial<Statement> = {},
  templateVersion = 3,
): Promise<{ bytes: Buffer; sha256: string; pages: number }> {
  const content = canonicalText(sampleStatement(parts))
  const bytes = Buffer.from(await statementPdf({ templateVersion, content, hash: HASH }))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { bytes, sha256, pages: bytes.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0 }
}

describe('the printed statement', () => {
  test.each([
    [1, '0fd8e6c5028cdd20990422a998294c97806417b061de64eb50adadf260e84078'],
    [2, 'd2256181e5648d8d6d0707a2b97c28289fe78529fc28e476d1bcde131bd6fc1f'],
    [3, '170a02021667e9e8a8e195da26939e53b5d5eff6b08c5af4b9a916e78417ec04'],
    // As version 3 where the payee's address is not known.
    [4, '170a02021667e9e8a8e195da26939e53b5d5eff6b08c5af4b9a916e78417ec04'],
  ])(
    'version %d has the bytes of its template: another compiler, font or layout needs another one',
    async (version, expected) => {
      const { bytes, sha256, pages } = await pdf({}, version)
      expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
      expect(pages).toBe(1)
      expect(sha256).toBe(expected)
      // Documents in between leave no trace.
      await pdf({ payeeName: '別の会社' }, version)
      expect((await pdf({}, version)).sha256).toBe(sha256)
    },
  )

  test('the paper with returns, as it is issued today, is that of the picture in the manual', async () => {
    const content = canonicalText(sampleStatementWithReturns())
    const bytes = await statementPdf({ templateVersion: TEMPLATE_VERSION, content, hash: HASH })
    // If this changes, draw docs/manual/images/statement-returns.png again and look at it.
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(
      'dfd9487cd3f50ddb3403549c0cc05aa481541e84fe4990ea28321482ad45c3ae',
    )
  })

  test('a person abroad has the whole address and what is withheld on one page', async () => {
    const content = canonicalText(sampleStatementAbroad())
    const bytes = Buffer.from(await statementPdf({ templateVersion: TEMPLATE_VERSION, content, hash: HASH }))
    expect(bytes.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  })

  test('text is never markup, however it looks', async () => {
    for (const name of [
      '#panic("x")',
      '*_$ \\ ` // /* #[',
      '<script>',
      '"; #import "x"',
      '株式会社\n改行',
      '🗞 号外社',
    ]) {
      const { pages } = await pdf({
        payeeName: name,
        agreementName: name,
        payerAddress: name,
        revisionReason: name,
        revision: 1,
      })
      expect(pages, name).toBe(1)
    }
  })

  test('long names and many carried months go on over pages', async () => {
    const generatedMonths = Array.from({ length: 60 }, (_, index) => ({
      month: (202101 + Math.trunc(index / 12) * 100 + (index % 12)) as YearMonth,
      amountYen: 1_000n,
    }))
    const { pages } = await pdf({ generatedMonths, agreementName: 'とても長い契約の名称'.repeat(20) })
    expect(pages).toBeGreaterThan(1)
  })

  test('a version that nobody knows is a fault', async () => {
    await expect(statementPdf({ templateVersion: 99, content: '{}', hash: HASH })).rejects.toThrow('template 99')
  })
})
