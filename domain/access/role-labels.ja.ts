import type { Role } from './role.ts'

export interface RoleLabel {
  readonly label: string
  /** One sentence: whom the role is for and what it allows. */
  readonly description: string
}

/** Name and description of each role. */
export const ROLE_LABELS_JA: Readonly<Record<Role, RoleLabel>> = {
  admin: { label: '全体管理者', description: 'すべてのサービスで、すべての操作ができます。' },
  'iam:admin': {
    label: 'ユーザー管理者',
    description: 'ユーザーと組織を管理し、ロールを付与します。操作の記録も確認できます。',
  },
  'iam:viewer': { label: 'ユーザー閲覧者', description: 'ユーザー、組織、ロールを閲覧します。変更はできません。' },
  'insight:admin': {
    label: 'パブリッシャーセンター管理者',
    description: '契約、支払、口座、お知らせを管理し、月次の確定を行います。',
  },
  'insight:editor': {
    label: 'パブリッシャーセンター編集者',
    description: '契約やパブリッシャーを編集し、月次の準備をします。確定と口座の承認はできません。',
  },
  'insight:viewer': {
    label: 'パブリッシャーセンター閲覧者',
    description: 'レポート、契約、支払を閲覧します。変更はできません。',
  },
  'insight:publisher_admin': {
    label: 'パブリッシャーの管理者',
    description: '自社のレポート、契約、支払、支払通知書を確認し、口座とユーザーを管理します。',
  },
  'insight:publisher_editor': {
    label: 'パブリッシャーの担当者',
    description: '担当する契約のレポート、記事、確定した支払を閲覧します。',
  },
  'coupon:admin': { label: 'クーポン管理者', description: 'クーポンとブランドを管理します。' },
  'coupon:editor': { label: 'クーポン編集者', description: 'クーポンを編集し、ブランドを閲覧します。' },
  'coupon:brand_admin': { label: 'ブランド管理者', description: '自社のブランドとクーポンを編集します。' },
  'video:admin': { label: '動画管理者', description: '動画とチャンネルを管理します。' },
  'video:publisher_admin': {
    label: '動画のパブリッシャー管理者',
    description: '自社の動画を編集し、チャンネルを閲覧します。',
  },
  'article:admin': { label: '記事投稿管理者', description: '投稿記事を管理します。' },
  'article:publisher_admin': { label: '記事投稿のパブリッシャー管理者', description: '自社の投稿記事を管理します。' },
}
