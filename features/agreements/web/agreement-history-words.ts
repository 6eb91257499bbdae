import { monthText } from '@pc/domain/month/day-text.ja.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { FieldWords } from '@pc/ui/history/record-history.tsx'
import { formatInstant } from '@pc/ui/text/format.ts'
import { COVERAGES, labelIn, PAYEE_KINDS, RESIDENCES } from './agreement-words.ts'

export const AGREEMENT_HISTORY_WORDS: FieldWords = {
  name: { label: '契約名' },
  code: { label: '契約コード' },
  terminatedAt: { label: '解約日', show: value => String(value).slice(0, 10) },
  isPaymentDisabled: { label: '支払', show: value => (value === true ? '停止' : '支払う') },
  notes: { label: '備考' },
  payeeKind: { label: '支払先の区分', show: value => labelIn(PAYEE_KINDS, value) },
  payeeResidence: { label: '居住地', show: value => labelIn(RESIDENCES, value) },
  treatyFormFrom: { label: '租税条約の届出書の適用開始日' },
  treatyFormTo: { label: '租税条約の届出書の適用終了日' },
  treatyFormRate: { label: '租税条約の届出書の税率', show: value => `${Number(value) / 100}%` },
  taxTreatmentConfirmedAt: { label: '支払先の税区分の確認', show: value => formatInstant(String(value)) },
  smallSupplierCoverage: { label: '取適法', show: value => labelIn(COVERAGES, value) },
  freelanceCoverage: { label: 'フリーランス法', show: value => labelIn(COVERAGES, value) },
  isShiftAgreedInWriting: { label: '支払日の順延の書面合意' },
  isQualifiedInvoiceIssuer: { label: '適格請求書発行事業者' },
  invoiceRegistrationNumber: { label: '登録番号' },
  contractEndMonth: {
    label: '契約終了月',
    show: value => monthText(Number(value) as YearMonth),
  },
  renewalNoticeDays: { label: '更新のお知らせ', show: value => `${value}日前` },
  document: { label: '契約書ファイル' },
  terms: { label: '支払条件', show: value => `${Array.isArray(value) ? value.length : 0}版` },
  agreementBankAccounts: {
    label: '振込口座',
    show: value => (Array.isArray(value) ? `${value.length}件` : ''),
  },
}
