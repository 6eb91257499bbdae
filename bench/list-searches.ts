import type { ListTexts } from './prepare-lists.ts'

/**
 * Kinds of typed search text: one, two or more characters, two words, readings, other widths, no hit, a frequent word.
 */
export type SearchKind = '1' | '2' | '3+' | 'two words' | 'kana' | 'width' | 'none' | 'frequent'
export const SEARCH_KINDS: readonly SearchKind[] = ['1', '2', '3+', 'two words', 'kana', 'width', 'none', 'frequent']

/** A search of a list as its screen sends it, with the screen's initial filters. */
export interface ListSearch {
  readonly name: string
  /** The API that answers it. */
  readonly api: 'insight' | 'iam'
  readonly document: string
  /** A word that almost every row contains. */
  readonly frequent: string
  /** Names, titles or addresses of the searched table. */
  readonly texts: readonly string[]
  /** Readings of the names, for lists that are searched by reading too. */
  readonly kana?: readonly string[]
  /** Only staff may search this list. */
  readonly isForStaff?: boolean
}

export function listSearches({ titles, companies }: ListTexts): readonly ListSearch[] {
  const names = companies.map(company => company.name)
  const kana = companies.map(company => company.kana)
  const banks = [
    '三菱ＵＦＪ',
    'みずほ',
    '三井住友',
    'りそな',
    '横浜',
    '千葉',
    '住信ＳＢＩネット',
    '福岡',
    '京都信用金庫',
  ]
  const branches = ['本店', '新宿', '渋谷', '池袋', '銀座', '大阪', '神戸支店', '名古屋', '札幌中央']
  const page = '$q: String) {'
  return [
    {
      name: 'publishers',
      api: 'insight',
      document: `query Q(${page} publishers(limit: 100, offset: 0, param: { enabled: true }, q: $q) { total nodes { id name kana enabled updatedAt organization { id name } } } }`,
      frequent: 'カブシキ',
      texts: names,
      kana,
    },
    {
      name: 'agreements',
      api: 'insight',
      document: `query Q(${page} agreements(limit: 100, offset: 0, orderBy: NAME_ASC, param: { isTerminated: false }, q: $q) { total nodes { id name code mediumId isTerminated isPaymentDisabled updatedAt organization { id name } } } }`,
      frequent: 'ニュース',
      texts: names,
      kana,
    },
    {
      name: 'feeds',
      api: 'insight',
      document: `query Q(${page} feeds(limit: 100, offset: 0, orderBy: NAME_ASC, param: { enabled: true }, q: $q) { total nodes { id name shortName url type enabled publisher { id name } } } }`,
      frequent: 'フィード',
      texts: names,
    },
    {
      name: 'mediumArticles',
      api: 'insight',
      document: `query Q(${page} mediumArticles(limit: 100, offset: 0, q: $q) { total nodes { articleId mediumArticleId title url feedId publishedAt enabled } } }`,
      frequent: 'の',
      texts: titles,
    },
    {
      name: 'bankAccounts',
      api: 'insight',
      document: `query Q(${page} bankAccounts(limit: 100, offset: 0, q: $q) { total nodes { id typeName holder enabled bank { id name } bankBranch { id name } organization { id name } } } }`,
      frequent: 'ケイソク',
      texts: names,
    },
    {
      name: 'banks',
      api: 'insight',
      document: `query Q(${page} banks(limit: 20, offset: 0, q: $q) { total nodes { id code name kana } } }`,
      frequent: '信用金庫',
      texts: banks,
    },
    {
      name: 'bankBranches',
      api: 'insight',
      document: `query Q(${page} bankBranches(bankId: 2, limit: 20, offset: 0, q: $q) { total nodes { id code name kana } } }`,
      frequent: '支店',
      texts: branches,
    },
    {
      name: 'organizations',
      api: 'insight',
      document: `query Q(${page} organizations(limit: 20, offset: 0, q: $q) { total nodes { id name } } }`,
      frequent: 'カブシキ',
      texts: names,
      kana,
    },
    {
      name: 'statements',
      api: 'insight',
      document: `query Q(${page} statements(limit: 100, offset: 0, param: { states: [issued, confirmed, objected, resolved] }, q: $q) { total nodes { id number payeeName month total state } } }`,
      frequent: 'カブシキ',
      texts: names,
      kana,
    },
    {
      name: 'searchStatements',
      api: 'insight',
      document: `query Q($q: String!) { searchStatements(limit: 5, q: $q) { id numberText month payeeName agreementName total } }`,
      frequent: '株式会社',
      texts: names.flatMap((name, n) => [
        name,
        `${2026 - (n % 2)}年${1 + (n % 12)}月 ${name.slice(0, 4)}`,
        `2026${String(1 + (n % 6)).padStart(2, '0')}-${String(n % 20_000).padStart(6, '0')}`,
      ]),
      kana,
    },
    {
      name: 'users',
      api: 'iam',
      document: `query Q(${page} users(limit: 100, offset: 0, q: $q) { total nodes { uid email roles { name } enabled organization { id name } } } }`,
      frequent: '@kaisha',
      texts: ['tanaka.12@', 'suzuki.8', 'kaisha77.example', 'yamada.99', 'takahashi', 'sato.300@kaisha300'],
    },
  ]
}

/** The n-th typed text; undefined: this kind does not apply to the list. */
export function typedText(search: ListSearch, kind: SearchKind, n: number): string | undefined {
  const text = [...(search.texts[(n * 131) % search.texts.length] ?? '')]
  const from = n % 4
  const part = (length: number) =>
    text
      .slice(Math.min(from, Math.max(0, text.length - length)))
      .slice(0, length)
      .join('')
  switch (kind) {
    case '1':
      return part(1)
    case '2':
      return part(2)
    case '3+':
      return part(3 + (n % 3))
    case 'two words':
      return `${part(2)} ${text.slice(-3).join('')}`
    case 'kana':
      return (
        search.kana && hiragana([...(search.kana[(n * 131) % search.kana.length] ?? '')].slice(0, 4 + (n % 3)).join(''))
      )
    case 'width':
      return `　${part(3).normalize('NFKC').toUpperCase()}`
    case 'none':
      return `該当なし${n}`
    case 'frequent':
      return search.frequent
  }
}

function hiragana(katakana: string): string {
  return katakana.replace(/[\u30a1-\u30f6]/g, one => String.fromCharCode(one.charCodeAt(0) - 0x60))
}
