import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { parseYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { Badge, type BadgeTone, Card } from '@pc/ui/elements/card.tsx'
import { Pager, ScreenTop, SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { SumBoxes } from '@pc/ui/elements/sum-boxes.tsx'
import { SecondaryLink } from '@pc/ui/list/list-screen.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { FailedContent, Message, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInstant, formatInteger, formatSigned, NO_VALUE } from '@pc/ui/text/format.ts'
import { MONTH_CLOSE_PATH } from '../../payments/links.ts'
import { monthCloseCondition } from '../../payments/month-close-condition.ts'
import { PRACTICE_PAGE_SIZE, type PracticeCondition } from '../practice-condition.ts'
import type { PracticeQuery } from './practice.gen.ts'
import styles from './practice.module.css'
import { isFinal, PracticeEntries } from './practice-entries.tsx'

type Practice = NonNullable<PracticeQuery['practice']>
type Medium = Practice['media'][number]
type Row = Practice['rows']['nodes'][number]

const STATES: Readonly<Record<Medium['state'], { label: string; tone: BadgeTone }>> = {
  open: { label: '未計算', tone: 'mute' },
  computed: { label: '計算済み', tone: 'warn' },
  finalized: { label: '確定済み', tone: 'ok' },
  paid: { label: '支払済み', tone: 'ok' },
}
const SHOWN = [
  { value: 'different', label: '違うものだけ' },
  { value: 'all', label: 'すべて' },
] as const

/** The practice close beside the real one: what to enter, and the result to the yen. */
export function PracticeView(props: ScreenProps<PracticeCondition, PracticeQuery>) {
  const { data, error, retry } = props
  const practice = data?.practice
  const month = parseYearMonth(practice?.month ?? '')
  return (
    <>
      <ScreenTop
        title="練習の結果"
        note={practice && `${formatInstant(practice.copiedAt)}に写したデータで練習しています。`}
      >
        {month !== undefined && (
          <SecondaryLink address={boardAddress(month)}>{`${monthText(month)}の分配金調整へ`}</SecondaryLink>
        )}
      </ScreenTop>
      {!data && error !== undefined && <FailedContent onRetry={retry} />}
      {!data && error === undefined && <Skeleton height={320} />}
      {data && !practice && (
        <Message title="ここは練習環境ではありません">
          練習環境は、システムの管理者が「npm run practice」で開始します。手順は管理者ガイドにあります。
        </Message>
      )}
      {practice && month !== undefined && (
        <div className={styles.screen}>
          <Outcome practice={practice} month={month} />
          {isClosed(practice) && <Comparison {...props} practice={practice} />}
          <PracticeEntries practice={practice} month={month} />
          {!isClosed(practice) && <Comparison {...props} practice={practice} />}
        </div>
      )}
    </>
  )
}

/** Before the close the tasks come first, after it the result. */
const isClosed = ({ media }: Practice) => media.every(isFinal)

const boardAddress = (month: YearMonth) =>
  addressOf(MONTH_CLOSE_PATH, monthCloseCondition.format({ ...monthCloseCondition.defaults, month }))

function Outcome({ practice, month }: { practice: Practice; month: YearMonth }) {
  const { media } = practice
  const sum = (value: (medium: Medium) => number) => media.reduce((total, medium) => total + value(medium), 0)
  const [real, own, different] = [sum(each => each.real), sum(each => each.own), sum(each => each.differentRows)]
  const isBegun = media.some(({ state }) => state !== 'open')
  const difference = own - real
  return (
    <Card title={`${monthText(month)}分の結果`} note="税込の支払額で比べます">
      <div className={styles.outcome}>
        <p className={styles.verdict} role="status">
          <Verdict isClosed={isClosed(practice)} different={different} difference={difference} />
        </p>
        <SumBoxes
          sums={[
            { label: '実際の確定', amountYen: real },
            { label: '今回の練習', amountYen: own },
            ...(isBegun
              ? [{ label: '差（練習 − 実際）', amountYen: difference, isBad: isClosed(practice) && difference !== 0 }]
              : []),
          ]}
        />
        <DataTable<Medium>
          caption="媒体ごとの結果"
          rows={media}
          rowKey={medium => medium.mediumId}
          columns={MEDIUM_COLUMNS}
          empty={{ title: '媒体がありません', hint: '' }}
        />
      </div>
    </Card>
  )
}

function Verdict(props: { isClosed: boolean; different: number; difference: number }) {
  const { tone, word, text } = verdictOf(props)
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      <span>{text}</span>
    </>
  )
}

function verdictOf({ isClosed, different, difference }: Parameters<typeof Verdict>[0]): {
  tone: BadgeTone
  word: string
  text: string
} {
  if (!isClosed) return { tone: 'mute', word: '練習中', text: 'すべての媒体を確定すると、実際の確定と比べられます。' }
  if (different > 0)
    return {
      tone: 'bad',
      word: '相違',
      text: `${formatInteger(different)}件の金額が、実際の確定と違います。下の表で確認してください。`,
    }
  if (difference !== 0)
    return {
      tone: 'bad',
      word: '相違',
      text: '支払額の合計が、実際の確定と違います。消費税と支払条件の設定を確認してください。',
    }
  return {
    tone: 'ok',
    word: '一致',
    text: 'すべてのパブリッシャーの金額が、実際の確定と1円まで一致しました。',
  }
}

const MEDIUM_COLUMNS: Column<Medium>[] = [
  { id: 'medium', header: '媒体', isHeading: true, cell: medium => medium.mediumName },
  {
    id: 'state',
    header: '状態',
    cell: ({ state }) => <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>,
  },
  { id: 'real', header: '実際（円・税込）', isFigure: true, cell: medium => formatInteger(medium.real) },
  {
    id: 'own',
    header: '練習（円・税込）',
    isFigure: true,
    cell: medium => (medium.state === 'open' ? NO_VALUE : formatInteger(medium.own)),
  },
  {
    id: 'difference',
    header: '差（円）',
    isFigure: true,
    cell: medium => (medium.state === 'open' ? NO_VALUE : formatSigned(medium.own - medium.real)),
  },
  {
    id: 'rows',
    header: '一致（件）',
    isFigure: true,
    cell: medium =>
      medium.state === 'open'
        ? NO_VALUE
        : `${formatInteger(medium.rows - medium.differentRows)} / ${formatInteger(medium.rows)}`,
  },
]

function Comparison({
  practice,
  condition,
  setCondition,
}: ScreenProps<PracticeCondition, PracticeQuery> & { practice: Practice }) {
  const { rows } = practice
  return (
    <Card
      title="パブリッシャーごとの比較"
      note="税抜。左が実際、右が練習です"
      tools={
        <SelectFilter
          label="表示"
          options={SHOWN}
          value={condition.show}
          onChange={show => setCondition({ show, page: 1 })}
        />
      }
      flush
    >
      <DataTable<Row>
        caption="パブリッシャーごとの比較"
        rows={rows.nodes}
        rowKey={row => `${row.agreementId}/${row.publisherId}`}
        columns={ROW_COLUMNS}
        empty={emptyText(practice.media, condition.show)}
      />
      <Pager
        page={condition.page}
        size={PRACTICE_PAGE_SIZE}
        total={rows.total}
        onPage={page => setCondition({ page })}
      />
    </Card>
  )
}

function emptyText(media: readonly Medium[], show: PracticeCondition['show']) {
  if (media.every(({ state }) => state === 'open'))
    return { title: 'まだ計算していません', hint: '媒体の月を計算すると、ここで実際と比べられます。' }
  if (show === 'all') return { title: '比べるものはありません', hint: '' }
  return { title: '違うものはありません', hint: '「すべて」を選ぶと、一致したものも表示します。' }
}

const ROW_COLUMNS: Column<Row>[] = [
  {
    id: 'publisher',
    header: 'パブリッシャー',
    isHeading: true,
    cell: row => (
      <span className={styles.cell}>
        {row.publisherName}
        <small>{`${row.partnerName}・${row.mediumName}`}</small>
      </span>
    ),
  },
  {
    id: 'verdict',
    header: '結果',
    cell: row => (
      <span className={styles.tools}>
        <Badge tone={row.isSame ? 'ok' : 'bad'}>{row.isSame ? '一致' : '相違'}</Badge>
        {row.hasLateFigures && (
          <Badge tone="warn" title="実際の確定の後に届いた実績があり、練習ではそれを含めて計算します">
            後から届いた実績あり
          </Badge>
        )}
      </span>
    ),
  },
  { id: 'realRevenue', header: '実際の収益（円）', isFigure: true, cell: row => formatInteger(row.realRevenue) },
  { id: 'ownRevenue', header: '練習の収益（円）', isFigure: true, cell: row => formatInteger(row.ownRevenue) },
  { id: 'realPayment', header: '実際の支払（円）', isFigure: true, cell: row => formatInteger(row.realPayment) },
  { id: 'ownPayment', header: '練習の支払（円）', isFigure: true, cell: row => formatInteger(row.ownPayment) },
  {
    id: 'difference',
    header: '支払の差（円）',
    isFigure: true,
    cell: row => formatSigned(row.ownPayment - row.realPayment),
  },
]
