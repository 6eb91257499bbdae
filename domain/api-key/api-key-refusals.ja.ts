import type { RefusalData, RefusalTexts } from '../refusal-text.ts'

export const API_KEY_REFUSALS_JA = {
  'api-key/name-missing': (data: RefusalData) => `名前を${data.max}文字以内で入力してください。`,
  'api-key/scopes-missing': () => '読み取れるデータを1つ以上選択してください。',
  'api-key/days-unknown': (data: RefusalData) => `有効期間は${data.days}日から選択してください。`,
  'api-key/addresses-too-many': (data: RefusalData) =>
    `利用を許可するIPアドレスは${data.max}件までです。範囲（例：203.0.113.0/24）にまとめてください。`,
  'api-key/address-unreadable': (data: RefusalData) =>
    `「${data.text}」をIPアドレスとして読み取れません。例：203.0.113.10、203.0.113.0/24、2001:db8:12:34::/64`,
  'api-key/address-not-its-beginning': (data: RefusalData) =>
    `「${data.text}」は範囲の先頭のIPアドレスではありません。範囲全体を許可するときは「${data.suggestion}」と入力してください。`,
  'api-key/address-too-wide': (data: RefusalData) =>
    `「${data.text}」は範囲が広すぎます。IPv4は/8、IPv6は/20より狭い範囲で入力してください。`,
  'api-key/address-too-narrow': (data: RefusalData) =>
    `IPv6は/64単位で入力してください。「${data.text}」の場合は「${data.suggestion}」です。`,
  'api-key/too-many': (data: RefusalData) =>
    `同時に使えるAPIキーは${data.max}件までです。使わないものを失効させてから作成してください。`,
  'api-key/only-own-organization': () =>
    'APIキーは、パブリッシャーの管理者が自社のために作成します。運営からは作成できません。',
} as const satisfies RefusalTexts
