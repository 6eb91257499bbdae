import { AUDIT_ACTION_LABELS_JA } from '@pc/domain/access/audit-action-labels.ja.ts'
import { ROLES } from '@pc/domain/access/role.ts'
import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'

/** What an entry's action is called; one from an older release may have no label and keeps its own name. */
export function actionText(action: string): string {
  return (AUDIT_ACTION_LABELS_JA as Readonly<Record<string, string>>)[action] ?? action
}

interface Row {
  readonly action: string
  readonly actorUid: string | null
  readonly resourceName: string
  readonly rowId: string
  readonly before: string | null
  readonly after: string | null
}

/** Which row it was, in words where there are any: a person by e-mail address, not by a number of 32 digits. */
export function rowText({ actorUid, resourceName, rowId, before, after }: Row): string {
  if (rowId === 'list') return '（一覧）'
  if (resourceName !== 'iam:user.') return rowId
  if (rowId === actorUid) return '（本人）'
  const email = readObject(after).email ?? readObject(before).email
  return typeof email === 'string' ? email : rowId
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
  by: '確認の方法',
  isRead: '既読',
  bankAccountIds: '口座のID',
  state: '状態',
  paymentStatus: '支払の状態',
  hash: '書面のハッシュ値',
  deemedOn: 'みなし確認の期限',
  days: '件数（日）',
  firstYear: '最初の年',
  lastYear: '最後の年',
  contentSha256: '内容のハッシュ値（SHA-256）',
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
