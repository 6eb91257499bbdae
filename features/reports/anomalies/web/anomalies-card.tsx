import { useQuery } from '@apollo/client/react'
import { type EntityCondition, filterArguments } from '@pc/domain/condition/entity-filter.ts'
import { addDays, day } from '@pc/domain/month/day.ts'
import { monthDayText, weekdayText } from '@pc/domain/month/day-text.ja.ts'
import { ALERTS_MUTED_KEY } from '@pc/domain/report/alert-preference.ts'
import { SUMMARY_METRICS } from '@pc/domain/report/metric.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { SlimCard } from '@pc/ui/elements/slim-card.tsx'
import { lazyPart } from '@pc/ui/routing/lazy-part.tsx'
import { formatChange, formatInteger } from '@pc/ui/text/format.ts'
import { IconBellOff, IconTrendingDown, IconTrendingUp } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { ChangeMetric } from '../../core/web/change-drawer.gen.ts'
import type { ExplainedFigure } from '../../core/web/change-drawer.tsx'
import { dashboardAddress } from '../../core/web/publisher-links.ts'
import { AnomaliesDocument, type AnomaliesQuery, MuteAnomaliesDocument } from './anomalies.gen.ts'
import styles from './anomalies.module.css'

const ChangeDrawer = lazyPart(async () => (await import('../../core/web/change-drawer.tsx')).ChangeDrawer)

type Change = AnomaliesQuery['changes']['nodes'][number]

const FIRST = 5
/** The API's greatest limit. */
const MAX_ANOMALIES = 100
const LABELS: Readonly<Record<Change['figure'], string>> = {
  impressions: SUMMARY_METRICS.impressions.label,
  clicks: SUMMARY_METRICS.clicks.label,
  revenue: SUMMARY_METRICS.publisherTotalRevenue.label,
}

/** Lists figures that differ much from the same weekday of earlier weeks, with links to their reports. A person can mute it. */
export function AnomaliesCard(ids: EntityCondition) {
  const [isOpen, setOpen] = useState(false)
  const [explained, setExplained] = useState<ExplainedFigure>()
  const { data, previousData, refetch, client } = useQuery(AnomaliesDocument, {
    variables: { limit: MAX_ANOMALIES, param: filterArguments(ids), muted: [ALERTS_MUTED_KEY] },
  })
  const shown = data ?? previousData
  if (!shown?.changes) return null
  const { total, nodes } = shown.changes
  const isMuted = shown.preferences?.some(one => one?.key === ALERTS_MUTED_KEY && one.value === 'true') ?? false
  const change = async (value: 'true' | null) => {
    const { error } = await client.mutate({
      mutation: MuteAnomaliesDocument,
      variables: { key: ALERTS_MUTED_KEY, value },
      errorPolicy: 'all',
    })
    if (!error) await refetch()
  }
  if (isMuted) {
    return (
      <SlimCard
        label="急な変化"
        mark={<IconBellOff size={18} aria-hidden />}
        action={{ label: '再開する', onPress: () => void change(null) }}
      >
        急な変化のお知らせを止めています（メールも届きません）。
      </SlimCard>
    )
  }
  if (total === 0) return null
  return (
    <Card
      title="急な変化"
      note="ふだんの同じ曜日（直近8週の中央値）の半分以下、または2倍以上になった数値です"
      tools={
        <Button icon={<IconBellOff size={16} aria-hidden />} onClick={() => void change('true')}>
          お知らせを止める
        </Button>
      }
    >
      <ul className={styles.list}>
        {(isOpen ? nodes : nodes.slice(0, FIRST)).map(one => (
          <Line key={one.id} change={one} onExplain={setExplained} />
        ))}
      </ul>
      {explained && (
        <Suspense fallback={null}>
          <ChangeDrawer figure={explained} onClose={() => setExplained(undefined)} />
        </Suspense>
      )}
      {total > FIRST && (
        <p className={styles.more}>
          {isOpen ? (
            total > nodes.length &&
            `ほか${formatInteger(total - nodes.length)}件は、媒体やパブリッシャーで絞り込むと表示されます。`
          ) : (
            <button type="button" className={styles.link} onClick={() => setOpen(true)}>
              {`ほか${formatInteger(total - FIRST)}件を表示する`}
            </button>
          )}
        </p>
      )}
    </Card>
  )
}

const METRICS: Readonly<Record<Change['figure'], ChangeMetric>> = {
  impressions: 'impressions',
  clicks: 'clicks',
  revenue: 'publisherTotalRevenue',
}

/** Explained against the same weekday one week before, because an explanation compares two ranges, not the usual value. */
function figureOf({ figure, lastOn, publisherId, publisherName, mediumId, mediumName }: Change): ExplainedFigure {
  return {
    ...{ metric: METRICS[figure], compareWith: 'same_weekdays', range: { from: day(lastOn), to: day(lastOn) } },
    filter: { publisherId: [publisherId], mediumId: [mediumId] },
    name: `パブリッシャー「${publisherName}」（${mediumName}）`,
  }
}

function Line({ change, onExplain }: { change: Change; onExplain: (figure: ExplainedFigure) => void }) {
  const { figure, direction, value, usual, publisherName, mediumName } = change
  const [beganOn, lastOn] = [day(change.beganOn), day(change.lastOn)]
  const unit = figure === 'revenue' ? '円' : '回'
  const Icon = direction === 'drop' ? IconTrendingDown : IconTrendingUp
  const address = dashboardAddress({
    ...{ from: addDays(lastOn, -13), to: lastOn, compareWith: 'none' },
    ...{ mediumId: [change.mediumId], publisherId: [change.publisherId] },
  })
  return (
    <li className={styles.line} data-direction={direction}>
      <Icon size={18} className={styles.icon} aria-hidden />
      <a href={address}>
        {publisherName}
        <span className={styles.medium}>{mediumName}</span>
      </a>
      <span className={styles.figure}>
        {`${LABELS[figure]} `}
        <b className="num">{formatInteger(value)}</b>
        {unit}
        <button
          type="button"
          className={styles.change}
          title="増減の理由を見る"
          aria-haspopup="dialog"
          onClick={() => onExplain(figureOf(change))}
        >
          <span className="visually-hidden">{direction === 'drop' ? '減少' : '増加'}</span>
          {formatChange(value, usual)?.text}
        </button>
      </span>
      <span className={styles.usual}>
        {`ふだんの${weekdayText(lastOn)}曜日 ${formatInteger(usual)}${unit}・`}
        {beganOn === lastOn ? monthDayText(lastOn) : `${monthDayText(beganOn)}から${monthDayText(lastOn)}まで継続`}
      </span>
    </li>
  )
}
