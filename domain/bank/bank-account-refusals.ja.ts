import type { RefusalData, RefusalTexts } from '../refusal-text.ts'
import { MAX_REJECTION_REASON } from './pending-bank-account.ts'

export const BANK_ACCOUNT_REFUSALS_JA = {
  'bank-account/organization-required': () => '口座を登録する組織を選択してください。',
  'bank-account/organization-unknown': () => '選択した組織が見つかりません。一覧から選び直してください。',
  'bank-account/bank-unknown': () => '銀行を一覧から選択してください。統合や廃止で無くなった銀行は選択できません。',
  'bank-account/branch-unknown': () =>
    '選択した銀行の支店を一覧から選択してください。統合や廃止で無くなった支店は選択できません。',
  'bank-account/number-wrong': () => '口座番号は7桁以内の数字で入力してください。',
  'bank-account/agreement-unknown': () => '選択した契約が見つかりません。口座と同じ組織の契約を選択してください。',
  'bank-account/already-decided': () =>
    'この口座の申請はすでに承認または却下されています。最新の内容を読み込んでください。',
  'bank-account/own-request': () => '自分が申請した口座は承認できません。ほかの担当者に承認を依頼してください。',
  'bank-account/new-approver': (data: RefusalData) =>
    `ロールの付与または招待の承諾から${data.days}日間は、口座を承認できません。ほかの担当者に承認を依頼してください。`,
  'bank-account/guest-approver': (data: RefusalData) =>
    `自分がロールを付与した方の申請は、付与から${data.days}日間は承認できません。ほかの担当者に承認を依頼してください。`,
  'bank-account/place-gone': () =>
    'この口座の銀行または支店は、統合や廃止で無くなりました。却下して、新しい支店の口座での申請を依頼してください。',
  'bank-account/reason-required': () =>
    `却下の理由を${MAX_REJECTION_REASON}文字以内で入力してください。申請した方にお知らせします。`,
} as const satisfies RefusalTexts
