import { type Refusal, refusal } from '../refusal.ts'
import { ok, type Result, refused } from '../result.ts'
import { forbiddenCharacters, toHalfWidthKana } from './half-width-kana.ts'

/** Bytes of the holder's name in a data record. */
export const MAX_HOLDER_BYTES = 30

export type AccountHolderRefusal = Refusal<
  'bank/holder-empty' | 'bank/holder-character-not-allowed' | 'bank/holder-too-long'
>

/**
 * The holder's name as the bank file writes it. A character that cannot be written is refused, and so is a name of more
 * than 30 bytes: a cut name could be somebody else's.
 * Tested by `domain/bank/bank.test.ts`.
 */
export function toAccountHolderKana(text: string, extraAllowed = ''): Result<string, AccountHolderRefusal> {
  const half = abbreviateCompany(toHalfWidthKana(text).trim())
  if (half === '') return refused(refusal('bank/holder-empty', ['input', 'holder']))
  const forbidden = forbiddenCharacters(half, extraAllowed)
  if (forbidden.length > 0) {
    return refused(
      refusal('bank/holder-character-not-allowed', ['input', 'holder'], { characters: forbidden.join('') }),
    )
  }
  if (half.length > MAX_HOLDER_BYTES) {
    return refused(
      refusal('bank/holder-too-long', ['input', 'holder'], { bytes: half.length, limit: MAX_HOLDER_BYTES }),
    )
  }
  return ok(half)
}

/**
 * Kinds of corporations and their abbreviations in bank transfers (common ones, not yet compared with the source bank's
 * list). Longer names first, so that 一般社団法人 is not read as 社団法人.
 */
const COMPANY_ABBREVIATIONS: readonly (readonly [names: readonly string[], short: string])[] = [
  [['トクテイヒエイリカツドウホウジン', '特定非営利活動法人'], 'トクヒ'],
  [['ドクリツギョウセイホウジン', '独立行政法人'], 'ドク'],
  [['シャカイフクシホウジン', '社会福祉法人'], 'フク'],
  [['イッパンシャダンホウジン', '一般社団法人', 'コウエキシャダンホウジン', '公益社団法人'], 'シャ'],
  [['イッパンザイダンホウジン', '一般財団法人', 'コウエキザイダンホウジン', '公益財団法人'], 'ザイ'],
  [['シャダンホウジン', '社団法人'], 'シャ'],
  [['ザイダンホウジン', '財団法人'], 'ザイ'],
  [['シュウキョウホウジン', '宗教法人'], 'シュウ'],
  [['ガッコウホウジン', '学校法人'], 'ガク'],
  [['イリョウホウジン', '医療法人'], 'イ'],
  [['ベンゴシホウジン', '弁護士法人'], 'ベン'],
  [['ゼイリシホウジン', '税理士法人'], 'ゼイ'],
  [['ギョウセイショシホウジン', '行政書士法人'], 'ギョ'],
  [['シホウショシホウジン', '司法書士法人'], 'シホウ'],
  [['カブシキガイシャ', 'カブシキカイシャ', '株式会社', '(株)'], 'カ'],
  [['ユウゲンガイシャ', '有限会社', '(有)'], 'ユ'],
  [['ゴウドウガイシャ', '合同会社', '(同)'], 'ド'],
  [['ゴウメイガイシャ', '合名会社'], 'メ'],
  [['ゴウシガイシャ', '合資会社'], 'シ'],
  [['ソウゴガイシャ', '相互会社'], 'ソ'],
]
const HALF_ABBREVIATIONS = COMPANY_ABBREVIATIONS.flatMap(([names, short]) =>
  names.map(name => ({ name: toHalfWidthKana(name), short: toHalfWidthKana(short) })),
)

/**
 * `ｶﾌﾞｼｷｶﾞｲｼﾔ ｱｵｿﾞﾗ` → `ｶ)ｱｵｿﾞﾗ`, `ｱｵｿﾞﾗ ｶﾌﾞｼｷｶﾞｲｼﾔ` → `ｱｵｿﾞﾗ(ｶ`. A name with the kind in the middle stays as it is,
 * for a person to decide.
 */
function abbreviateCompany(half: string): string {
  for (const { name, short } of HALF_ABBREVIATIONS) {
    if (half.startsWith(name)) return `${short})${half.slice(name.length).trimStart()}`
    if (half.endsWith(name)) return `${half.slice(0, -name.length).trimEnd()}(${short}`
  }
  return half
}
