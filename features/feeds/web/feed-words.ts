import type { FeedErrorClass, FeedState } from '@pc/domain/feed/feed-health.ts'
import { FEED_TYPES } from '@pc/domain/feed/feed-type.ts'
import type { BadgeTone } from '@pc/ui/elements/card.tsx'

export const FEED_STATE_WORDS: Readonly<Record<FeedState, readonly [label: string, tone: BadgeTone, meaning: string]>> =
  {
    ok: ['正常', 'ok', '直近の読み込みに成功し、記事数もふだんどおりです'],
    quiet: ['記事が少ない', 'warn', '読み込めていますが、同じ曜日のふだんの記事数より大きく減っています'],
    failing: ['失敗あり', 'warn', '直近の読み込みに失敗しました。続くと障害として通知します'],
    outage: ['障害', 'bad', '30分以上続けて読み込めていません'],
    unchecked: ['未確認', 'mute', 'まだ読み込んでいません'],
  }

export const FEED_ERROR_WORDS: Readonly<Record<FeedErrorClass | 'too_large', string>> = {
  address: 'URLが使えません',
  connection: '接続できません',
  timeout: '応答がありません',
  http: 'サイトがエラーを返しました',
  'too-large': 'フィードが大きすぎます',
  too_large: 'フィードが大きすぎます',
  format: 'フィードの形式が正しくありません',
}

/** Shown untranslated, because people know the types by these names. */
export const FEED_TYPE_OPTIONS = FEED_TYPES.map(type => ({ value: type, label: type }))
