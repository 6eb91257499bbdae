import { type Command, CommandPalette } from '@pc/ui/command-palette/command-palette.tsx'
import { useClientOf } from '@pc/ui/data/clients.tsx'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { useViewer } from '@pc/ui/session/viewer.tsx'
import type { SidebarGroup } from '@pc/ui/shell/sidebar.tsx'
import { actionsFor } from './console-actions.ts'
import { MENU } from './menu.ts'
import { noteRecent, recentCommands } from './recent-commands.ts'
import { SCREENS } from './routes.ts'

/** Screens that are tabs of a menu item and have no item of their own. */
const TABS: ReadonlySet<string> = new Set(MENU.flatMap(({ items }) => items.flatMap(item => item.tabs ?? [])))

/**
 * The command palette's content: screens of the menu, frequent actions, forms for new records that this person may use,
 * and a search over records. With an empty search field: recent destinations and frequent actions.
 */
export function ConsoleCommands({ groups, onClose }: { groups: readonly SidebarGroup[]; onClose: () => void }) {
  const viewer = useViewer()
  const clients = { insight: useClientOf('insight'), iam: useClientOf('iam') }
  const screens = groups.flatMap(({ label, items }) =>
    items
      .filter(item => item.href.startsWith('#'))
      .map((item): Command => ({ group: label ?? '画面', label: item.label, address: item.href })),
  )
  const forms = SCREENS.filter(
    screen => screen.allow.action === 'write:create' && viewer.can(screen.allow.action, screen.allow.resource),
  )
    .filter(screen => !screen.path.includes('$') && !TABS.has(screen.path))
    .map((screen): Command => ({ group: '新しく登録する', label: screen.title, address: addressOf(screen.path) }))
  const beside = SCREENS.filter(
    screen => TABS.has(screen.path) && viewer.can(screen.allow.action, screen.allow.resource),
  ).map((screen): Command => ({ group: '画面', label: screen.title, address: addressOf(screen.path) }))
  const isInMenu = ({ address }: Command) => screens.some(screen => screen.address === address)
  const actions = actionsFor(viewer).map((action): Command => ({ group: 'よく行う操作', ...action }))
  const commands = [...screens, ...beside.filter(screen => !isInMenu(screen)), ...actions, ...forms]
  const recent = recentCommands(viewer.id)
  const opened = new Set(recent.map(command => command.address))
  const suggested = [...recent, ...actions.filter(action => !opened.has(action.address))]
  const search = async (q: string): Promise<readonly Command[]> => {
    const { searchAll } = await import('./record-search.ts')
    return searchAll(clients, viewer, commands, q)
  }
  return (
    <CommandPalette
      suggested={suggested}
      commands={commands}
      search={search}
      onGo={command => noteRecent(viewer.id, command)}
      onClose={onClose}
    />
  )
}
