interface Help {
  readonly staff: string
  /** The page for publisher users, where it differs. */
  readonly publisher?: string
}

/** Pages of the manual by path prefix. The longest matching prefix wins. */
const HELP: Readonly<Record<string, Help>> = {
  '/reports/dashboard': {
    staff: 'admin-guide.html#2-1-ダッシュボード',
    publisher: 'metrics.html#ダッシュボードとパブリッシャーランキング',
  },
  '/reports/publisher-ranking': { staff: 'metrics.html#ダッシュボードとパブリッシャーランキング' },
  '/reports/articles': { staff: 'metrics.html#記事レポートと記事の詳細' },
  '/reports/video': { staff: 'metrics.html#動画レポートと動画の詳細' },
  '/reports/mails': { staff: 'faq.html#数値を毎日メールで受け取れますか' },
  '/reports/ingest-batches': { staff: 'ingest.html#画面から取り込む' },
  '/dashboards': { staff: 'admin-guide.html#2-3-ボード', publisher: 'faq.html#よく見る数値だけをまとめられますか' },
  '/managements/agreements': {
    staff: 'admin-guide.html#3-2-契約',
    publisher: 'publisher-guide.html#4-お支払い明細を確認する',
  },
  '/managements/media': { staff: 'admin-guide.html#3-1-媒体' },
  '/managements/publishers': {
    staff: 'admin-guide.html#3-3-パブリッシャーとフィード',
    publisher: 'publisher-guide.html',
  },
  '/managements/feeds': {
    staff: 'admin-guide.html#3-3-パブリッシャーとフィード',
    publisher: 'feed-specification.html',
  },
  '/managements/articles': { staff: 'admin-guide.html#3-5-記事の削除', publisher: 'content-guidelines.html' },
  '/managements/imports': { staff: 'imports.html' },
  '/adjustments/dividend': { staff: 'first-close.html' },
  '/adjustments/settings': { staff: 'admin-guide.html#支払設定' },
  '/adjustments/transfers': { staff: 'transfers.html' },
  '/adjustments/registrations': { staff: 'admin-guide.html#登録番号の確認' },
  '/adjustments/what-if': { staff: 'admin-guide.html#試算' },
  '/adjustments/practice': { staff: 'admin-guide.html#7-3-月次の締めの練習' },
  '/adjustments/retention': { staff: 'admin-guide.html#7-4-保存期間と保全' },
  '/histories/payments': {
    staff: 'admin-guide.html#支払の一覧の表示項目',
    publisher: 'publisher-guide.html#4-お支払い明細を確認する',
  },
  '/histories/cash-forecast': { staff: 'admin-guide.html#支払予定' },
  '/histories/statement': {
    staff: 'statements.html#運営の経理の方',
    publisher: 'statements.html#パブリッシャーの方',
  },
  '/histories/questions': {
    staff: 'admin-guide.html#質問への回答',
    publisher: 'faq.html#金額や数値について質問したいです',
  },
  '/users': { staff: 'admin-guide.html#6-ユーザーと権限', publisher: 'faq.html#担当者を追加したいです' },
  '/webhooks': { staff: 'webhooks.html' },
  '/api-keys': { staff: 'api-keys.html' },
  '/bank-accounts': {
    staff: 'admin-guide.html#3-4-振込口座',
    publisher: 'publisher-guide.html#3-振込口座を登録する',
  },
  '/announcements': { staff: 'admin-guide.html#5-お知らせ', publisher: 'index.html' },
}

/** The manual page of a screen; undefined: none is listed. A test fails for screens without one. */
export function namedHelp(path: string, isPublisher: boolean): string | undefined {
  const fitting = Object.keys(HELP).filter(start => path.startsWith(start))
  const help = HELP[fitting.toSorted((a, b) => b.length - a.length)[0] ?? '']
  return help && `/docs/${(isPublisher ? help.publisher : undefined) ?? help.staff}`
}
