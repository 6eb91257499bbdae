import { PUBLISHER_SHARE_ROLES, STAFF_SHARE_ROLES } from '@pc/domain/board/board.ts'
import { hasInsightAccess, type Viewer } from '@pc/ui/viewer.tsx'

const ROLE_LABELS: Readonly<Record<(typeof STAFF_SHARE_ROLES)[number], string>> = {
  'insight:admin': '運営の管理者',
  'insight:editor': '運営の編集者',
  'insight:viewer': '運営の閲覧者',
  'insight:publisher_admin': 'パブリッシャーの管理者',
  'insight:publisher_editor': 'パブリッシャーの編集者',
}

export function shareOptions(viewer: Viewer) {
  const roles = hasInsightAccess(viewer) ? STAFF_SHARE_ROLES : PUBLISHER_SHARE_ROLES
  return roles.map(value => ({ value, label: ROLE_LABELS[value] }))
}

/** 自分だけ · 共有中：運営の閲覧者 */
export function sharingText(roles: readonly string[]): string {
  if (roles.length === 0) return '自分だけ'
  return `共有中：${roles.map(role => ROLE_LABELS[role as keyof typeof ROLE_LABELS] ?? role).join('、')}`
}

/** Whose board it is, as far as the reader may know. */
export function ownerText(board: { isMine: boolean; isByStaff: boolean; ownerEmail: string | null }): string {
  if (board.isMine) return '自分'
  return board.ownerEmail ?? (board.isByStaff ? '運営' : '組織のメンバー')
}
