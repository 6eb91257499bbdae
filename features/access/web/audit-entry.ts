import { ROLES } from '@pc/domain/access/role.ts'
import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'

/** What an entry's action is called; one that is not known here keeps its own name. */
export function actionText(action: string): string {
  return ACTIONS_JA[action] ?? action
}

const ACTIONS_JA: Readonly<Record<string, string>> = {
  create: '作成',
  update: '変更',
  delete: '削除',
  invite: '招待',
  'invite-again': '招待の再送',
  'update-roles': 'ロールの変更',
  enable: '有効化',
  disable: '無効化',
  'ask-for-new-email': 'メールアドレス変更の依頼',
  'start-view-as': 'ほかのユーザーとしての表示を開始',
  'end-view-as': 'ほかのユーザーとしての表示を終了',
  'read-in-full': '全桁の閲覧',
  import: '取り込み',
  download: 'ダウンロード',
  'sign-in': 'サインイン',
  'sign-in-refused': 'サインインの拒否',
  'sign-out': 'サインアウト',
  'accept-invitation': '招待の受け入れ',
  'ask-for-new-password': 'パスワード再設定の依頼',
  'change-email': 'メールアドレスの変更',
  'make-first-administrator': '最初の管理者の登録',
  approve: '承認',
  reject: '却下',
  finalize: '確定',
  paid: '支払済の記録',
  returned: '組戻しの記録',
  restore: '復元',
  'copy-from-staging': '仮登録からの登録',
  'change-password': 'パスワードの変更',
  'reset-password': 'パスワードの再設定',
  'add-second-factor': '2段階認証の追加',
  'remove-second-factor': '2段階認証の解除',
  'reset-second-factor': '管理者による2段階認証の解除',
  'renew-recovery-codes': 'リカバリーコードの作り直し',
  'end-session': 'ほかの端末のサインアウト',
  'end-all-sessions': 'すべての端末のサインアウト',
}

const FIELDS_JA: Readonly<Record<string, string>> = {
  email: 'メールアドレス',
  enabled: '状態',
  roles: 'ロール',
  organizationId: '組織ID',
  agreementIds: '担当する契約のID',
  name: '名称',
  reason: '理由',
  fileName: 'ファイル名',
  lines: '行数',
  screen: '画面',
  secondFactors: '2段階認証の数',
  factor: '2段階認証の種類',
  minutes: '分数',
  targetEmail: '表示したユーザー',
  targetUid: '表示したユーザーのID',
  invitation: '招待',
  invitedAt: '招待の送信日時',
  expiresAt: '有効期限',
  notes: 'メモ',
  revision: '版',
}

export interface ChangedField {
  readonly name: string
  readonly label: string
  readonly before: string
  readonly after: string
  readonly isChanged: boolean
}

/** The fields of an entry with their values before and after, in words. */
export function changedFields(before: string | null, after: string | null): readonly ChangedField[] {
  const [was, is] = [readObject(before), readObject(after)]
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].map(name => {
    const texts = [valueText(name, was[name]), valueText(name, is[name])] as const
    return {
      name,
      label: FIELDS_JA[name] ?? name,
      before: texts[0],
      after: texts[1],
      isChanged: texts[0] !== texts[1],
    }
  })
}

function readObject(text: string | null): Readonly<Record<string, unknown>> {
  if (text === null) return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : { value }
  } catch {
    return { value: text }
  }
}

function valueText(name: string, value: unknown): string {
  if (value === undefined || value === null || value === '') return '—'
  if (name === 'enabled') return value === true ? '有効' : '無効'
  if (typeof value === 'boolean') return value ? 'はい' : 'いいえ'
  if (Array.isArray(value)) return value.length === 0 ? '（なし）' : value.map(itemText).join('、')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function itemText(item: unknown): string {
  const role = ROLES.find(name => name === item)
  if (role) return ROLE_LABELS_JA[role].label
  return typeof item === 'object' ? JSON.stringify(item) : String(item)
}
