import { Badge, type BadgeTone } from '@pc/ui/elements/card.tsx'
import type { FigureState } from './period-label.ts'

const BADGES: Readonly<Record<FigureState, readonly [text: string, tone: BadgeTone, meaning: string]>> = {
  final: ['確定', 'ok', '月次の確定が済んだ金額です'],
  estimate: ['速報', 'warn', '確定前の金額です。月次の確定で変わることがあります'],
  running: ['集計中', 'warn', '期間がまだ終わっていません。数値は増えていきます'],
  awaited: ['集計前', 'mute', 'この期間のデータはまだ届いていません'],
  none: ['データなし', 'mute', 'この期間のデータはありません（0とは異なります）'],
}

export function StateBadge({ state }: { state: FigureState }) {
  const [text, tone, meaning] = BADGES[state]
  return (
    <Badge tone={tone} title={meaning}>
      {text}
    </Badge>
  )
}

export function stateText(state: FigureState): string {
  return BADGES[state][0]
}
