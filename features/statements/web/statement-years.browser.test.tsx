import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { statementYearsRoute } from './statement-years-route.ts'

const payee = (organizationId: string, payeeName: string, total: number) => ({
  ...{ __typename: 'StatementYearOfPayee', organizationId, payeeName, statements: 12, totalWithoutTax: total - 100 },
  ...{ totalTax: 100, total, withholding: 10, fee: 0, transferred: total - 10, unpaid: 0 },
})
const YEAR = (variables: Readonly<Record<string, unknown>>) => ({
  statementYear: {
    ...{ __typename: 'StatementYear', year: variables.year, statements: 24, totalWithoutTax: 2_800, totalTax: 200 },
    ...{ total: 3_000, withholding: 20, unpaid: 0 },
    nodes: [payee('1', '東都新聞社', 2_000), payee('2', 'あさひ出版', 1_000)],
  },
})
const TAX = {
  payeeTaxYear: [
    {
      ...{ __typename: 'PayeeTaxYear', organizationId: '9', payeeName: '山田太郎', payeeKind: 'individual' },
      ...{ total: 60_000, totalTax: 5_454, withholding: 5_569, unpaid: 0, needsPaymentRecord: true },
      ...{ unregistered: 100_000_001, aboveLimit: 1 },
    },
  ],
}
const withheld = (month: string, payment: number) => ({
  ...{ __typename: 'WithholdingMonth', month, payees: payment > 0 ? 1 : 0, payment, withholding: payment / 10 },
  ...{ returned: 0, unsettled: payment > 0 ? 2 : 0 },
  ...{ payableOn: '2025-08-12', taxes: '所得税、復興特別所得税（所得税額の2.1%）' },
})
const WITHHELD = { withholdingMonths: [withheld('2025-06', 0), withheld('2025-07', 1_500_000)] }
const show = (path: string, role: 'insight:admin' | 'insight:publisher_admin') =>
  showScreen({
    screens: [statementYearsRoute],
    path,
    role,
    answers: { StatementYear: YEAR, PayeeTaxYear: TAX, WithholdingMonths: WITHHELD },
  })

afterEach(() => goTo('#/', { isFinal: true }))

test('a year by payee, with what the tax office wants; another year is requested', async () => {
  const { operations } = await show('/histories/statement-years/year=2025', 'insight:admin')
  await expect.element(page.getByRole('row', { name: /東都新聞社/ }).getByText('2,000')).toBeVisible()
  expect(operations.find(each => each.name === 'StatementYear')?.variables).toEqual({ year: 2025 })
  const individual = page.getByRole('row', { name: /山田太郎/ })
  await expect.element(individual.getByText('提出の対象')).toBeVisible()
  await expect.element(individual.getByText('1円 超過')).toBeVisible()
  const july = page.getByRole('table', { name: '2025年の源泉所得税' }).getByRole('row', { name: /2025年7月/ })
  await expect.element(july.getByText('150,000')).toBeVisible()
  await expect.element(july.getByText('2025年8月12日')).toBeVisible()
  await expect.element(july.getByText('2件')).toBeVisible()
  await expect.element(page.getByRole('row', { name: /2025年6月/ })).not.toBeInTheDocument()
  await expectAccessible()
  await page.getByRole('combobox', { name: '年' }).selectOptions('2024年')
  await expect.poll(() => location.hash).toBe('#/histories/statement-years/year=2024')
  await expect
    .poll(() => operations.filter(each => each.name === 'StatementYear').at(-1)?.variables)
    .toEqual({ year: 2024 })
})

test('a publisher sees its own year, and nothing for the tax office of others', async () => {
  const { operations } = await show('/histories/statement-years', 'insight:publisher_admin')
  await expect.element(page.getByText('支払先ごとの合計')).toBeVisible()
  expect(operations.some(each => each.name === 'PayeeTaxYear' || each.name === 'WithholdingMonths')).toBe(false)
})
