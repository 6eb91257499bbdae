import { AGREEMENTS_PATH } from '@pc/features/agreements/links.ts'
import { API_KEYS_PATH } from '@pc/features/api-keys/links.ts'
import { ARTICLES_PATH } from '@pc/features/articles/links.ts'
import { BANK_ACCOUNTS_PATH } from '@pc/features/bank-accounts/links.ts'
import { FEEDS_PATH } from '@pc/features/feeds/links.ts'
import { IMPORTS_PATH } from '@pc/features/imports/links.ts'
import { INGEST_BATCHES_PATH } from '@pc/features/ingest/links.ts'
import { MEDIA_PATH } from '@pc/features/media/links.ts'
import { PAYMENT_SETTINGS_PATH } from '@pc/features/payment-settings/links.ts'
import {
  CASH_FORECAST_PATH,
  MONTH_CLOSE_PATH,
  PAYMENTS_BY_AGREEMENT_PATH,
  PAYMENTS_BY_PUBLISHER_PATH,
  PAYMENTS_FOR_PUBLISHERS_PATH,
  REGISTRATIONS_PATH,
  TRANSFERS_PATH,
  WHAT_IF_PATH,
} from '@pc/features/payments/links.ts'
import { QUESTIONS_PATH } from '@pc/features/questions/links.ts'
import { DASHBOARD_PATH, REPORT_EMAILS_PATH } from '@pc/features/reports/links.ts'
import { RETENTION_PATH } from '@pc/features/retention/links.ts'
import { STATEMENT_YEARS_PATH, STATEMENTS_PATH } from '@pc/features/statements/links.ts'
import { USER_INVITE_PATH, USERS_PATH } from '@pc/features/users/links.ts'
import { WEBHOOKS_PATH } from '@pc/features/webhooks/links.ts'
import type { Command } from '@pc/ui/command-palette/command-palette.tsx'
import { foldText } from '@pc/ui/command-palette/fold-text.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'

/**
 * Words by which people look for a screen but that its title lacks: tasks, other names, and readings in hiragana for
 * searches before kanji conversion.
 */
export const SEARCH_ALIASES: Readonly<Record<string, string>> = {
  [DASHBOARD_PATH]: 'ダッシュボード 収益 売上 サマリー しゅうえき うりあげ',
  [REPORT_EMAILS_PATH]: '定期メール 購読 配信設定 ていき',
  [INGEST_BATCHES_PATH]: 'インポート CSV取り込み バッチ とりこみ',
  [IMPORTS_PATH]: 'インポート 一括登録 移行 Excel エクセル テンプレート とりこみ いっかつ',
  [AGREEMENTS_PATH]: '支払率 料率 契約書 解約 けいやく りょうりつ',
  [MEDIA_PATH]: 'メディア 配信先 サービス 媒体番号 ばいたい',
  [FEEDS_PATH]: 'RSS Atom 配信停止 障害',
  [BANK_ACCOUNTS_PATH]: '銀行口座 振込先 支店 こうざ ぎんこう ふりこみさき',
  [ARTICLES_PATH]: '記事の削除 削除の記録 きじ',
  [PAYMENTS_BY_AGREEMENT_PATH]: '支払履歴 金額の内訳 繰越 保留 しはらい',
  [PAYMENTS_BY_PUBLISHER_PATH]: '支払履歴 しはらい',
  [PAYMENTS_FOR_PUBLISHERS_PATH]: '入金 支払履歴 金額の内訳 しはらい にゅうきん おしはらい',
  [CASH_FORECAST_PATH]: '入金予定 資金繰り 支払期日 しはらいよてい',
  [STATEMENTS_PATH]: '仕入明細書 請求書 インボイス 明細書 照会 つうちしょ せいきゅうしょ',
  [STATEMENT_YEARS_PATH]: '確定申告 支払調書 年間 ねんかん',
  [QUESTIONS_PATH]: '問い合わせ 回答 しつもん といあわせ',
  [MONTH_CLOSE_PATH]: '月次締め 締め 確定 計算 原資 SSP げつじ しめ かくてい',
  [TRANSFERS_PATH]: '総合振込 全銀 組戻し 仕訳 会計ソフト ふりこみ くみもどし しわけ',
  [REGISTRATIONS_PATH]: 'インボイス 適格請求書 T番号 国税庁 とうろく',
  [WHAT_IF_PATH]: 'シミュレーション しさん',
  [PAYMENT_SETTINGS_PATH]: '祝日 休日 消費税率 源泉徴収 振込手数料 勘定科目 二者確認 しゅくじつ せってい',
  [RETENTION_PATH]: '削除の記録 リーガルホールド 監査 ほぞん 利用状況 アクセス 閲覧',
  [USERS_PATH]: 'ロール 権限 招待 2段階認証 メンバー けんげん しょうたい',
  [USER_INVITE_PATH]: 'メンバー 追加 しょうたい',
  [WEBHOOKS_PATH]: '連携 通知 れんけい',
  [API_KEYS_PATH]: '連携 トークン れんけい',
}

/** A single character would match too many screens. */
const MIN_LENGTH = 2

/** Those of the given screens that have an alias beginning with the text. */
export function screensByAlias(screens: readonly Command[], text: string): readonly Command[] {
  const typed = foldText(text.trim())
  if (typed.length < MIN_LENGTH) return []
  const found = new Set(
    Object.entries(SEARCH_ALIASES)
      .filter(([, names]) => names.split(' ').some(name => foldText(name).startsWith(typed)))
      .map(([path]) => addressOf(path)),
  )
  // A screen's menu address may contain an initial condition.
  return screens.filter(({ address }) => [...found].some(each => address === each || isWithCondition(address, each)))
}

function isWithCondition(address: string, screen: string): boolean {
  return address.startsWith(`${screen}/`) && address.slice(screen.length + 1).includes('=')
}
