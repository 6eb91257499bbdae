import { day } from '../month/day.ts'
import type { YearMonth } from '../month/year-month.ts'
import type { Statement } from './statement.ts'

const ACCOUNT = { bankName: 'みずほ', branchName: '東京営業部', typeName: '普通', number: '****567', holder: 'ｶ)ﾄｳﾄ' }

/**
 * For tests only: the statement of the worked example E1. A document keeps the text it was issued with: these labels are
 * older than those of `LINES` in `statement.ts`.
 */
export function sampleStatement(parts: Partial<Statement> = {}): Statement {
  const month = 202606 as YearMonth
  return {
    heading: '支払通知書 兼 仕入明細書',
    number: '202606-000001',
    revision: 0,
    revisionReason: null,
    issuedOn: day('2026-07-10'),
    payerName: '株式会社サンプル',
    payerAddress: '東京都千代田区1-1-1',
    payerRegistrationNumber: 'T4011001098993',
    payeeName: '株式会社東都新聞社',
    payeeHonorific: '御中',
    payeeRegistration: 'T7123456789012',
    agreementName: '東都新聞 配信契約',
    agreementCode: 'TOT-1',
    revenueGeneratedAtMonth: month,
    generatedMonths: [{ month, amountYen: 73_782n, ratePercent: 10, taxYen: 7_378n }],
    lines: [
      { label: '自社広告分', amountYen: 22_283n },
      { label: 'SSP分', amountYen: 40_000n },
      { label: '動画SSP分', amountYen: 9_000n },
      { label: 'ライブSSP分', amountYen: 2_499n },
      { label: '固定額', amountYen: 0n },
      { label: '最低保証調整', amountYen: 0n },
      { label: '調整額', amountYen: -500n },
      { label: '前月繰越', amountYen: 500n },
      { label: '次月繰越', amountYen: 0n },
    ],
    taxLines: [{ ratePercent: 10, amountYen: 73_782n, taxYen: 7_378n }],
    totalWithoutTaxYen: 73_782n,
    totalTaxYen: 7_378n,
    totalYen: 81_160n,
    withholdingYen: 0n,
    feeYen: 660n,
    transferAmountYen: 80_500n,
    isTransferPlanned: true,
    dueOn: day('2026-07-31'),
    account: ACCOUNT,
    confirmationDeemedOn: day('2026-07-24'),
    confirmationClause: '本書の記載内容について、2026年7月24日までにご連絡がない場合は、ご確認いただいたものとします。',
    snapshotHash: '3b'.repeat(32),
    ...parts,
  }
}

/** For tests only: the statement of the worked example E13, with a month that is given back and two rates, as it is issued today. */
export function sampleStatementWithReturns(): Statement {
  return sampleStatement({
    payeeAddress: '〒100-0004　東京都千代田区大手町1-2-3',
    number: '202610-000001',
    issuedOn: day('2026-11-10'),
    dueOn: day('2026-11-30'),
    revenueGeneratedAtMonth: 202610 as YearMonth,
    confirmationDeemedOn: day('2026-11-24'),
    confirmationClause:
      '本書の記載内容について、2026年11月24日までにご連絡がない場合は、ご確認いただいたものとします。',
    generatedMonths: [
      { month: 201909 as YearMonth, amountYen: 20_000n, ratePercent: 8, taxYen: 1_600n },
      { month: 202608 as YearMonth, amountYen: -25_000n, ratePercent: 10, taxYen: -2_500n },
      { month: 202610 as YearMonth, amountYen: 100_000n, ratePercent: 10, taxYen: 10_000n },
    ],
    lines: [
      { label: '配信収益（自社広告）', amountYen: 100_000n },
      { label: '調整額', amountYen: -25_000n },
      { label: '前月繰越', amountYen: 20_000n },
    ],
    taxLines: [
      { ratePercent: 10, amountYen: 75_000n, taxYen: 7_500n },
      { ratePercent: 8, amountYen: 20_000n, taxYen: 1_600n },
    ],
    ...{ totalWithoutTaxYen: 95_000n, totalTaxYen: 9_100n, totalYen: 104_100n },
    ...{ withholdingYen: 0n, feeYen: 0n, transferAmountYen: 104_100n, isTransferPlanned: false },
    account: { ...ACCOUNT, bankName: 'みずほ銀行' },
  })
}

/** For tests only: the statement of a person abroad, from whom 20.42 % of the whole amount are withheld. */
export function sampleStatementAbroad(): Statement {
  return sampleStatement({
    ...{ heading: '支払通知書', payeeName: 'Jane Appleseed', payeeHonorific: '様', payeeRegistration: '登録なし' },
    payeeAddress: '221B Baker Street, London NW1 6XE, United Kingdom',
    lines: [{ label: '配信収益（自社広告）', amountYen: 73_782n }],
    ...{ withholdingYen: 15_066n, feeYen: 0n, transferAmountYen: 66_094n, isTransferPlanned: true },
    account: { ...ACCOUNT, bankName: 'みずほ銀行', holder: 'ｼﾞｴｲﾝ ｱﾂﾌﾟﾙｼ-ﾄﾞ' },
  })
}
