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
  /** The item is shown to people who may list this resource. */
  readonly resource: ResourceName
  /** An additional rule. It hides the item but not the screen (docs/adr/0030-roles-and-impersonation.md). */
  readonly isHidden?: (viewer: MenuViewer) => boolean
  /** Condition in the link's address. */
  readonly condition?: (today: Day) => string
  /** Paths of further screens that are shown as tabs beside the item's own screen, to people who may open them. */
  readonly tabs?: readonly string[]
}

export interface MenuGroup {
  readonly key?: GroupKey
  readonly items: readonly MenuItem[]
}

/** Visibility rules: items for staff, items for publisher users, items for people who may close months. */
const hiddenForPublishers = (viewer: MenuViewer) => isPublisherUser(viewer)
const hiddenForOthers = (viewer: MenuViewer) => !isPublisherUser(viewer)
const hiddenForReaders = (viewer: MenuViewer) => !viewer.can('write:create', 'insight:dividend.')

/** The previous month, not before 2020-12. */
function previousMonth(today: Day): string {
  const previous = Math.max(addMonths(monthOfDay(today), -1), EARLIEST_MONTH) as YearMonth
  return `month=${formatYearMonth(previous)}`
}

/** Tabs of payments: statements, upcoming payments, questions and the annual record. */
const PAYMENT_TABS = [
  '/histories/statements',
  '/histories/cash-forecast',
  '/histories/questions',
  '/histories/statement-years',
]
/** Tabs of integrations: webhooks and API keys. */
const CONNECTIONS = ['/webhooks', '/api-keys']

/**
 * All groups in the order of the product specification (not in this repository). Other screens are reached by tabs,
 * links and the command palette. An item whose path is not among the routes is hidden.
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

/** Links to external documents, in a new tab; only those whose address the operator has set. */
export const EXTERNAL_LINKS: readonly { key: ExternalLink; icon: TablerIcon }[] = [
  { key: 'faq', icon: IconHelpCircle },
  { key: 'feedSpecification', icon: IconFileDescription },
  { key: 'adminGuide', icon: IconBook },
  { key: 'serviceTerms', icon: IconClipboardText },
  { key: 'contentGuidelines', icon: IconShieldCheck },
]

/** The items that a person sees: the screen exists, the person may list its resource, and no rule hides it. */
export function visibleMenu(viewer: MenuViewer, paths: ReadonlySet<string>): MenuGroup[] {
  return MENU.map(group => ({
    ...group,
    items: group.items.filter(
      item => paths.has(item.path) && viewer.can('read:list', item.resource) && !item.isHidden?.(viewer),
    ),
  })).filter(group => group.items.length > 0)
}

/** The start screen: the first visible menu item. With an empty menu it is the dashboard, which says why. */
export function homeOf(viewer: MenuViewer, paths: ReadonlySet<string>): string {
  return visibleMenu(viewer, paths)[0]?.items[0]?.path ?? HOME
}

/**
 * Tabs above a screen: those of its menu item that the person may open, the item's own screen first. Empty when it
 * would be the only one.
 */
export function tabsOf(viewer: MenuViewer, screens: readonly Screen[], path: string): readonly Screen[] {
  const items = visibleMenu(viewer, new Set(screens.map(screen => screen.path))).flatMap(group => group.items)
  const paths = items.map(item => [item.path, ...(item.tabs ?? [])]).find(tabs => tabs.includes(path)) ?? []
  const tabs = paths
    .flatMap(tab => screens.find(screen => screen.path === tab) ?? [])
    .filter(({ allow }) => viewer.can(allow.action, allow.resource))
  return tabs.length > 1 ? tabs : []
}
