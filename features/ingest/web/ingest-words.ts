import { type Day, dayParts, parseDay } from '@pc/domain/month/day.ts'
import { dayText, monthDayText } from '@pc/domain/month/day-text.ja.ts'
import type { BadgeTone } from '@pc/ui/elements/card.tsx'
import { NO_VALUE } from '@pc/ui/text/format.ts'
import type { IngestDataset, IngestResult } from '../ingest-condition.ts'

export const DATASET_WORDS: Readonly<Record<IngestDataset, string>> = {
  article_daily: '記事の日別',
  video_daily: '動画の日別',
  summary_daily: 'パブリッシャーの日別',
  events: 'イベント（1件ごと）',
  articles: '記事',
  videos: '動画',
}

/** The label in a select. It marks the one dataset that payments are calculated from. */
export function datasetChoiceText(dataset: IngestDataset): string {
  return dataset === 'summary_daily' ? `${DATASET_WORDS[dataset]}（支払額の計算に使用）` : DATASET_WORDS[dataset]
}

export const RESULT_WORDS: Readonly<Record<IngestResult, { label: string; tone: BadgeTone; meaning: string }>> = {
  applied: { label: '取り込み済み', tone: 'ok', meaning: 'レポートに反映済みです。' },
  replaced: { label: '置き換え済み', tone: 'mute', meaning: '訂正のバッチが代わりに取り込まれました。' },
  refused: { label: '取り込み失敗', tone: 'bad', meaning: '送信元に修正と再送を依頼してください。' },
  failed: {
    label: '反映できず',
    tone: 'bad',
    meaning: '受け取りましたが、反映できていません。送り直すか、中止するまで、対象の月は締められません。',
  },
  running: { label: '処理中', tone: 'warn', meaning: '受け取った内容を検査、または反映しています。' },
}

/** 2026年11月1日〜20日: the days that the figures are about; articles and videos have none. */
export function daysText({ firstDay, lastDay }: { firstDay?: unknown; lastDay?: unknown }): string {
  const [first, last] = [parseDay(String(firstDay ?? '')), parseDay(String(lastDay ?? ''))] as (Day | undefined)[]
  if (first === undefined || last === undefined) return NO_VALUE
  if (first === last) return dayText(first)
  const [from, to] = [dayParts(first), dayParts(last)]
  if (from.year !== to.year) return `${dayText(first)}〜${dayText(last)}`
  return `${dayText(first)}〜${from.month === to.month ? `${to.date}日` : monthDayText(last)}`
}
