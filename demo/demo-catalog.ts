/** Invented names: no organisation, publisher or product of the demonstration exists. */
export type Genre = 'news' | 'sports' | 'business' | 'technology' | 'entertainment' | 'life' | 'food' | 'local'

export const DEMO_MEDIA = [
  { id: 1n, name: 'ツムギニュース', code: 'news', reach: 1 },
  { id: 2n, name: 'ツムギニュース ライト', code: 'news-lite', reach: 0.42 },
  { id: 3n, name: 'ツムギクーポン', code: 'coupon', reach: 0.1 },
  { id: 4n, name: 'ツムギビデオ', code: 'video', reach: 0.16 },
  { id: 9n, name: 'まちかどポータル', code: 'portal', reach: 0.28 },
] as const

export interface DemoPublisher {
  readonly name: string
  readonly genre: Genre
  readonly hasVideo?: boolean
  readonly hasLive?: boolean
}
export interface DemoOrganization {
  readonly name: string
  readonly kana: string
  readonly code: string
  /** Media with which the organisation has an agreement. */
  readonly media: readonly bigint[]
  readonly ratePercent: number
  /** From a person's fees income tax is withheld. */
  readonly payeeKind?: 'individual'
  readonly publishers: readonly DemoPublisher[]
}

export const DEMO_ORGANIZATIONS: readonly DemoOrganization[] = [
  {
    name: '株式会社朝霧新聞社',
    kana: 'カブシキガイシャアサギリシンブンシャ',
    code: 'ASG',
    media: [1n, 2n, 9n],
    ratePercent: 62,
    publishers: [
      { name: '朝霧新聞デジタル', genre: 'news', hasVideo: true, hasLive: true },
      { name: '朝霧スポーツ', genre: 'sports', hasVideo: true },
      { name: '朝霧経済ウォッチ', genre: 'business' },
      { name: '朝霧くらし面', genre: 'life' },
      { name: '朝霧写真館', genre: 'local' },
    ],
  },
  {
    name: '株式会社みなと放送',
    kana: 'カブシキガイシャミナトホウソウ',
    code: 'MNT',
    media: [1n, 4n],
    ratePercent: 58,
    publishers: [
      { name: 'みなとニュース', genre: 'news', hasVideo: true, hasLive: true },
      { name: 'みなとスタジアム', genre: 'sports', hasVideo: true, hasLive: true },
      { name: 'みなとバラエティ', genre: 'entertainment', hasVideo: true },
      { name: 'みなとキッチン', genre: 'food', hasVideo: true },
    ],
  },
  {
    name: '株式会社くるみ出版',
    kana: 'カブシキガイシャクルミシュッパン',
    code: 'KRM',
    media: [1n, 2n],
    ratePercent: 55,
    publishers: [
      { name: '月刊くるみオンライン', genre: 'life' },
      { name: 'くるみレシピ', genre: 'food', hasVideo: true },
      { name: 'くるみ旅だより', genre: 'local' },
      { name: 'くるみシネマ', genre: 'entertainment' },
    ],
  },
  {
    name: 'スポーツ暁株式会社',
    kana: 'スポーツアカツキカブシキガイシャ',
    code: 'AKT',
    media: [1n, 2n, 4n],
    ratePercent: 60,
    publishers: [
      { name: 'スポーツ暁', genre: 'sports', hasVideo: true, hasLive: true },
      { name: '暁ベースボール', genre: 'sports' },
      { name: '暁フットボール', genre: 'sports', hasVideo: true },
    ],
  },
  {
    name: '合同会社テックの窓',
    kana: 'ゴウドウガイシャテックノマド',
    code: 'TCM',
    media: [1n, 9n],
    ratePercent: 57,
    publishers: [
      { name: 'テックの窓', genre: 'technology', hasVideo: true },
      { name: 'ガジェット日和', genre: 'technology' },
      { name: 'ゲーム横丁', genre: 'entertainment', hasVideo: true },
    ],
  },
  {
    name: '株式会社まちの経済社',
    kana: 'カブシキガイシャマチノケイザイシャ',
    code: 'MCK',
    media: [1n, 2n],
    ratePercent: 59,
    publishers: [
      { name: 'まちの経済', genre: 'business' },
      { name: '商店街タイムズ', genre: 'local' },
      { name: 'はたらく手帖', genre: 'business' },
    ],
  },
  {
    name: '株式会社エンタメ工房',
    kana: 'カブシキガイシャエンタメコウボウ',
    code: 'ENT',
    media: [1n, 2n, 4n],
    ratePercent: 54,
    publishers: [
      { name: 'エンタメ工房', genre: 'entertainment', hasVideo: true, hasLive: true },
      { name: 'ステージ通信', genre: 'entertainment' },
      { name: 'おんがく帳', genre: 'entertainment', hasVideo: true },
      { name: 'アニメのはなし', genre: 'entertainment' },
    ],
  },
  {
    name: '一般社団法人ちいき通信',
    kana: 'イッパンシャダンホウジンチイキツウシン',
    code: 'CHK',
    media: [1n, 9n],
    ratePercent: 64,
    publishers: [
      { name: '北のちいき通信', genre: 'local' },
      { name: '瀬戸内ちいき通信', genre: 'local' },
      { name: '九州ちいき通信', genre: 'local' },
    ],
  },
  {
    name: '株式会社レシピの森',
    kana: 'カブシキガイシャレシピノモリ',
    code: 'RCP',
    media: [1n, 3n],
    ratePercent: 52,
    publishers: [
      { name: 'レシピの森', genre: 'food', hasVideo: true },
      { name: 'お買い得だより', genre: 'life' },
      { name: '週末パン教室', genre: 'food' },
    ],
  },
  {
    name: '株式会社ひなた健康社',
    kana: 'カブシキガイシャヒナタケンコウシャ',
    code: 'HNT',
    media: [1n, 3n],
    ratePercent: 53,
    publishers: [
      { name: 'ひなた健康ナビ', genre: 'life' },
      { name: 'からだ手帳', genre: 'life' },
      { name: '子育てひなた', genre: 'life', hasVideo: true },
    ],
  },
  {
    name: '合同会社ノースライン',
    kana: 'ゴウドウガイシャノースライン',
    code: 'NRL',
    media: [1n, 2n],
    ratePercent: 50,
    publishers: [
      { name: 'ノースライン', genre: 'news' },
      { name: '鉄道びより', genre: 'local', hasVideo: true },
      { name: 'クルマ広場', genre: 'technology' },
    ],
  },
  {
    name: '株式会社夕凪書房',
    kana: 'カブシキガイシャユウナギショボウ',
    code: 'YNG',
    media: [1n],
    ratePercent: 48,
    publishers: [
      { name: '夕凪レビュー', genre: 'entertainment' },
      { name: '投資のいろは', genre: 'business' },
    ],
  },
  {
    name: '水瀬ひかり',
    kana: 'ミナセ ヒカリ',
    code: 'MNS',
    media: [1n],
    ratePercent: 45,
    payeeKind: 'individual',
    publishers: [{ name: '水瀬の散歩帖', genre: 'local' }],
  },
]

/** Agreements, by code, that have ended. */
export const DEMO_TERMINATED = new Set(['YNG-1', 'KRM-2'])
/** The agreement, by code, whose payments are stopped. */
export const DEMO_PAYMENT_DISABLED = 'NRL-2'
/** The organisation whose account nobody has approved yet. */
export const DEMO_WITHOUT_ACCOUNT = 'YNG'
/** Organisations that are not qualified invoice issuers. */
export const DEMO_WITHOUT_REGISTRATION = new Set(['AKT', 'CHK', 'YNG', 'MNS'])

/**
 * Readers on a weekday (Sunday first) and in a month (January first) relative to the average, by genre; the mean is
 * near 1.
 */
export const WEEKDAY_SHAPE: Readonly<Record<Genre, readonly number[]>> = {
  news: [0.86, 1.05, 1.06, 1.05, 1.06, 1.04, 0.88],
  sports: [1.22, 0.98, 0.92, 0.94, 0.93, 0.96, 1.18],
  business: [0.62, 1.12, 1.14, 1.13, 1.12, 1.08, 0.68],
  technology: [0.9, 1.03, 1.05, 1.05, 1.04, 1.02, 0.91],
  entertainment: [1.12, 0.96, 0.95, 0.96, 0.97, 1.02, 1.1],
  life: [1.08, 0.99, 0.98, 0.98, 0.97, 0.98, 1.06],
  food: [1.14, 0.95, 0.96, 0.97, 0.98, 1.02, 1.1],
  local: [1.05, 0.98, 0.98, 0.98, 0.99, 1, 1.05],
}
export const MONTH_SHAPE: Readonly<Record<Genre, readonly number[]>> = {
  news: [1.06, 1.02, 1, 0.98, 0.95, 0.96, 1.03, 1.02, 1, 1, 0.99, 1.04],
  sports: [0.86, 0.88, 1, 1.1, 1.04, 1, 1.06, 1.14, 1.08, 1.1, 0.98, 0.86],
  business: [1.02, 1.01, 1.08, 1.03, 0.98, 1, 0.97, 0.9, 1, 1.01, 1.02, 1],
  technology: [1, 0.96, 0.98, 0.96, 0.97, 1, 0.98, 0.95, 1.1, 1.04, 1.04, 1.04],
  entertainment: [1.06, 0.96, 0.98, 0.98, 1, 0.97, 1.02, 1.06, 0.97, 0.97, 1, 1.08],
  life: [0.98, 0.98, 1.04, 1.03, 0.98, 0.98, 0.98, 0.96, 0.98, 1, 1.03, 1.08],
  food: [0.98, 1.04, 0.98, 0.96, 0.96, 0.95, 0.96, 0.96, 0.98, 1.02, 1.08, 1.18],
  local: [1.02, 0.94, 1.02, 1.06, 1.06, 0.92, 1.02, 1.08, 0.98, 1.04, 1, 0.94],
}

/** Share of women among the readers, and shares of the age groups with ids 1 to 8. */
export const READERS: Readonly<Record<Genre, { readonly women: number; readonly ages: readonly number[] }>> = {
  news: { women: 0.44, ages: [2, 5, 8, 10, 12, 22, 22, 19] },
  sports: { women: 0.24, ages: [4, 8, 10, 11, 12, 23, 20, 12] },
  business: { women: 0.31, ages: [1, 6, 12, 15, 16, 25, 17, 8] },
  technology: { women: 0.22, ages: [6, 12, 14, 15, 15, 21, 12, 5] },
  entertainment: { women: 0.58, ages: [9, 14, 14, 12, 11, 20, 14, 6] },
  life: { women: 0.71, ages: [2, 6, 11, 15, 17, 24, 16, 9] },
  food: { women: 0.74, ages: [3, 8, 12, 15, 16, 23, 15, 8] },
  local: { women: 0.47, ages: [2, 5, 7, 9, 12, 23, 22, 20] },
}
