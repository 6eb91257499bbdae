import { AGREEMENT_FIELD_LABELS_JA } from '@pc/domain/agreement/agreement-record.ts'
import { monthText } from '@pc/domain/month/day-text.ja.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { type FieldWords, fieldWords } from '@pc/ui/history/field-words.ts'
import { formatInstant } from '@pc/ui/text/format.ts'
import { COVERAGES, labelIn, PAYEE_KINDS, RESIDENCES } from './agreement-words.ts'

// Acknowledged rules of law are left out, because the history would show only their internal ids.
const { acknowledgedLawRuleIds: _ruleIds, ...LABELS } = AGREEMENT_FIELD_LABELS_JA

export const AGREEMENT_HISTORY_WORDS: FieldWords = {
  ...fieldWords(LABELS, {
    terminatedAt: value => String(value).slice(0, 10),
    payeeKind: value => labelIn(PAYEE_KINDS, value),
    payeeResidence: value => labelIn(RESIDENCES, value),
    treatyFormRate: value => `${Number(value) / 100}%`,
    smallSupplierCoverage: value => labelIn(COVERAGES, value),
    freelanceCoverage: value => labelIn(COVERAGES, value),
    contractEndMonth: value => monthText(Number(value) as YearMonth),
    renewalNoticeDays: value => `${value}日前`,
  }),
  isPaymentDisabled: { label: '支払', show: value => (value === true ? '停止' : '支払う') },
  taxTreatmentConfirmedAt: { label: '支払先の税区分の確認', show: value => formatInstant(String(value)) },
  document: { label: '契約書ファイル' },
  terms: { label: '支払条件', show: value => `${Array.isArray(value) ? value.length : 0}版` },
  agreementBankAccounts: {
    label: '振込口座',
    show: value => (Array.isArray(value) ? `${value.length}件` : ''),
  },
}
