/** What is wrong with a feed, and at which line of its text. */
export interface FeedFinding {
  /** `error`: the feed cannot be used. `warning`: it can be used, but readers may show it wrongly. */
  readonly severity: 'error' | 'warning'
  /** From 1; 0 for the document as a whole. */
  readonly line: number
  readonly code: FeedFindingCode
  readonly data: Readonly<Record<string, string | number>>
}

type Data = Readonly<Record<string, string | number>>

/** What is wrong and what to do, in Japanese, for the person who makes the feed. */
export const FEED_FINDINGS_JA = {
  empty: () => 'フィードの中身が空です。',
  'not-a-feed': (data: Data) => `RSSまたはAtomのフィードではありません（最初の要素は「${data.name}」です）。`,
  'not-xml': () => 'XMLではありません。フィードのURLを確認してください。',
  'text-replaced': (data: Data) =>
    `文字コード ${data.encoding} として読めない文字があります。文字コードの宣言を確認してください。`,
  'encoding-mismatch': (data: Data) =>
    `文字コードの宣言は ${data.declared} ですが、実際は ${data.actual} です。宣言を直してください。`,
  'encoding-unknown': (data: Data) => `文字コード ${data.declared} は分かりません。UTF-8 で配信してください。`,
  'markup-not-closed': (data: Data) => `「${data.opener}」が閉じられていません。`,
  'tag-not-closed': (data: Data) => `<${data.name}> が閉じられていません。`,
  'tag-mismatch': (data: Data) => `<${data.opened}>（${data.openedLine}行目）が </${data.closed}> で閉じられています。`,
  'close-without-open': (data: Data) => `</${data.name}> に対応する開始タグがありません。`,
  'tag-malformed': (data: Data) => `タグの書き方が正しくありません：${data.text}`,
  'attribute-malformed': (data: Data) => `<${data.name}> の属性の書き方が正しくありません。`,
  'attribute-twice': (data: Data) => `<${data.name}> に属性 ${data.attribute} が2回書かれています。`,
  'second-root': (data: Data) => `最上位の要素の後に余分な内容があります：${data.text}`,
  'entity-declared': () => '実体（ENTITY）の宣言は受け付けられません。DOCTYPE を取り除いてください。',
  'too-deep': (data: Data) => `要素の入れ子が深すぎます（${data.max}段まで）。`,
  'too-many-elements': (data: Data) => `要素が多すぎます（${data.max}個まで）。`,
  'unreadable-feed': () => 'フィードの内容を読み取れません。',
  'ampersand-alone': () => '「&」は「&amp;」と書いてください。',
  'entity-unknown': (data: Data) => `XMLにない実体参照「&${data.name};」が使われています。`,
  'control-character': () => '使えない制御文字が含まれています。',
  'prefix-undeclared': (data: Data) => `名前空間の接頭辞「${data.prefix}」が宣言されていません。`,
  'no-title': () => 'フィードの名前（title）がありません。',
  'no-items': () => '記事が1件もありません。',
  'item-without-title': () => '記事にタイトルがありません。',
  'item-without-link': () => '記事にリンクがありません。',
  'item-link-not-web': () => '記事のリンクは http または https で始まるURLにしてください。',
  'item-without-date': () => '記事に公開日時がありません。',
  'item-date-unreadable': (data: Data) => `公開日時「${data.text}」を読み取れません。`,
  'item-id-twice': (data: Data) => `記事の識別子（guidまたはid）が${data.firstLine}行目と重複しています。`,
  'item-without-body': () => '記事に本文がありません。この形式では content:encoded または description が必要です。',
  'format-not-of-type': (data: Data) => `この種類のフィードは ${data.expected} で配信してください。`,
} as const satisfies Record<string, (data: Data) => string>
export type FeedFindingCode = keyof typeof FEED_FINDINGS_JA

export function feedFindingJa(finding: FeedFinding): string {
  return FEED_FINDINGS_JA[finding.code](finding.data)
}
