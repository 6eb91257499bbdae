import { checkRegistrationNumber } from '../bank/registration-number.ts'
import { day } from '../month/day.ts'
import type { LawRule } from './law-rule.ts'
import { FREELANCE_ACT_FROM, isProtectedOn, SMALL_SUPPLIER_ACT_FROM } from './protected-payee.ts'

const SMALL_SUPPLIER_ACT = '取適法（製造委託等に係る中小受託事業者に対する代金の支払の遅延等の防止に関する法律）'
const FREELANCE_ACT = 'フリーランス法（特定受託事業者に係る取引の適正化等に関する法律）'
const CONSUMPTION_TAX_ACT = '消費税法第57条の2・第57条の4（適格請求書等保存方式）'

/**
 * The rules of law as the project reads them (docs/law-rules.md). An accountant or lawyer must confirm them before
 * production use. A change of law is a new dated line, never an edit of an old one.
 * Tested by `domain/agreement/agreement.test.ts`.
 */
export const LAW_RULES: readonly LawRule[] = [
  {
    id: 'small-supplier-fee',
    validFrom: SMALL_SUPPLIER_ACT_FROM,
    validUntil: null,
    severity: 'error',
    source: `${SMALL_SUPPLIER_ACT}第5条（減額の禁止）`,
    field: 'feePaidBy',
    isBrokenBy: facts => facts.smallSupplierCoverage === 'covered' && facts.feePaidBy === 'publisher',
    text: '取適法の対象となるパブリッシャーに振込手数料を負担させることは、合意があっても代金の減額にあたります。手数料の負担を当社に変更してください。',
  },
  {
    id: 'small-supplier-term',
    validFrom: SMALL_SUPPLIER_ACT_FROM,
    validUntil: null,
    severity: 'error',
    source: `${SMALL_SUPPLIER_ACT}第3条（支払期日）`,
    field: 'paymentTiming',
    isBrokenBy: facts => facts.smallSupplierCoverage === 'covered' && facts.paymentTiming === 'two_months_later',
    text: '取適法の対象となるパブリッシャーへの支払は、受領から60日以内（月末締めでは翌月末まで）です。支払期日を翌月末に変更してください。',
  },
  {
    id: 'freelance-term',
    validFrom: FREELANCE_ACT_FROM,
    validUntil: null,
    severity: 'error',
    source: `${FREELANCE_ACT}第4条（報酬の支払期日）`,
    field: 'paymentTiming',
    isBrokenBy: facts => facts.freelanceCoverage === 'covered' && facts.paymentTiming === 'two_months_later',
    text: 'フリーランス法の対象となるパブリッシャーへの支払は、受領から60日以内（月末締めでは翌月末まで）です。支払期日を翌月末に変更してください。',
  },
  {
    id: 'freelance-fee',
    validFrom: FREELANCE_ACT_FROM,
    validUntil: day('2026-01-01'),
    severity: 'warning',
    source: `${FREELANCE_ACT}第5条（報酬の減額の禁止）`,
    field: 'feePaidBy',
    isBrokenBy: facts => facts.freelanceCoverage === 'covered' && facts.feePaidBy === 'publisher',
    text: 'フリーランス法の対象となるパブリッシャーに振込手数料を負担させると、報酬の減額とみなされるおそれがあります。書面での合意を確認し、「内容を確認しました」を選んでください。',
  },
  {
    id: 'freelance-fee-reduction',
    validFrom: day('2026-01-01'),
    validUntil: null,
    severity: 'error',
    source: `${FREELANCE_ACT}第5条（報酬の減額の禁止）、公正取引委員会の留意点（2025-12-10）別紙2`,
    field: 'feePaidBy',
    isBrokenBy: facts => facts.freelanceCoverage === 'covered' && facts.feePaidBy === 'publisher',
    text: 'フリーランス法の対象となるパブリッシャーに振込手数料を負担させることは、合意があっても報酬の減額にあたります。手数料の負担を当社に変更してください。',
  },
  {
    id: 'covered-threshold',
    validFrom: FREELANCE_ACT_FROM,
    validUntil: null,
    severity: 'error',
    source: `${SMALL_SUPPLIER_ACT}第3条、${FREELANCE_ACT}第4条（支払期日）`,
    field: 'payoutThresholdYen',
    isBrokenBy: (facts, on) =>
      isProtectedOn(facts, on) && facts.payoutThresholdYen !== null && facts.payoutThresholdYen > 1n,
    text: '取適法・フリーランス法の対象となるパブリッシャーへの支払は、少額でも期日を過ぎて繰り越せません。支払の下限額を1円にしてください。',
  },
  {
    id: 'late-shift-not-agreed',
    validFrom: FREELANCE_ACT_FROM,
    validUntil: null,
    severity: 'error',
    source: `${FREELANCE_ACT}第4条、公正取引委員会の運用（金融機関の休業日による2日以内の順延は書面の合意が必要）`,
    field: 'businessDayShift',
    isBrokenBy: (facts, on) =>
      isProtectedOn(facts, on) && facts.businessDayShift === 'next' && !facts.isShiftAgreedInWriting,
    text: '銀行休業日に支払を翌営業日へ遅らせるには、2日以内とする書面の合意が必要です。前営業日払いにするか、書面の合意を登録してください。',
  },
  {
    id: 'coverage-unknown',
    validFrom: FREELANCE_ACT_FROM,
    validUntil: null,
    severity: 'warning',
    source: `${SMALL_SUPPLIER_ACT}、${FREELANCE_ACT}`,
    field: facts => (facts.smallSupplierCoverage === 'unknown' ? 'smallSupplierCoverage' : 'freelanceCoverage'),
    isBrokenBy: facts => facts.smallSupplierCoverage === 'unknown' || facts.freelanceCoverage === 'unknown',
    text: 'このパブリッシャーが取適法・フリーランス法の対象かどうかが未確認です。資本金と従業員数を確認して「対象」か「対象外」を選んでください。未確認のまま保存する場合は、「内容を確認しました」を選んでください。',
  },
  {
    id: 'fee-borne-by-publisher',
    validFrom: day('2026-01-01'),
    validUntil: null,
    severity: 'note',
    source: '消費税法第57条の4第3項（1万円未満の対価の返還は返還インボイス不要）',
    field: 'feePaidBy',
    isBrokenBy: facts => facts.feePaidBy === 'publisher' && facts.smallSupplierCoverage === 'not_covered',
    text: '振込手数料はパブリッシャーの負担となり、振込額から差し引かれます。1万円未満のため返還インボイスは不要です。',
  },
  {
    id: 'registration-number-missing',
    validFrom: day('2023-10-01'),
    validUntil: null,
    severity: 'error',
    source: CONSUMPTION_TAX_ACT,
    field: 'invoiceRegistrationNumber',
    isBrokenBy: facts => facts.isQualifiedInvoiceIssuer && facts.invoiceRegistrationNumber === null,
    text: '適格請求書発行事業者として登録するには、登録番号（T＋13桁の数字）を入力してください。',
  },
  {
    id: 'registration-number-invalid',
    validFrom: day('2023-10-01'),
    validUntil: null,
    severity: 'error',
    source: CONSUMPTION_TAX_ACT,
    field: 'invoiceRegistrationNumber',
    isBrokenBy: facts => registrationVerdict(facts) === 'invalid',
    text: '登録番号が正しくありません。Tと13桁の数字でないか、検査数字が一致しません。国税庁の公表サイトの表示どおりに入力してください。',
  },
  {
    id: 'registration-number-unverified',
    validFrom: day('2023-10-01'),
    validUntil: null,
    severity: 'warning',
    source: CONSUMPTION_TAX_ACT,
    field: 'invoiceRegistrationNumber',
    isBrokenBy: facts => registrationVerdict(facts) === 'doubtful',
    text: '登録番号の検査数字が一致しません。個人の登録番号では起こりえますが、国税庁の公表サイトで番号を確認してから、「内容を確認しました」を選んでください。',
  },
]

function registrationVerdict(facts: {
  readonly payeeKind: 'company' | 'individual'
  readonly invoiceRegistrationNumber: string | null
}): 'valid' | 'doubtful' | 'invalid' {
  if (facts.invoiceRegistrationNumber === null) return 'valid'
  return checkRegistrationNumber(facts.invoiceRegistrationNumber, facts.payeeKind).verdict
}
