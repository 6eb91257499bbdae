import { helpAddress } from '@pc/ui/routing/help-address.ts'
import { expect, test } from 'vitest'
import { SCREENS as IAM_SCREENS } from '../iam/routes.ts'
import { MENU } from './menu.ts'
import { HOME, SCREENS } from './routes.ts'

test('the route table: path, title, right', () => {
  const lines = SCREENS.map(
    ({ path, condition, title, allow }) =>
      `${path}${condition ? '/:condition?' : ''} | ${title} | ${allow.action} ${allow.resource}`,
  )
  expect(lines).toMatchInlineSnapshot(`
    [
      "/reports/dashboard/:condition? | ダッシュボード | read:list insight:summary_stats.",
      "/reports/publisher-ranking/:condition? | パブリッシャーランキング | read:list insight:publisher_rank.",
      "/reports/publisher-ranking/fairness/:condition? | 対価の比較 | read:list insight:payment_rate.",
      "/reports/articles/:condition? | 記事レポート | read:list insight:article_stats.",
      "/reports/articles/$articleId/$publisherId/:condition? | 記事の詳細 | read:list insight:article_stats.",
      "/reports/video/:condition? | 動画レポート | read:list insight:video_stats.",
      "/reports/video/$videoId/$publisherId/:condition? | 動画の詳細 | read:list insight:video_stats.",
      "/reports/mails/:condition? | レポートメール | read:list insight:summary_stats.",
      "/reports/ingest-batches/:condition? | 取り込み履歴 | read:list insight:revenue_detail.",
      "/reports/ingest-batches/$id/:condition? | 取り込みの詳細 | read:list insight:revenue_detail.",
      "/managements/imports/:condition? | 登録データの取り込み | read:list insight:import.",
      "/dashboards/:condition? | ボード | read:list insight:board.",
      "/managements/agreements/:condition? | 契約 | read:list insight:agreement.",
      "/managements/agreements/create | 契約の登録 | write:create insight:agreement.",
      "/managements/agreements/edit/$id | 契約の編集 | read:show insight:agreement.",
      "/managements/media/:condition? | 媒体 | read:list insight:medium.",
      "/managements/media/create | 媒体の登録 | write:create insight:medium.",
      "/managements/media/edit/$id | 媒体の編集 | read:show insight:medium.",
      "/managements/publishers/:condition? | パブリッシャー | read:list insight:publisher.",
      "/managements/publishers/create | パブリッシャーの登録 | write:create insight:publisher.",
      "/managements/publishers/create-from-staging | 取り込み待ちから登録 | write:create insight:publisher.",
      "/managements/publishers/edit/$id | パブリッシャーの編集 | read:show insight:publisher.",
      "/managements/feeds/:condition? | フィード | read:list insight:feed.",
      "/managements/feeds/create | フィードの登録 | write:create insight:feed.",
      "/managements/feeds/create-from-staging | 取り込み待ちのフィードから登録 | write:create insight:feed.",
      "/managements/feeds/edit/$id | フィードの編集 | read:show insight:feed.",
      "/managements/articles/:condition? | 記事 | read:list insight:medium_article.",
      "/histories/payments-by-agreement/:condition? | 契約別の支払 | read:list insight:monthly_payment.",
      "/histories/payments-by-publisher/:condition? | パブリッシャー別の支払 | read:list insight:monthly_publisher_payment.",
      "/histories/payments-for-publishers/:condition? | お支払い明細 | read:list insight:monthly_payment.",
      "/adjustments/registrations | 登録番号の確認 | read:list insight:dividend.",
      "/histories/cash-forecast | 支払予定 | read:list insight:monthly_payment.",
      "/histories/statement-years/:condition? | 支払の年間集計 | read:list insight:statement.",
      "/histories/statements/:condition? | 支払通知書 | read:list insight:statement.",
      "/histories/questions/:condition? | 質問 | read:list insight:question.",
      "/adjustments/dividend/:condition? | 分配金調整 | read:list insight:dividend.",
      "/adjustments/dividend/create/$operation/:condition? | 分配金調整の登録 | write:create insight:dividend.",
      "/adjustments/transfers/:condition? | 振込 | read:list insight:dividend.",
      "/adjustments/transfers/$id/:condition? | 振込データ | read:list insight:dividend.",
      "/adjustments/what-if/:condition? | 試算 | write:create insight:dividend.",
      "/adjustments/practice/:condition? | 練習の結果 | read:list insight:revenue_detail.",
      "/adjustments/settings | 支払設定 | read:list insight:dividend.",
      "/adjustments/retention | 保存期間と保全 | read:list insight:legal_hold.",
      "/users/:condition? | ユーザー管理 | read:list iam:user.",
      "/users/invite | ユーザーを招待 | write:create iam:user.",
      "/users/edit/$userID | ユーザーの編集 | read:list iam:user.",
      "/webhooks | Webhook | read:list insight:webhook.",
      "/api-keys/:condition? | APIキー | read:list insight:api_key.",
      "/bank-accounts/:condition? | 口座 | read:list insight:bank_account.",
      "/bank-accounts/create/:condition? | 口座の申請 | write:create insight:bank_account.",
      "/announcements | お知らせ | read:list insight:announcement.",
      "/announcements/create | お知らせの作成 | write:create insight:announcement.",
      "/announcements/edit/$id | お知らせの編集 | write:update insight:announcement.",
      "/announcements/$id | お知らせ | read:show insight:announcement.",
    ]
  `)
})

test('no path of a screen has a digit: page views refuse it as the id of a row', () => {
  expect(SCREENS.filter(({ path }) => /\d/.test(path)).map(({ path }) => path)).toEqual([])
})

test('the home screen and every screen with a menu item ask for the right that their item asks for', () => {
  const rights = new Map(MENU.flatMap(group => group.items).map(item => [item.path, item.resource]))
  expect(SCREENS.some(screen => screen.path === HOME)).toBe(true)
  for (const screen of SCREENS) expect(rights.get(screen.path) ?? screen.allow.resource).toBe(screen.allow.resource)
})

test('every screen has its part of the manual, whoever reads it', () => {
  for (const screens of [SCREENS, IAM_SCREENS])
    for (const isPublisher of [false, true])
      expect(screens.filter(({ path }) => helpAddress(screens, path, isPublisher) === undefined)).toEqual([])
})
