import { API_KEYS_PATH } from '@pc/features/api-keys/links.ts'
import { BOARDS_PATH } from '@pc/features/boards/links.ts'
import { IMPORTS_PATH } from '@pc/features/imports/links.ts'
import { INGEST_BATCHES_PATH } from '@pc/features/ingest/links.ts'
import { MEDIA_PATH } from '@pc/features/media/links.ts'
import { PAYMENT_SETTINGS_PATH } from '@pc/features/payment-settings/links.ts'
import { CASH_FORECAST_PATH, REGISTRATIONS_PATH, TRANSFERS_PATH, WHAT_IF_PATH } from '@pc/features/payments/links.ts'
import { QUESTIONS_PATH } from '@pc/features/questions/links.ts'
import { FEE_FAIRNESS_PATH, REPORT_EMAILS_PATH } from '@pc/features/reports/links.ts'
import { RETENTION_PATH } from '@pc/features/retention/links.ts'
import { STATEMENT_YEARS_PATH, STATEMENTS_PATH } from '@pc/features/statements/links.ts'
import { WEBHOOKS_PATH } from '@pc/features/webhooks/links.ts'
import { type Command, CommandPalette } from '@pc/ui/command-palette/command-palette.tsx'
import { useClientOf } from '@pc/ui/data/clients.tsx'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { useViewer } from '@pc/ui/session/viewer.tsx'
import type { SidebarGroup } from '@pc/ui/shell/sidebar.tsx'
import { SCREENS } from './routes.ts'

/** Screens without an item in the menu. */
const BESIDE_THE_MENU: readonly string[] = [
  BOARDS_PATH,
  REPORT_EMAILS_PATH,
  FEE_FAIRNESS_PATH,
  INGEST_BATCHES_PATH,
  IMPORTS_PATH,
  MEDIA_PATH,
  CASH_FORECAST_PATH,
  STATEMENTS_PATH,
  STATEMENT_YEARS_PATH,
  QUESTIONS_PATH,
  TRANSFERS_PATH,
  REGISTRATIONS_PATH,
  WHAT_IF_PATH,
  PAYMENT_SETTINGS_PATH,
  RETENTION_PATH,
  WEBHOOKS_PATH,
  API_KEYS_PATH,
]

/** Every screen of the menu and every form of a new record that this person may use, and a search over the records. */
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
    .filter(screen => !screen.path.includes('$') && !BESIDE_THE_MENU.includes(screen.path))
    .map((screen): Command => ({ group: '新しく登録する', label: screen.title, address: addressOf(screen.path) }))
  const beside = SCREENS.filter(
    screen => BESIDE_THE_MENU.includes(screen.path) && viewer.can(screen.allow.action, screen.allow.resource),
  ).map((screen): Command => ({ group: '画面', label: screen.title, address: addressOf(screen.path) }))
  const commands = [...screens, ...beside, ...forms]
  const search = async (q: string): Promise<readonly Command[]> => {
    const { searchAll } = await import('./record-search.ts')
    return searchAll(clients, viewer, commands, q)
  }
  return <CommandPalette commands={commands} search={search} onClose={onClose} />
}
