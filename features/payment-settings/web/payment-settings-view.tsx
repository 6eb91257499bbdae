import { JOURNAL_ACCOUNTS } from '@pc/domain/journal/journal-accounts.ja.ts'
import { rateText } from '@pc/domain/money/rate.ts'
import { monthText } from '@pc/domain/month/day-text.ja.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { SETTING_SECTION_LABELS, SETTING_SECTIONS } from '@pc/domain/payment/setting-section.ts'
import { statementsAddress } from '@pc/features/statements/links.ts'
import { ScreenTop, SelectFilter } from '@pc/ui/elements/list-top.tsx'
import type { FieldWords } from '@pc/ui/history/field-words.ts'
import { RecordHistory } from '@pc/ui/history/record-history.tsx'
import { SecondaryLink } from '@pc/ui/list/list-screen.tsx'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import { lazy } from '@pc/ui/routing/lazy.ts'
import { FailedContent, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { Suspense, useState } from 'react'
import { FeeSection } from './fee-section.tsx'
import type { PaymentSettingsQuery } from './payment-settings.gen.ts'
import styles from './payment-settings.module.css'
import { PayoutSection } from './payout-section.tsx'
import { RateSection } from './rate-section.tsx'
import { ReturnsSection } from './returns-section.tsx'
import { ACCOUNT_TYPES, INPUT_TAX, labelOf, type Section, type Settings, SHIFTS, WEIGHTS } from './setting-words.ts'
import { SourceSection } from './source-section.tsx'
import { WithholdingSection } from './withholding-section.tsx'

/** Lazy, because they are at the end of the screen, and the section about law is longer than all others. */
const JournalSection = lazy(() => import('./journal-section.tsx').then(module => ({ default: module.JournalSection })))
const HolidaySection = lazy(() => import('./holiday-section.tsx').then(module => ({ default: module.HolidaySection })))
const LawSection = lazy(() => import('./law-section.tsx').then(module => ({ default: module.LawSection })))

/** All settings for computing payments that are not terms of an agreement. Every change applies from a date on. */
export function PaymentSettingsView(props: ScreenProps<object, PaymentSettingsQuery>) {
  const { data, viewer, today, retry } = props
  const settings = data?.paymentSettings
  const onSaved = viewer.can('write:update', 'insight:dividend.') ? retry : undefined
  return (
    <>
      <ScreenTop title="支払設定" note={onSaved ? undefined : '閲覧のみできます。変更は管理者に依頼してください。'}>
        {viewer.can('write:create', 'insight:statement.') && (
          <SecondaryLink address={statementsAddress()}>支払元の設定（支払通知書）</SecondaryLink>
        )}
      </ScreenTop>
      {!settings && props.error !== undefined && <FailedContent onRetry={retry} />}
      {!settings && props.error === undefined && <Skeleton height={320} />}
      {settings && (
        <div className={styles.screen}>
          <PayoutSection settings={settings} onSaved={onSaved} />
          <div className={styles.pair}>
            <RateSection
              settings={settings}
              onSaved={onSaved}
              section="consumption_tax"
              title="消費税率"
              note="収益の発生月で決まります"
              header="税率"
              lines={settings.consumptionTax}
            />
            <RateSection
              settings={settings}
              onSaved={onSaved}
              section="input_tax_deduction"
              title="仕入税額控除の割合"
              note="登録のない支払先への経過措置"
              header="控除できる割合"
              lines={settings.inputTaxDeductions}
            />
          </div>
          <ReturnsSection settings={settings} onSaved={onSaved} />
          <SourceSection settings={settings} onSaved={onSaved} today={today} />
          <FeeSection settings={settings} onSaved={onSaved} today={today} />
          <WithholdingSection settings={settings} onSaved={onSaved} today={today} />
          <Suspense fallback={<Skeleton height={320} />}>
            <JournalSection settings={settings} onSaved={onSaved} />
          </Suspense>
          <Suspense fallback={<Skeleton height={320} />}>
            <HolidaySection settings={settings} onSaved={onSaved} today={today} />
          </Suspense>
          <Suspense fallback={<Skeleton height={320} />}>
            <LawSection settings={settings} today={today} />
          </Suspense>
          <History settings={settings} />
        </div>
      )}
    </>
  )
}

const SECTION_OPTIONS = SETTING_SECTIONS.map(value => ({ value, label: SETTING_SECTION_LABELS[value] }))
const WORDS: FieldWords = {
  validFromMonth: {
    label: '適用開始月',
    show: value => monthText(Number(value) as YearMonth),
  },
  payoutThresholdYen: { label: '支払下限額', show: value => `${value}円` },
  returnFeeYen: { label: '組戻手数料', show: value => `${value}円` },
  businessDayShift: { label: '銀行休業日', show: value => labelOf(SHIFTS, String(value)) },
  needsTwoPersons: { label: '二者確認', show: value => (value ? '必要' : '不要') },
  taxPeriodStartMonth: { label: '課税期間の開始月', show: value => `${value}月` },
  inputTaxTiming: { label: '消費税の計上', show: value => labelOf(INPUT_TAX, String(value)) },
  sspWeight: { label: 'SSPの重み', show: value => labelOf(WEIGHTS, String(value)) },
  videoSspWeight: { label: '動画SSPの重み', show: value => labelOf(WEIGHTS, String(value)) },
  liveSspWeight: { label: 'ライブSSPの重み', show: value => labelOf(WEIGHTS, String(value)) },
  percent: { label: '率', show: value => `${value}%` },
  ratePercent: { label: '税率', show: value => `${value}%` },
  deductiblePercent: { label: '割合', show: value => `${value}%` },
  sourceBankCode: { label: '振込元の銀行' },
  validFrom: { label: '適用開始日' },
  lines: { label: '料金表' },
  clientCode: { label: '委託者コード' },
  clientName: { label: '委託者名' },
  bankCode: { label: '銀行コード' },
  bankName: { label: '銀行名' },
  branchCode: { label: '支店コード' },
  branchName: { label: '支店名' },
  accountType: { label: '種別', show: value => labelOf(ACCOUNT_TYPES, String(value)) },
  accountNumber: { label: '口座番号' },
  hasLineBreaks: { label: '改行', show: value => (value ? 'あり' : 'なし') },
  extraCharacters: { label: '追加の記号' },
  resultMarkOffset: { label: '結果コードの位置', show: value => `${Number(value) + 1}文字目` },
  resultMarkLength: { label: '結果コードの長さ' },
  resultPaidMarks: { label: '振込済みの印' },
  resultReturnedMarks: { label: '組戻しの印' },
  thresholdYen: { label: '区分の基準額', show: value => `${value}円` },
  rateUpToThreshold: { label: '基準額以下の部分の税率', show: value => rateText(Number(value)) },
  rateAboveThreshold: { label: '基準額を超える部分の税率', show: value => rateText(Number(value)) },
  ...Object.fromEntries(Object.entries(JOURNAL_ACCOUNTS).map(([account, label]) => [account, { label }])),
}

function History({ settings }: { settings: Settings }) {
  const [section, setSection] = useState<Section>('payout')
  const found = settings.revisions.find(each => each.section === section)
  return (
    <section className={styles.history} aria-label="設定の変更履歴">
      <SelectFilter label="変更履歴の対象" options={SECTION_OPTIONS} value={section} onChange={setSection} />
      {found && (
        <RecordHistory key={`${section}/${found.revision}`} kind="dividend" id={found.historyId} words={WORDS} />
      )}
    </section>
  )
}
