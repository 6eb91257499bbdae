import { day } from '@pc/domain/month/day.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'

/**
 * Transfer settings of tests: own branch free, own bank 110 yen, other banks 440 yen below 30,000 yen and 660 yen from
 * there. Idempotent.
 */
export async function writeTransferSettings(tx: Transaction): Promise<void> {
  const source = {
    validFromMonth: 202012,
    clientCode: '1234567890',
    clientName: 'ｶ)ﾊﾞｲﾀｲｻ-ﾋﾞｽ',
    bankCode: '0005',
    bankName: 'ﾐﾂﾋﾞｼﾕ-ｴﾌｼﾞｴｲ',
    branchCode: '001',
    branchName: 'ﾎﾝﾃﾝ',
    accountType: 'ordinary',
    accountNumber: '7654321',
    hasLineBreaks: true,
    // The bank's result mark is the first character of its field.
    resultMarkOffset: 0,
    resultMarkLength: 1,
    resultPaidMarks: ['0'],
    resultReturnedMarks: ['8'],
  }
  await tx
    .insertInto('transferSources')
    .values(source)
    .onConflict(conflict => conflict.column('validFromMonth').doUpdateSet(source))
    .execute()
  const fees = [
    ['same_branch', 0n, 0n],
    ['same_bank', 0n, 110n],
    ['other_bank', 0n, 440n],
    ['other_bank', 30_000n, 660n],
  ] as const
  await tx
    .insertInto('transferFees')
    .values(
      fees.map(([destination, fromAmountYen, feeYen]) => ({
        sourceBankCode: '0005',
        validFrom: day('2020-01-01'),
        destination,
        fromAmountYen,
        feeYen,
      })),
    )
    .execute()
}
