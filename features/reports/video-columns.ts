import { VIDEO_METRICS } from '@pc/domain/report/metric.ts'
import { CTR, count, DATE, SHARE_NOTE, STATE, shown } from './column-facts.ts'
import { contentMoney, itemColumns, moreItemColumns } from './content-column-facts.ts'
import type { ReportColumn } from './report-columns.ts'

const videoFigures: readonly ReportColumn[] = [
  shown('IMPRESSION', count(VIDEO_METRICS.impression.label, '動画が画面に表示された回数です。')),
  shown('CLICK', count(VIDEO_METRICS.click.label, '動画がクリック（タップ）された回数です。')),
  shown('CTR', CTR),
  shown('WATCH', count(VIDEO_METRICS.watch.label, '動画が再生された回数です。')),
  shown('WATCH3S', count(VIDEO_METRICS.watch3s.label, '3秒以上再生された回数です。')),
  shown('PLAYTIME', {
    label: VIDEO_METRICS.play_time.label,
    unit: 'seconds',
    definition: '再生された時間の合計です。',
  }),
  shown('AVERAGEPLAYTIME', {
    label: VIDEO_METRICS.average_play_time.label,
    unit: 'seconds',
    definition: '1回の再生あたりの再生時間です。1秒未満は切り捨てます。',
    formula: '再生時間 ÷ 再生数',
  }),
  shown('WATCH97P', count(VIDEO_METRICS.watch97p.label, '動画の97%以上まで再生された回数です。')),
  shown('AVERAGEWATCH97P', {
    label: VIDEO_METRICS.average_watch97p.label,
    unit: 'percent',
    definition: `再生のうち、97%以上まで見られた割合です。${SHARE_NOTE}`,
    formula: '97%再生数 ÷ 再生数',
  }),
  ...contentMoney('動画'),
]

const DURATION: ReportColumn = shown('duration', {
  label: '動画の長さ',
  unit: 'seconds',
  definition: '動画そのものの長さです。',
})

export const VIDEO_COLUMNS = {
  videos: [...itemColumns('動画'), DURATION, ...videoFigures, ...moreItemColumns('動画')],
  'videos-by-date': [DATE, STATE, ...videoFigures],
  video: [DATE, STATE, ...videoFigures],
} as const satisfies Record<string, readonly ReportColumn[]>
