import type { RefusalData, RefusalTexts } from '../refusal-text.ts'

export const PUBLISHER_REFUSALS_JA = {
  'publisher/name-required': () => 'パブリッシャー名を入力してください（200文字以内）。',
  'publisher/text-too-long': (data: RefusalData) => `${data.label}は${data.max}文字以内で入力してください。`,
  'publisher/organization-unknown': () => '組織を一覧から選択してください。',
  'publisher/organization-fixed': () =>
    'パブリッシャーの組織は変更できません。新しいパブリッシャーを作成してください。',
  'publisher/agreement-unknown': () => '契約を一覧から選択してください。',
  'publisher/agreement-twice': () => '同じ契約の条件が2件あります。1件にまとめてください。',
  'publisher/agreement-of-other-organization': () =>
    'この契約は、パブリッシャーとは別の組織のものです。同じ組織の契約を選択してください。',
  'publisher/medium-twice': (data: RefusalData) =>
    `このパブリッシャーは、同じ媒体の契約「${data.agreement}」の対象です。先にその契約に解約日を設定し、適用開始月を解約月以降にしてください。`,
  'publisher/rule-medium-differs': () => '契約条件の媒体は契約の媒体と同じものを選択してください。',
} as const satisfies RefusalTexts
