/**
 * The sections of the dated payment settings: the name in the API and in the audit log, and its Japanese label.
 * `settlement_rule` is labelled as returns, because the only version whose first month can be moved is that of returns
 * (`RETURNS_VERSION`).
 */
export const SETTING_SECTION_LABELS = {
  payout: '支払の基準',
  consumption_tax: '消費税率',
  input_tax_deduction: '仕入税額控除の割合',
  transfer_fee: '振込手数料',
  transfer_source: '振込元の口座',
  withholding: '源泉徴収税率',
  journal_account: '仕訳の勘定科目',
  settlement_rule: '返還の計算',
} as const
export type SettingSection = keyof typeof SETTING_SECTION_LABELS
export const SETTING_SECTIONS = Object.keys(SETTING_SECTION_LABELS) as SettingSection[]
