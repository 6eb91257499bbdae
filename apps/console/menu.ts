import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { addMonths, EARLIEST_MONTH, formatYearMonth, monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import type { Screen } from '@pc/ui/routing/define-route.ts'
import type { ExternalLink } from '@pc/ui/runtime-config.ts'
import { isPublisherUser, type Viewer } from '@pc/ui/session/viewer.tsx'
import {
  IconAdjustmentsDollar,
  IconArticle,
  IconBook,
  IconBuildingBank,
  IconBuildingStore,
  IconChartBar,
  IconClipboardText,
  IconContract,
  IconFileDescription,
  IconFileText,
  IconHelpCircle,
  IconLayoutDashboard,
  IconReceiptYen,
  IconReportMoney,
  IconRss,
  IconShieldCheck,
  IconSpeakerphone,
  IconUsers,
  IconVideo,
  type TablerIcon,
} from '@tabler/icons-react'
import type { GroupKey, MenuKey } from './language.ts'
import { HOME } from './routes.ts'

type MenuViewer = Pick<Viewer, 'roles' | 'can'>

/** An item of the sidebar. */
export interface MenuItem {
  readonly key: MenuKey
  readonly path: string
  readonly icon: TablerIcon
  /** Shown when the person may list this. */
  readonly resource: ResourceName
  /** The item's own rule on top of that. It hides the item, not the screen (docs/adr/0030-roles-and-impersonation.md). */
  readonly isHidden?: (viewer: MenuViewer) => boolean
  /** The condition that the link carries. */
  readonly condition?: (today: Day) => string
  /** Screens of the same work: tabs above them and the item's own screen, for those who may open them. */
  readonly tabs?: readonly string[]
}

export interface MenuGroup {
  readonly key?: GroupKey
  readonly items: readonly MenuItem[]
}

/** Items of the platform's own work. */
const hiddenForPublishers = (viewer: MenuViewer) => isPublisherUser(viewer)
const hiddenForOthers = (viewer: MenuViewer) => !isPublisherUser(viewer)
const hiddenForReaders = (viewer: MenuViewer) => !viewer.can('write:create', 'insight:dividend.')

/** The previous month, not before 2020-12. */
function previousMonth(today: Day): string {
  const previous = Math.max(addMonths(monthOfDay(today), -1), EARLIEST_MONTH) as YearMonth
  return `month=${formatYearMonth(previous)}`
}

/** What is paid, on paper, next, asked and of a year. */
const PAYMENT_TABS = [
  '/histories/statements',
  '/histories/cash-forecast',
  '/histories/questions',
  '/histories/statement-years',
]
/** What other systems are told, and what they may read. */
const CONNECTIONS = ['/webhooks', '/api-keys']

/**
 * All groups in their order, as the product's specification (which is not in this repository) gives them: other screens are reached
 * by tabs, links and the command palette. An item without a screen among the routes is hidden.
 */
export const MENU: readonly MenuGroup[] = [
  {
    key: 'reports',
    items: [
      {
        key: 'home',
        path: '/reports/dashboard',
        icon: IconLayoutDashboard,
        resource: 'insight:summary_stats.',
        tabs: ['/dashboards', '/reports/mails', '/reports/ingest-batches'],
      },
      {
        key: 'publisherRanking',
        path: '/reports/publisher-ranking',
        icon: IconChartBar,
        resource: 'insight:publisher_rank.',
        isHidden: hiddenForPublishers,
        tabs: ['/reports/publisher-ranking/fairness'],
      },
      { key: 'articleReport', path: '/reports/articles', icon: IconArticle, resource: 'insight:article_stats.' },
      { key: 'videoReport', path: '/reports/video', icon: IconVideo, resource: 'insight:video_stats.' },
    ],
  },
  {
    key: 'publishers',
    items: [
      {
        key: 'agreements',
        path: '/managements/agreements',
        icon: IconContract,
        resource: 'insight:agreement.',
        isHidden: hiddenForPublishers,
        tabs: ['/managements/media', '/managements/imports', ...CONNECTIONS],
      },
      {
        key: 'publishers',
        path: '/managements/publishers',
        icon: IconBuildingStore,
        resource: 'insight:publisher.',
        isHidden: hiddenForPublishers,
      },
      { key: 'feeds', path: '/managements/feeds', icon: IconRss, resource: 'insight:feed.' },
      { key: 'bankAccounts', path: '/bank-accounts', icon: IconBuildingBank, resource: 'insight:bank_account.' },
    ],
  },
  {
    key: 'articles',
    items: [
      { key: 'articles', path: '/managements/articles', icon: IconFileText, resource: 'insight:medium_article.' },
    ],
  },
  {
    key: 'payments',
    items: [
      {
        key: 'paymentsByAgreement',
        path: '/histories/payments-by-agreement',
        icon: IconReceiptYen,
        resource: 'insight:monthly_payment.',
        isHidden: hiddenForPublishers,
        tabs: PAYMENT_TABS,
      },
      {
        key: 'paymentsByPublisher',
        path: '/histories/payments-by-publisher',
        icon: IconReportMoney,
        resource: 'insight:monthly_publisher_payment.',
        isHidden: hiddenForReaders,
      },
    ],
  },
  {
    key: 'paymentsForPublishers',
    items: [
      {
        key: 'paymentsForPublishers',
        path: '/histories/payments-for-publishers',
        icon: IconReceiptYen,
        resource: 'insight:monthly_payment.',
        isHidden: hiddenForOthers,
        condition: previousMonth,
        tabs: [...PAYMENT_TABS, '/managements/agreements'],
      },
    ],
  },
  {
    key: 'adjustment',
    items: [
      {
        key: 'dividend',
        path: '/adjustments/dividend',
        icon: IconAdjustmentsDollar,
        resource: 'insight:dividend.',
        tabs: [
          '/adjustments/transfers',
          '/adjustments/what-if',
          '/adjustments/registrations',
          '/adjustments/settings',
          '/adjustments/retention',
        ],
      },
    ],
  },
  {
    key: 'announcements',
    items: [
      {
        key: 'announcements',
        path: '/announcements',
        icon: IconSpeakerphone,
        resource: 'insight:announcement.',
        isHidden: hiddenForPublishers,
      },
    ],
  },
  {
    key: 'users',
    items: [
      {
        key: 'users',
        path: '/users',
        icon: IconUsers,
        resource: 'iam:user.',
        isHidden: hiddenForOthers,
        tabs: CONNECTIONS,
      },
    ],
  },
]

/** Open in a new tab; shown when the operator configured an address. */
export const EXTERNAL_LINKS: readonly { key: ExternalLink; icon: TablerIcon }[] = [
  { key: 'faq', icon: IconHelpCircle },
  { key: 'feedSpecification', icon: IconFileDescription },
  { key: 'adminGuide', icon: IconBook },
  { key: 'serviceTerms', icon: IconClipboardText },
  { key: 'contentGuidelines', icon: IconShieldCheck },
]

/** What a person sees: items that exist as screens, that the person may list, and that are not hidden by their rule. */
export function visibleMenu(viewer: MenuViewer, paths: ReadonlySet<string>): MenuGroup[] {
  return MENU.map(group => ({
    ...group,
    items: group.items.filter(
      item => paths.has(item.path) && viewer.can('read:list', item.resource) && !item.isHidden?.(viewer),
    ),
  })).filter(group => group.items.length > 0)
}

/** Where a person begins: the first item of the menu, which they may open. Whose menu is empty reads why on the dashboard. */
export function homeOf(viewer: MenuViewer, paths: ReadonlySet<string>): string {
  return visibleMenu(viewer, paths)[0]?.items[0]?.path ?? HOME
}

/** The tabs above a screen: those of its item that the person may open, the item's own first; none above a screen that is alone. */
export function tabsOf(viewer: MenuViewer, screens: readonly Screen[], path: string): readonly Screen[] {
  const items = visibleMenu(viewer, new Set(screens.map(screen => screen.path))).flatMap(group => group.items)
  const paths = items.map(item => [item.path, ...(item.tabs ?? [])]).find(tabs => tabs.includes(path)) ?? []
  const tabs = paths
    .flatMap(tab => screens.find(screen => screen.path === tab) ?? [])
    .filter(({ allow }) => viewer.can(allow.action, allow.resource))
  return tabs.length > 1 ? tabs : []
}
