import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import {
  ACCESS_EXPLANATION_PATH,
  AUDIT_LOG_PATH,
  ORGANIZATIONS_PATH,
  ROLES_PATH,
  SECOND_FACTOR_PATH,
} from '@pc/features/access/links.ts'
import { INVITATIONS_PATH, USERS_PATH } from '@pc/features/users/links.ts'
import type { Allow } from '@pc/ui/routing/define-route.ts'
import {
  IconBuilding,
  IconHistory,
  IconKey,
  IconMailForward,
  IconQuestionMark,
  IconShieldLock,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react'

interface MenuItem {
  readonly label: string
  readonly path: string
  readonly icon: TablerIcon
  readonly allow: Allow
}

const list = (resource: ResourceName): Allow => ({ action: 'read:list', resource })

export const MENU: readonly { readonly label: string; readonly items: readonly MenuItem[] }[] = [
  {
    label: 'ユーザーと組織',
    items: [
      { label: 'ユーザー', path: USERS_PATH, icon: IconUsers, allow: list('iam:user.') },
      { label: '招待', path: INVITATIONS_PATH, icon: IconMailForward, allow: list('iam:user.') },
      { label: '組織', path: ORGANIZATIONS_PATH, icon: IconBuilding, allow: list('iam:org.') },
    ],
  },
  {
    label: '権限',
    items: [
      { label: 'ロール', path: ROLES_PATH, icon: IconKey, allow: list('iam:user_role.') },
      {
        label: '2段階認証',
        path: SECOND_FACTOR_PATH,
        icon: IconShieldLock,
        allow: { action: 'write:update', resource: 'iam:user_role.' },
      },
      { label: 'アクセスの説明', path: ACCESS_EXPLANATION_PATH, icon: IconQuestionMark, allow: list('iam:user.') },
    ],
  },
  {
    label: '記録',
    items: [{ label: '操作の記録', path: AUDIT_LOG_PATH, icon: IconHistory, allow: list('iam:audit_log.') }],
  },
]
