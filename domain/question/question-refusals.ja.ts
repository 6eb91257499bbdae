import type { RefusalData, RefusalTexts } from '../refusal-text.ts'

export const QUESTION_REFUSALS_JA = {
  'question/text-missing': () => '内容を入力してください。',
  'question/text-too-long': (data: RefusalData) => `内容は${data.max}文字以内で入力してください。`,
  'question/subject-not-found': () =>
    '質問の対象が見つかりません。計算し直されたか、表示する権限がない可能性があります。もとの画面から開き直してください。',
  'question/value-changed': (data: RefusalData) =>
    `表示した後に値が変わりました（現在 ${data.now}）。表示し直した値を確認してから、もう一度送信してください。`,
  'question/only-publisher': () => '質問を始められるのは、パブリッシャーの方だけです。',
  'question/only-staff': () => 'この操作は、運営の担当者だけが行えます。',
  'question/assignee-unknown': () => '担当者が見つかりません。一覧から選び直してください。',
  'question/too-many': (data: RefusalData) =>
    `未回答の質問が${data.max}件あります。回答をお待ちいただくか、不要な質問を解決にしてください。`,
  'question/of-statement': () => '支払通知書への照会の結論は、支払通知書の「照会に回答する」から登録してください。',
  'answer-template/name-missing': () => 'テンプレートの名前を入力してください。',
  'answer-template/name-too-long': (data: RefusalData) => `名前は${data.max}文字以内で入力してください。`,
  'answer-template/name-taken': () => '同じ名前のテンプレートがあります。別の名前にしてください。',
  'answer-template/body-missing': () => '本文を入力してください。',
  'answer-template/body-too-long': (data: RefusalData) => `本文は${data.max}文字以内で入力してください。`,
  'answer-template/placeholder-unknown': (data: RefusalData) =>
    `${data.name}は使えません。下に並ぶ差し込み項目から選んでください。`,
  'answer-template/too-many': (data: RefusalData) =>
    `テンプレートは${data.max}件までです。使わないものを削除してください。`,
} as const satisfies RefusalTexts
