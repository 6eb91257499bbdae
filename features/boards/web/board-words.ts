import type { Role } from '@pc/domain/access/role.ts'
import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'
import { PUBLISHER_SHARE_ROLES, STAFF_SHARE_ROLES } from '@pc/domain/board/board.ts'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import { isStaffViewer, type Viewer } from '@pc/ui/session/viewer.tsx'
import type { BoardCondition } from '../board-condition.ts'

export type BoardsProps = ScreenProps<BoardCondition, unknown>

export function shareOptions(viewer: Viewer) {
  const roles = isStaffViewer(viewer) ? STAFF_SHARE_ROLES : PUBLISHER_SHARE_ROLES
  return roles.map(value => ({ value, label: ROLE_LABELS_JA[value].label }))
}

/** 自分だけ · 共有中：パブリッシャーセンター閲覧者 */
export function sharingText(roles: readonly string[]): string {
  if (roles.length === 0) return '自分だけ'
  return `共有中：${roles.map(role => ROLE_LABELS_JA[role as Role]?.label ?? role).join('、')}`
}

/** The owner of the board, as far as the reader may know. */
export function ownerText(board: { isMine: boolean; isByStaff: boolean; ownerEmail: string | null }): string {
  if (board.isMine) return '自分'
  return board.ownerEmail ?? (board.isByStaff ? '運営' : '組織のメンバー')
}
