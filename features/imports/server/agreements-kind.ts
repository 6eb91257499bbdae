import type { AgreementInput } from '@pc/domain/agreement/agreement-record.ts'
import { plainAgreementCode } from '@pc/domain/agreement/agreement-texts.ts'
import { parseDay } from '@pc/domain/month/day.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { ok } from '@pc/domain/result.ts'
import { dayAt } from '@pc/platform/clock.ts'
import { type AgreementUseCases, monthCell, monthNumber } from './agreement-use-cases.ts'
import { mediumColumns, mediumReferences, organizationColumns, organizationReferences } from './common-references.ts'
import {
  choiceColumn,
  choiceOf,
  codeColumn,
  dayColumn,
  idColumn,
  monthColumn,
  percentColumn,
  percentText,
  textColumn,
  unitsOfPercent,
  wholeNumberColumn,
} from './import-columns.ts'
import type { ImportKind, PresentRow, RowToSave } from './import-kind.ts'
import { saveNewAndChanged } from './save-rows.ts'
import { CONFIRMATIONS, COVERAGES, PAYEE_KINDS, RESIDENCES, YES_NO, yesNo } from './workbook-labels.ts'

const COLUMNS = [
  idColumn(),
  codeColumn('code', {
    header: '契約コード',
    isRequired: true,
    example: 'AG-001',
    definition: '契約を見分けるコードです。IDが空のときは、同じコードの契約を指します。',
  }),
  textColumn('name', {
    header: '契約名',
    isRequired: true,
    example: 'さくら新聞 記事配信契約',
    definition: '契約の名前です。',
  }),
  ...mediumColumns,
  ...organizationColumns,
  monthColumn('validFromMonth', {
    header: '適用開始月',
    emptyKeeps: true,
    example: '2024-04',
    definition:
      '最初の契約条件の適用開始月です。新規のときだけ使い、空のときは今月になります。条件の内容は「契約条件」で取り込みます。',
  }),
  dayColumn('terminatedAt', { header: '解約日', example: '', definition: '解約した契約の解約日です。' }),
  choiceColumn('isPaymentDisabled', YES_NO, { header: '支払停止', example: 'いいえ', definition: '' }),
  choiceColumn('isQualifiedInvoiceIssuer', YES_NO, {
    header: '適格請求書発行事業者',
    fields: ['qualifiedInvoiceIssuer'],
    example: 'はい',
    definition: '',
  }),
  codeColumn('invoiceRegistrationNumber', {
    header: '登録番号',
    example: 'T1234567890123',
    definition: '適格請求書発行事業者の登録番号です（Tと13桁の数字）。',
  }),
  choiceColumn('payeeKind', PAYEE_KINDS, { header: '支払先の区分', example: '法人', definition: '' }),
  choiceColumn('payeeResidence', RESIDENCES, { header: '居住地', example: '居住者・内国法人', definition: '' }),
  dayColumn('treatyFormFrom', {
    header: '租税条約の届出書の適用開始日',
    example: '',
    definition: '非居住者・外国法人の届出書が適用される最初の支払日です。届出書がないときは空にします。',
  }),
  dayColumn('treatyFormTo', {
    header: '租税条約の届出書の適用終了日',
    example: '',
    definition: '届出書が適用される最後の支払日です。期限がないときは空にします。',
  }),
  percentColumn('treatyFormRate', {
    header: '租税条約の届出書の税率（%）',
    example: '',
    definition: '届出書による源泉徴収の税率です（0から20.42）。届出書がないときは空にします。',
  }),
  choiceColumn('taxTreatment', CONFIRMATIONS, {
    header: '税区分の確認',
    example: '確認済み',
    definition:
      '支払先の区分・居住地・適格請求書発行事業者を確認したかです。支払先の区分も入力した行で、新規か、これらを変更したときは、確認済みになります。確認済みを未確認に戻すことはできません。',
  }),
  choiceColumn('smallSupplierCoverage', COVERAGES, { header: '取適法の対象か', example: '対象外', definition: '' }),
  choiceColumn('freelanceCoverage', COVERAGES, { header: 'フリーランス法の対象か', example: '対象外', definition: '' }),
  choiceColumn('isShiftAgreedInWriting', YES_NO, {
    header: '休業日による支払日の順延',
    example: 'はい',
    definition: '書面で合意しているかです。',
  }),
  monthColumn('contractEndMonth', {
    header: '契約終了月',
    example: '',
    definition: '期間の定めがないときは空にします。',
  }),
  wholeNumberColumn('renewalNoticeDays', {
    header: '更新のお知らせ（日前）',
    example: '',
    definition: '契約終了月の末日の何日前に知らせるかです。知らせないときは空にします。',
  }),
  textColumn('notes', { header: '備考', example: '', definition: '社内だけで使う備考です。' }),
]

export function agreementsKind({ clock, createAgreements, updateAgreements }: AgreementUseCases): ImportKind {
  return {
    name: 'agreements',
    title: '契約',
    description: '1行が1つの契約です。先に媒体と組織を登録してください。金額や支払期日は「契約条件」で取り込みます。',
    fileName: 'agreements',
    needs: [
      ['write:create', 'insight:agreement.'],
      ['write:update', 'insight:agreement.'],
      ['write:create', 'insight:in_house_note.'],
      ['write:update', 'insight:in_house_note.'],
      ['write:update', 'insight:in_house_field.'],
    ],
    needsStepUp: true,
    columns: COLUMNS,
    async open(reader) {
      const organizations = await organizationReferences(reader)
      const media = await mediumReferences(reader)
      const rows = await reader.selectFrom('agreements').selectAll().orderBy('id').execute()
      const present = rows.map(
        (row): PresentRow => ({
          id: String(row.id),
          key: plainAgreementCode(row.code),
          revision: row.revision,
          cells: {
            id: String(row.id),
            code: row.code,
            name: row.name,
            ...media.cellsOf(row.mediumId),
            ...organizations.cellsOf(row.organizationId),
            validFromMonth: monthCell(row.validFromMonth),
            terminatedAt: row.terminatedAt === null ? '' : dayAt(row.terminatedAt.getTime()),
            isPaymentDisabled: yesNo(row.isPaymentDisabled),
            isQualifiedInvoiceIssuer: yesNo(row.isQualifiedInvoiceIssuer),
            invoiceRegistrationNumber: row.invoiceRegistrationNumber ?? '',
            payeeKind: PAYEE_KINDS[row.payeeKind as keyof typeof PAYEE_KINDS],
            payeeResidence: RESIDENCES[row.payeeResidence as keyof typeof RESIDENCES],
            treatyFormFrom: row.treatyFormFrom ?? '',
            treatyFormTo: row.treatyFormTo ?? '',
            treatyFormRate: row.treatyFormRate === null ? '' : percentText(row.treatyFormRate),
            taxTreatment: CONFIRMATIONS[row.taxTreatmentConfirmedAt === null ? 'unknown' : 'confirmed'],
            smallSupplierCoverage: COVERAGES[row.smallSupplierCoverage as keyof typeof COVERAGES],
            freelanceCoverage: COVERAGES[row.freelanceCoverage as keyof typeof COVERAGES],
            isShiftAgreedInWriting: yesNo(row.isShiftAgreedInWriting),
            contractEndMonth: monthCell(row.contractEndMonth),
            renewalNoticeDays: row.renewalNoticeDays === null ? '' : String(row.renewalNoticeDays),
            notes: row.notes ?? '',
          },
        }),
      )
      return {
        present,
        resolve(cells) {
          const organization = organizations.demand(cells)
          const medium = media.demand(cells)
          if (!organization.ok || !medium.ok)
            return { ok: false, refusals: [organization, medium].flatMap(one => (one.ok ? [] : one.refusals)) }
          const named = { ...organizations.cellsOf(organization.value.id), ...media.cellsOf(medium.value.id) }
          return ok({ ...cells, ...named })
        },
        keyOf: ({ code = '' }) => plainAgreementCode(code),
        save(write, rows) {
          const moved = rows.flatMap(({ cells, present }, place) =>
            present && cells.validFromMonth !== present.cells.validFromMonth
              ? [refusal('import/first-month-fixed', [place, 'validFromMonth'])]
              : [],
          )
          if (moved.length > 0) return Promise.resolve({ ok: false, refusals: moved })
          const submissionOf = (row: RowToSave, place: number) => ({
            input: { ...inputOf(row), expectedRevision: row.present?.revision },
            accounts: undefined,
            path: [place],
            accountsPath: [place],
          })
          return saveNewAndChanged(
            rows,
            added => createAgreements(write.as('write:create', 'insight:agreement.'), clock, added.map(submissionOf)),
            changed =>
              updateAgreements(write.as('write:update', 'insight:agreement.'), clock, changed.map(submissionOf)),
          )
        },
      }
    },
  }
}

/**
 * Whether the row confirms the tax treatment: by its own cell, or by new payee data in a row that also states the kind of
 * payee. Without a stated kind nothing is confirmed.
 */
function isTaxTreatmentGiven({ cells, present, source }: RowToSave): boolean {
  const before = present?.cells
  if (cells.taxTreatment !== before?.taxTreatment && cells.taxTreatment === CONFIRMATIONS.confirmed) return true
  if (before === undefined) return Boolean(cells.payeeKind)
  const changed = ['payeeKind', 'payeeResidence', 'isQualifiedInvoiceIssuer'].some(key => cells[key] !== before[key])
  return changed && Boolean(source.cells.payeeKind)
}

/**
 * The changed values of an existing agreement, or all given values of a new one.
 * Tested by `features/imports/server/import-payees.test.ts`.
 */
function inputOf(row: RowToSave): AgreementInput<Date> {
  const { cells, present } = row
  const before = present?.cells
  // Undefined where the row says what is stored already.
  const given = (key: string) => (cells[key] === (before?.[key] ?? '') ? undefined : (cells[key] ?? ''))
  const id = (key: string) => (given(key) ? BigInt(given(key) ?? 0) : undefined)
  const flag = (key: string) => (given(key) === undefined ? undefined : given(key) === YES_NO.true)
  const month = (key: string) => (given(key) === undefined ? undefined : (monthNumber(given(key)) ?? null))
  const day = (key: string) => (given(key) === undefined ? undefined : (parseDay(given(key) ?? '') ?? null))
  const rate = given('treatyFormRate')
  const confirmsTaxTreatment = isTaxTreatmentGiven(row) ? true : undefined
  // Confirming the tax treatment includes the file's kind of payee, so it is sent even when it is unchanged.
  const isKindSaid = confirmsTaxTreatment && Boolean(row.source.cells.payeeKind)
  const payeeKind = choiceOf(PAYEE_KINDS, isKindSaid ? cells.payeeKind : given('payeeKind'))
  const terminated = given('terminatedAt')
  const days = given('renewalNoticeDays')
  return {
    terms: {},
    id: present?.id === undefined ? undefined : BigInt(present.id),
    mediumId: id('mediumId'),
    organizationId: id('organizationId'),
    name: given('name'),
    code: given('code'),
    terminatedAt:
      terminated === undefined ? undefined : terminated === '' ? null : new Date(`${terminated}T00:00+09:00`),
    isPaymentDisabled: flag('isPaymentDisabled'),
    notes: given('notes'),
    payeeKind,
    payeeResidence: choiceOf(RESIDENCES, given('payeeResidence')),
    treatyFormFrom: day('treatyFormFrom'),
    treatyFormTo: day('treatyFormTo'),
    treatyFormRate: rate === undefined ? undefined : rate === '' ? null : unitsOfPercent(rate),
    confirmsTaxTreatment,
    smallSupplierCoverage: choiceOf(COVERAGES, given('smallSupplierCoverage')),
    freelanceCoverage: choiceOf(COVERAGES, given('freelanceCoverage')),
    isShiftAgreedInWriting: flag('isShiftAgreedInWriting'),
    isQualifiedInvoiceIssuer: flag('isQualifiedInvoiceIssuer'),
    invoiceRegistrationNumber: given('invoiceRegistrationNumber'),
    contractEndMonth: month('contractEndMonth'),
    renewalNoticeDays: days === undefined ? undefined : days === '' ? null : Number(days),
    validFromMonth: before === undefined ? monthNumber(cells.validFromMonth) : undefined,
  }
}
