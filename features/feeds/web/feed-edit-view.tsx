import { FEED_FIELD_LABELS_JA } from '@pc/domain/feed/feed-record.ts'
import { Badge, Card } from '@pc/ui/elements/card.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { fieldWords } from '@pc/ui/history/field-words.ts'
import { RecordHistory } from '@pc/ui/history/record-history.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { RecordScreen } from '@pc/ui/routing/record-screen.tsx'
import { formatInstant, formatInteger, NO_VALUE } from '@pc/ui/text/format.ts'
import { FEEDS_PATH } from '../links.ts'
import styles from './feed.module.css'
import { FeedForm } from './feed-form.tsx'
import { feedTitle } from './feed-title.ts'
import { feedInput, feedValuesOf } from './feed-values.ts'
import { FEED_ERROR_WORDS, FEED_STATE_WORDS } from './feed-words.ts'
import { type FeedEditQuery, type FeedFieldsFragment, UpsertFeedDocument } from './feeds.gen.ts'
import { feedRights } from './feeds-query.ts'

const WORDS = fieldWords(FEED_FIELD_LABELS_JA, { enabled: value => (value === true ? '有効' : '無効') })

export function FeedEditView(props: ScreenProps<object, FeedEditQuery>) {
  const { viewer } = props
  const rights = feedRights(viewer)
  const submit = useSubmission(UpsertFeedDocument)
  return (
    <RecordScreen
      {...props}
      listAddress={addressOf(FEEDS_PATH)}
      title={feedTitle(viewer)}
      record={props.data?.feed ?? undefined}
      name={feed => feed.name}
    >
      {feed => (
        <FeedForm
          key={feed.id}
          title={feedTitle(viewer)}
          viewer={viewer}
          feed={feed}
          initial={feedValuesOf(feed)}
          send={(values, expectedRevision) =>
            submit({
              input: {
                ...feedInput(values, rights.sendable),
                id: feed.id,
                ...(expectedRevision === undefined ? {} : { expectedRevision }),
              },
            })
          }
          aside={
            <div className={styles.aside}>
              <Health health={feed.health} risk={feed.revenueAtRisk} />
              {rights.shown.withNotes && <RecordHistory kind="feed" id={feed.id} words={WORDS} />}
            </div>
          }
        />
      )}
    </RecordScreen>
  )
}

function Health({ health, risk }: { health: FeedFieldsFragment['health']; risk: FeedFieldsFragment['revenueAtRisk'] }) {
  const [label, tone, meaning] = FEED_STATE_WORDS[health.state]
  const instant = (value: string | null) => (value ? formatInstant(value) : NO_VALUE)
  return (
    <Card title="稼働状況" tools={<Badge tone={tone}>{label}</Badge>}>
      <p className={styles.note}>{meaning}。</p>
      <dl className={styles.health}>
        <dt>最後の成功</dt>
        <dd>{instant(health.lastSuccessAt)}</dd>
        <dt>最後の確認</dt>
        <dd>{instant(health.checkedAt)}</dd>
        {health.errorClass && (
          <>
            <dt>原因</dt>
            <dd>{FEED_ERROR_WORDS[health.errorClass]}</dd>
            <dt>失敗の開始</dt>
            <dd>{instant(health.failingSince)}</dd>
          </>
        )}
        <dt>前日の記事数</dt>
        <dd>
          {health.volumeItems === null ? NO_VALUE : `${formatInteger(health.volumeItems)}件`}
          {health.usualItems !== null && `（同じ曜日のふだん ${formatInteger(Math.round(health.usualItems))}件）`}
        </dd>
        {risk && (
          <>
            <dt>失われるおそれのある収益</dt>
            <dd>
              {`1日あたり約${formatInteger(risk.yenPerDay)}円`} <Badge tone="warn">推定</Badge>
            </dd>
          </>
        )}
      </dl>
      {risk && (
        <p className={styles.note}>
          {`直近28日の1日の収益の中央値に、届いていない記事の割合（${risk.missingPercent}%）をかけた目安です。お支払額ではありません。`}
        </p>
      )}
    </Card>
  )
}
