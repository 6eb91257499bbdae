import { SETUP_COUNT_LIMIT } from '@pc/domain/setup/setup-count.ts'
import { ORGANIZATION_CREATE_PATH } from '@pc/features/access/links.ts'
import { agreementCondition } from '@pc/features/agreements/agreement-condition.ts'
import { AGREEMENT_CREATE_PATH, AGREEMENTS_PATH } from '@pc/features/agreements/links.ts'
import { bankAccountCondition } from '@pc/features/bank-accounts/bank-account-condition.ts'
import { BANK_ACCOUNT_CREATE_PATH, BANK_ACCOUNTS_PATH } from '@pc/features/bank-accounts/links.ts'
import { IMPORTS_PATH } from '@pc/features/imports/links.ts'
import { INGEST_BATCHES_PATH } from '@pc/features/ingest/links.ts'
import { MEDIUM_CREATE_PATH } from '@pc/features/media/links.ts'
import { PAYMENT_SETTINGS_PATH } from '@pc/features/payment-settings/links.ts'
import { PUBLISHER_CREATE_PATH, PUBLISHERS_PATH } from '@pc/features/publishers/links.ts'
import { REPORT_EMAILS_PATH } from '@pc/features/reports/links.ts'
import { STATEMENTS_PATH, statementsAddress } from '@pc/features/statements/links.ts'
import { USER_INVITE_PATH } from '@pc/features/users/links.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { formatInteger } from '@pc/ui/text/format.ts'
import { MONTH_CLOSE_PATH } from '../../payments/links.ts'
import type { SetupGuideQuery } from './setup-guide.gen.ts'

export type Step = SetupGuideQuery['setupSteps'][number]
export type StepKey = Step['key']
export type Task = NonNullable<Step['nextTask']>

export const IMPORTS_ADDRESS = addressOf(IMPORTS_PATH)
/** An address in the administration application, where people and organisations are managed. */
const inAdministration = (path: string) => `/iam/${addressOf(path)}`

export const STEP_WORDS: Readonly<Record<StepKey, { readonly title: string; readonly why: string }>> = {
  media: { title: '媒体', why: '契約と統計は、どの媒体のものかで分けて管理します。' },
  payer: {
    title: '支払元と振込元の口座',
    why: '支払通知書と銀行の振込データに記載します。振込手数料は、銀行の料金表から計算します。',
  },
  taxes: {
    title: '税率・課税期間・祝日',
    why: '消費税額、登録のない支払先への支払の上限（課税期間ごと）、銀行休業日を避けた支払期日を計算します。',
  },
  statistics: { title: '統計の送信方法', why: 'APIキーで毎日届けるか、画面でファイルを取り込むかを決めます。' },
  organizations: { title: '組織', why: '契約と支払の相手先です。数値と口座は組織ごとに分けて見せます。' },
  agreements: { title: '契約とパブリッシャー', why: '料率と支払条件をもとに、収益を分配します。' },
  bank_accounts: {
    title: '振込口座',
    why: '承認から3日が過ぎると契約に設定できます。最初の支払期日に間に合うように、早めに申請してください。申請した人は承認できません。',
  },
  colleagues: {
    title: 'ほかの担当者',
    why: '口座の承認は、申請した人とは別の人が行います。月次の確定も、支払設定で別の人に限れます。',
  },
  first_figures: {
    title: '最初の数値',
    why: '支払額は、データセット「パブリッシャーの日別」から計算します。記事や動画の統計だけでは計算できません。',
  },
  first_close: { title: '最初の月次締め', why: '確定すると、支払額が決まり、支払通知書が発行されます。' },
  company: { title: '会社情報と契約', why: '支払通知書の宛名と、レポートに表示する範囲が決まります。' },
  registration: { title: '登録番号', why: '適格請求書発行事業者の番号を、支払通知書に記載します。' },
  bank_account: { title: '振込口座', why: 'この口座に収益をお振り込みします。' },
  notifications: {
    title: '通知',
    why: '成果をメールで受け取れます。支払通知書の発行は、設定がなくてもお知らせします。',
  },
  first_statement: {
    title: '最初の支払通知書',
    why: '金額と口座を確認し、「内容を確認した」か「照会する」を押してください。',
  },
}

interface TaskWords {
  /** The noun of the count, as in 「媒体 2件」. */
  readonly noun: string
  readonly unit?: '件' | '人'
  /** How many are needed, where one is not enough. */
  readonly needed?: number
  readonly action?: { readonly label: string; readonly address: string }
  /** The sentence for publishers' people when only the operator can do the task. */
  readonly byOperator?: string
}

const ingest = addressOf(INGEST_BATCHES_PATH)
const settings = addressOf(PAYMENT_SETTINGS_PATH)

export const TASK_WORDS: Readonly<Record<Task, TaskWords>> = {
  medium: { noun: '媒体', unit: '件', action: { label: '媒体を登録する', address: addressOf(MEDIUM_CREATE_PATH) } },
  payer: { noun: '支払元', action: { label: '支払元を登録する', address: addressOf(STATEMENTS_PATH) } },
  transfer_source: { noun: '振込元の口座', action: { label: '振込元の口座を登録する', address: settings } },
  transfer_fee: { noun: '振込手数料', action: { label: '料金表を登録する', address: settings } },
  tax_rate: { noun: '消費税率', action: { label: '税率を登録する', address: settings } },
  tax_period: { noun: '課税期間の開始月', action: { label: '課税期間の開始月を選ぶ', address: settings } },
  holidays: { noun: '祝日', action: { label: '祝日を取り込む', address: settings } },
  delivery: { noun: 'APIキーまたは取り込み', action: { label: '取り込みの画面を開く', address: ingest } },
  organization: {
    noun: '組織',
    unit: '件',
    action: { label: '組織を登録する', address: inAdministration(ORGANIZATION_CREATE_PATH) },
  },
  publisher: {
    noun: 'パブリッシャー',
    unit: '件',
    action: { label: 'パブリッシャーと料率を登録する', address: addressOf(PUBLISHER_CREATE_PATH) },
  },
  agreement: {
    noun: '契約',
    unit: '件',
    action: { label: '契約を登録する', address: addressOf(AGREEMENT_CREATE_PATH) },
  },
  rule: {
    noun: 'パブリッシャー別の契約条件',
    unit: '件',
    action: { label: '料率を設定する', address: addressOf(PUBLISHERS_PATH) },
  },
  account_request: {
    noun: '申請',
    unit: '件',
    action: { label: '口座を申請する', address: addressOf(BANK_ACCOUNT_CREATE_PATH) },
  },
  account_approval: {
    noun: '承認済みの口座',
    unit: '件',
    action: {
      label: '口座を承認する',
      address: addressOf(
        BANK_ACCOUNTS_PATH,
        bankAccountCondition.format({ ...bankAccountCondition.defaults, state: 'requested' }),
      ),
    },
    byOperator: '運営が申請の内容を確認しています。承認されるとメールでお知らせします。',
  },
  account_assignment: {
    noun: '口座を設定した契約',
    unit: '件',
    action: {
      label: '契約に口座を設定する',
      address: addressOf(
        AGREEMENTS_PATH,
        agreementCondition.format({ ...agreementCondition.defaults, need: 'account' }),
      ),
    },
    byOperator: '承認された口座は、運営が契約に設定すると支払に使われます。設定については、運営に連絡してください。',
  },
  colleague: {
    noun: '口座を申請・承認できる人',
    unit: '人',
    needed: 2,
    action: { label: 'ユーザーを招待する', address: inAdministration(USER_INVITE_PATH) },
  },
  figures: { noun: 'パブリッシャーの日別の統計', action: { label: '統計を取り込む', address: ingest } },
  closed_month: {
    noun: '確定した月',
    unit: '件',
    action: { label: '月次締めを開く', address: addressOf(MONTH_CLOSE_PATH) },
  },
  own_agreement: {
    noun: '契約',
    unit: '件',
    byOperator: '契約がまだ登録されていません。運営に連絡してください。',
  },
  registration_number: {
    noun: '登録番号',
    byOperator:
      '番号をお持ちの場合は、運営に連絡してください。お持ちでない場合は、最初の支払通知書を確認すると完了します。',
  },
  report_mail: {
    noun: '定期メール',
    unit: '件',
    action: { label: 'メールを設定する', address: addressOf(REPORT_EMAILS_PATH) },
  },
  statement_issued: {
    noun: '届いた支払通知書',
    unit: '件',
    byOperator: '月次が確定すると、運営が発行してメールでお知らせします。',
  },
  statement_answered: {
    noun: '回答した支払通知書',
    unit: '件',
    action: { label: '支払通知書を確認する', address: statementsAddress({ state: 'issued' }) },
  },
}

/** 「媒体 2件」, or whether the thing exists where a number would say nothing. */
export function factText({ task, count, isDone }: Step['found'][number]): string {
  const { noun, unit, needed } = TASK_WORDS[task]
  const more = needed && !isDone ? `（${needed}${unit}必要です）` : ''
  if (unit) return `${noun} ${formatInteger(count)}${unit}${count >= SETUP_COUNT_LIMIT ? '以上' : ''}${more}`
  return `${noun} ${isDone ? '登録済み' : '未登録'}`
}
