import type { RefusalData, RefusalTexts } from '../refusal-text.ts'

/** Refusals about files of agreements and contract ends. */
export const CONTRACT_DOCUMENT_REFUSALS_JA = {
  'agreement-document/not-sent': () => 'ファイルを受け取れませんでした。もう一度ファイルを選んでください。',
  'agreement-document/not-a-pdf': () => 'PDFではないファイルです。PDFとして保存したファイルを選んでください。',
  'agreement-document/too-large': (data: RefusalData) => `ファイルは${data.maxMegabytes}MB以内にしてください。`,
  'agreement-document/infected': () => 'このファイルは安全ではないため、登録できません。別のファイルを選んでください。',
  'agreement-document/not-scanned': () =>
    'ファイルの検査ができないため、登録していません。しばらくしてから、もう一度お試しください。',
  'agreement-document/name-wrong': () =>
    'ファイル名が正しくありません。200文字以内の、表示される文字だけの名前に変更してください。',
  'agreement-document/same-content': () => 'この契約には、同じ内容のファイルがすでに登録されています。',
  'agreement-document/too-many': (data: RefusalData) =>
    `1つの契約に登録できるファイルは${data.max}件までです。不要なファイルを削除してください。`,
  'agreement/renewal-notice-out-of-range': (data: RefusalData) =>
    `更新のお知らせは、終了の${data.least}日前から${data.most}日前までの間で指定してください。`,
  'agreement/contract-end-missing': () => '更新のお知らせを使うには、契約終了月を選択してください。',
} as const satisfies RefusalTexts
