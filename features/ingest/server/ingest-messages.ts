import { truncate } from '@pc/domain/text/truncate.ts'
import type { DatasetColumn } from './checking/dataset-columns.ts'
import { cellExample, EARLIEST_DAY } from './checking/dataset-columns.ts'
import { MAX_COUNT } from './checking/figure-limits.ts'

const GIB = 1024 ** 3
const MIB = 1024 ** 2
const size = (bytes: number) => (bytes >= GIB ? `${bytes / GIB}GB` : `${Math.floor(bytes / MIB)}MB`)
const number = (value: bigint | number) => value.toLocaleString('ja-JP')

/** The messages about a delivery as a whole. Each tells the sender what to do. */
export const INGEST_MESSAGES = {
  notADataset: (given: string, datasets: readonly string[]) =>
    `「${given}」というデータセットはありません。${datasets.join('、')} のいずれかを指定してください。`,
  empty: 'ファイルが空です。書き出しが完了しているか確認して、もう一度お送りください。',
  noRows: 'データ行がありません。見出しだけのファイルになっていないか確認してください。',
  allRowsBad: '取り込める行が1行もありません。列の並びと値を確認して、もう一度お送りください。',
  tooLarge: (bytes: number) => `ファイルが大きすぎます（上限 ${size(bytes)}）。期間を分けてお送りください。`,
  tooLargeToCheck: '検査に必要なメモリが足りないため、取り込みませんでした。行数を分けて、もう一度お送りください。',
  tooLargeUnpacked: (bytes: number) => `展開後の大きさが上限（${size(bytes)}）を超えます。期間を分けてお送りください。`,
  expandsTooMuch: (times: number) =>
    `圧縮率が高すぎるため展開を中止しました（上限 ${times}倍）。圧縮せずにお送りください。`,
  damaged: '圧縮ファイルが壊れているか、途中で切れています。もう一度お送りください。',
  unknownFormat:
    'ファイルの形式が分かりません。UTF-8 の CSV、NDJSON、または Parquet（それぞれ gzip か zstd で圧縮可）でお送りください。',
  spreadsheet:
    'Excel ファイル（.xlsx、.xls）や ZIP は取り込めません。Excel の「名前を付けて保存」で「CSV UTF-8（コンマ区切り）」を選び、CSV で保存してからお送りください。',
  utf16:
    '文字コードが UTF-16 です。Excel の「名前を付けて保存」で「CSV UTF-8（コンマ区切り）」を選び、保存し直してください。',
  unknownDataset: (closest: string, problems: string) =>
    `列名からデータセットを決められませんでした。いちばん近いのは ${closest} です。${problems}列名を直すか、データセットを指定してください。`,
  unknownEncoding: '圧縮方式は gzip か zstd だけを使えます。',
  unreadable: (what: string) => `ファイルを読めません（${what}）。形式を確認して、もう一度お送りください。`,
  headerNotUtf8:
    '見出し行が UTF-8 ではありません。Excel では「CSV UTF-8（コンマ区切り）」を選んで、保存し直してください。',
  headerTooLong: '見出し行が長すぎるか、終わりがありません。1行目に列名を書いてください。',
  missingColumns: (names: readonly string[]) =>
    `必要な列がありません：${names.join('、')}。1行目の列名を確認してください。`,
  unknownColumns: (names: readonly string[], known: readonly string[]) =>
    `知らない列があります：${names.map(shown).join('、')}。使える列は ${known.join('、')} です。`,
  doubledColumns: (names: readonly string[]) => `同じ列が2回以上あります：${names.join('、')}。1つだけにしてください。`,
  parquetType: (column: DatasetColumn, type: string) =>
    `列 ${column.name}（${column.label}）の型 ${shown(type)} は使えません。${parquetHint(column)}`,
  badRows: (badRows: number) =>
    `${number(badRows)}行に誤りがあるため、取り込めません。下の行を直して、もう一度お送りください。誤りのある行を除いて取り込むこともできます（APIとコマンドでは quarantine を指定します）。`,
  tooManyQuarantined: (badRows: number, limit: number) =>
    `${number(badRows)}行に誤りがあり、取り除ける上限（${number(limit)}行）を超えるため、何も取り込みませんでした。ファイルの形式を確認してください。`,
  batchId: 'バッチIDは1〜200文字の英数字と「. _ - : /」で指定してください。',
  unknownPredecessor: (batchId: string) =>
    `置き換える対象のバッチ ${batchId} は取り込まれていません。バッチIDを確認してください。`,
  superseded: (batchId: string, by: string) =>
    `この内容（バッチ ${batchId}）は、バッチ ${by} で訂正済みです。元に戻す場合は、バッチ ${by} を置き換える指定（replaces）を付けてお送りください。`,
  sameContent: (batchId: string) =>
    `同じ内容がバッチ ${batchId} として取り込み済みです。二重計上を防ぐため、取り込みませんでした。`,
  batchIdInUse: (batchId: string) =>
    `バッチID ${batchId} は別の内容で使われています。訂正の場合は replaces を付けずに、同じバッチIDだけを指定してください。`,
  overlap: (batchId: string, example: string) =>
    `${example} などの数値は、バッチ ${batchId} で取り込み済みです。二重計上を防ぐため、取り込みませんでした。訂正の場合は、同じバッチIDで送るか、置き換える指定（replaces: ${batchId}）を付けてお送りください。`,
  tooGreatDay: (column: string, of: string, sum: bigint, limit: bigint) =>
    `${of} の ${column} の合計が ${number(sum)} になり、1日の上限（${number(limit)}）を超えるため、取り込みませんでした。列の並び、単位、日付を確認して、もう一度お送りください。`,
  tooGreatTotal: (column: string, of: string, sum: bigint, limit: bigint, greatestBatch: bigint | null) =>
    `取り込み済みの分を含む ${column} の累計が ${number(sum)} になり、上限（${number(limit)}）を超えるため、取り込みませんでした。このファイルで最も大きいのは ${of} です。列の並びと単位を確認してください。このファイルが正しい場合は、取り込み済みの誤った数値を先に訂正してください${greatestBatch === null ? '' : `（累計で最も大きいのは取り込み ${greatestBatch} です）`}。`,
  notPublishable: (batchNo: bigint) =>
    `受け取りましたが、反映できませんでした（取り込み ${batchNo}）。置き換える前の数値はそのまま表示しています。ほかの取り込みには影響ありません。システム管理者がログで原因を確認するまで、同じ内容は送り直さないでください。`,
  abandoned: '反映できないため、中止しました。正しい内容を送り直してください。',
  replacedWhileFailed: '新しい版が届いたため、反映を中止しました。',
  notCompleted:
    '受け取ったファイルをもう一度読めなかったため、この取り込みは完了していません。システム管理者は、ログに記録された原因を確認し、保管ファイルをバックアップから戻して再起動してください。',
} as const

/** Codes of row errors. Each has a message that says what to write instead. */
export type RowErrorCode =
  | 'missing'
  | 'not-integer'
  | 'out-of-range'
  | 'not-a-day'
  | 'too-early'
  | 'future'
  | 'not-an-instant'
  | 'not-a-choice'
  | 'unknown-medium'
  | 'unknown-publisher'
  | 'cells-json'
  | 'cells-value'
  | 'names-json'
  | 'names-value'
  | 'needed-for-kind'
  | 'not-for-kind'
  | 'watch-only'
  | 'without-watches'
  | 'more-than-watches'
  | 'doubled-key'
  | 'too-far-ahead'
  | 'too-long'
  | 'hidden-character'
  | 'not-a-web-address'
  | 'doubled-id'
  | 'doubled-own-id'
  | 'other-medium'
  | 'other-publisher'
  | 'removed-of-other'
  | 'own-id-taken'
  | 'unknown-feed'
  | 'feed-of-others'
  | 'line-columns-missing'
  | 'line-columns-extra'
  | 'line-quote'
  | 'line-encoding'
  | 'line-too-long'
  | 'line-json'
  | 'line-unreadable'

type Wording = (column: DatasetColumn, value: string) => string

const rangeOf = (column: DatasetColumn): string => {
  if (column.type.kind === 'id') return '1 以上、2の53乗未満の整数'
  return column.type.kind === 'count' ? `0 から ${column.type.max} までの整数` : '0 以上の整数'
}
const name = (column: DatasetColumn) => `${column.name}（${column.label}）`

const WORDINGS: Readonly<Record<RowErrorCode, Wording>> = {
  missing: column => `${name(column)}が空です。値を書いてください。`,
  'not-integer': (column, value) =>
    `${name(column)}の「${shown(value)}」は整数ではありません。桁区切りや小数点のない${rangeOf(column)}で書いてください。`,
  'out-of-range': (column, value) =>
    `${name(column)}の「${shown(value)}」は範囲外です。${rangeOf(column)}で書いてください。`,
  'not-a-day': (column, value) =>
    `${name(column)}の「${shown(value)}」は日付ではありません。YYYY-MM-DD の形で書いてください。`,
  'too-early': (column, value) =>
    `${name(column)}の「${shown(value)}」は古すぎます。${column.type.kind === 'instant' ? column.type.earliest : EARLIEST_DAY} 以降の日付だけを取り込めます。`,
  future: (column, value) =>
    `${name(column)}の「${shown(value)}」は未来です。日本時間で今日までのデータだけを取り込めます。`,
  'not-an-instant': (column, value) =>
    `${name(column)}の「${shown(value)}」は日時ではありません。2026-11-01T12:34:56+09:00 のように時差を付けて書いてください。`,
  'not-a-choice': (column, value) =>
    `${name(column)}の「${shown(value)}」は使えません。${column.type.kind === 'choice' ? column.type.choices.join('、') : ''} のいずれかを書いてください。`,
  'unknown-medium': (column, value) =>
    `媒体番号 ${shown(value)}（${column.name}）は登録されていません。「媒体」の画面で番号 ${shown(value)} の媒体を登録してから送り直すか、番号を直してください。`,
  'unknown-publisher': (column, value) =>
    `${name(column)}の「${shown(value)}」は登録されていません。先にパブリッシャーを登録するか、IDを直してください。`,
  'cells-json': column => `${name(column)}の JSON を読めません。${cellsHint(column)}の形で書いてください。`,
  'cells-value': column =>
    `${name(column)}に使えない値か、同じ組み合わせの重複があります。${cellsHint(column)}の形で、${cellsRange(column)}書いてください。`,
  'names-json': column => `${name(column)}の JSON を読めません。["山田花子","鈴木一郎"] の形で書いてください。`,
  'names-value': column => `${name(column)}に使えない値があります。空ではない${namesRange(column)}で書いてください。`,
  'needed-for-kind': column => `この kind の行には ${name(column)}が必要です。値を書いてください。`,
  'not-for-kind': column => `この kind の行に ${name(column)}は書けません。空にするか、kind を直してください。`,
  'watch-only': column => `${name(column)}は type が watch の行にだけ書けます。空にするか、type を直してください。`,
  'without-watches': column =>
    `閲覧数（watch）が 0 の行に、${name(column)}があります。閲覧数を書くか、0 か空にしてください。`,
  'more-than-watches': (column, value) =>
    `${name(column)}の「${shown(value)}」が閲覧数（watch）より多くなっています。どちらかを直してください。`,
  'doubled-key': () => '同じ日付・媒体・対象の行が、このファイルに2行以上あります。1行にまとめてください。',
  'too-far-ahead': (column, value) =>
    `${name(column)}の「${shown(value)}」は先すぎます。${column.type.kind === 'instant' ? column.type.aheadDays : 0}日後までの日時を書いてください。`,
  'too-long': (column, value) =>
    `${name(column)}の「${shown(value)}」は長すぎます。${'max' in column.type ? column.type.max : ''}文字以内で書いてください。`,
  'hidden-character': (column, value) =>
    `${name(column)}の「${shown(value)}」に、改行や、文字の並ぶ向きを変える記号など、表示されない文字が含まれています。取り除いてください。`,
  'not-a-web-address': (column, value) =>
    `${name(column)}の「${shown(value)}」は URL として使えません。https:// か http:// で始まり、空白や引用符を含まない URL を書いてください。`,
  'doubled-id': (column, value) =>
    `${name(column)}の「${shown(value)}」の行が、このファイルに2行以上あります。1行にまとめてください。`,
  'doubled-own-id': (column, value) =>
    `${name(column)}の「${shown(value)}」が、このファイルで同じ媒体の2件以上の記事に付いています。1件だけにしてください。`,
  'other-medium': (column, value) =>
    `${name(column)}の「${shown(value)}」は、このIDで登録済みの媒体と違います。媒体は変更できません。どちらかのIDを直してください。`,
  'other-publisher': (column, value) =>
    `${name(column)}の「${shown(value)}」は、このIDで登録済みのパブリッシャーと違い、登録済みのパブリッシャーの日別の数値が残っています。IDを直すか、先に日別の数値を正しいパブリッシャーで訂正してから、もう一度お送りください。`,
  'removed-of-other': (column, value) =>
    `${name(column)}の「${shown(value)}」は、このIDで登録済みのパブリッシャーと違います。削除した記事のパブリッシャーは変更できません。この行を取り除いてください。`,
  'own-id-taken': (column, value) =>
    `${name(column)}の「${shown(value)}」は、この媒体の別の記事で使われています。どちらかのIDを直してください。`,
  'unknown-feed': (column, value) =>
    `${name(column)}の「${shown(value)}」は登録されていません。先にフィードを登録するか、空にしてください。`,
  'feed-of-others': (column, value) =>
    `${name(column)}の「${shown(value)}」は、別の媒体かパブリッシャーのフィードです。IDを直すか、空にしてください。`,
  'line-columns-missing': () => '列が足りません。見出しと同じ数の列を書いてください。',
  'line-columns-extra': () => '列が多すぎます。値にカンマを含むときは「"」で囲んでください。',
  'line-quote': () => '引用符「"」の使い方が正しくありません。値の中の「"」は「""」と書いてください。',
  'line-encoding': () =>
    'UTF-8 ではない文字があります。Excel では「CSV UTF-8（コンマ区切り）」を選んで、保存し直してください。',
  'line-too-long': () => '1行が長すぎます。引用符「"」の閉じ忘れがないか確認してください。',
  'line-json': () => 'JSON のオブジェクトとして読めません。1行に1つのオブジェクトを書いてください。',
  'line-unreadable': () => 'この行を読めません。前後の行と形式を見比べてください。',
}

export function rowErrorMessage(code: RowErrorCode, column: DatasetColumn, value: string): string {
  return WORDINGS[code](column, value)
}

/** A value from outside inside a message: short, on one line, without control characters. */
function shown(value: string): string {
  return truncate(value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '�'), 60)
}

function cellsHint(column: DatasetColumn): string {
  return column.type.kind === 'cells' ? cellExample(column.type.ids, column.type.counts) : ''
}

function cellsRange(column: DatasetColumn): string {
  if (column.type.kind !== 'cells') return ''
  const ids = Object.entries(column.type.ids).map(([id, max]) => `${id} は 0 から ${max}、`)
  return `${ids.join('')}${column.type.counts.join('と')} は 0 から ${MAX_COUNT} までの整数で`
}

function namesRange({ type }: DatasetColumn): string {
  return type.kind === 'names' ? `${type.max}文字以内の文字列を、${type.most}個まで` : ''
}

function parquetHint(column: DatasetColumn): string {
  switch (column.type.kind) {
    case 'day':
      return 'DATE 型か、YYYY-MM-DD の文字列にしてください。'
    case 'instant':
      return '時差付きの TIMESTAMP 型（isAdjustedToUTC）、文字列、または 1970年からのミリ秒の整数にしてください。'
    case 'cells':
      return 'JSON の文字列か、構造体のリストにしてください。'
    case 'names':
      return '文字列か、文字列のリストにしてください。'
    case 'choice':
    case 'title':
    case 'name':
    case 'web-address':
      return '文字列にしてください。'
    default:
      return '整数型にしてください。'
  }
}
