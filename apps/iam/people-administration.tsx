import { ApolloProvider } from '@apollo/client/react'
import { ImpersonationBanner } from '@pc/features/access/web/impersonation-banner.tsx'
import { useHeaderAnnouncements } from '@pc/features/announcements/web/header-announcements.tsx'
import type { Clients } from '@pc/ui/data/client.ts'
import { ClientsProvider } from '@pc/ui/data/clients.tsx'
import { Header } from '@pc/ui/header/header.tsx'
import { listServices } from '@pc/ui/header/service-list.ts'
import type { Analytics } from '@pc/ui/routing/analytics.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { useHashPath } from '@pc/ui/routing/hash-location.ts'
import { lazyPart } from '@pc/ui/routing/lazy-part.tsx'
import { screenPathOf } from '@pc/ui/routing/match-screen.ts'
import { ScreenRouter } from '@pc/ui/routing/screen-router.tsx'
import type { RuntimeConfig } from '@pc/ui/runtime-config.ts'
import type { Session, SignedInUser } from '@pc/ui/session/session.ts'
import { isPublisherUser, useViewer, type Viewer } from '@pc/ui/session/viewer.tsx'
import { ViewerGate } from '@pc/ui/session/viewer-gate.tsx'
import { ApplicationFooter } from '@pc/ui/shell/application-footer.tsx'
import { Shell } from '@pc/ui/shell/shell.tsx'
import type { SidebarGroup } from '@pc/ui/shell/sidebar.tsx'
import { IconArrowLeft } from '@tabler/icons-react'
import { Suspense } from 'react'
import { MENU } from './menu.ts'
import { HOME, SCREENS } from './routes.ts'

export interface AdministrationDependencies {
  readonly config: RuntimeConfig
  readonly session: Session
  readonly clients: Clients
  readonly analytics: Analytics
}

const SecondFactorNotice = lazyPart(
  async () => (await import('@pc/features/access/web/second-factor-notice.tsx')).SecondFactorNotice,
)
const CURRENT_SERVICE = '/iam/'
/** The console, which has the screens of announcements. */
const CONSOLE = '/gpc/'

/** ユーザー管理: users of the platform's services, and their roles. */
export function PeopleAdministration({
  user,
  dependencies,
}: {
  user: SignedInUser
  dependencies: AdministrationDependencies
}) {
  return (
    <ApolloProvider client={dependencies.clients.iam}>
      <ClientsProvider clients={dependencies.clients}>
        <ViewerGate
          user={user}
          clients={dependencies.clients}
          askForAgreements="when-allowed"
          failedTitle="ユーザーの情報を読み込めませんでした"
          failedHint="通信状態を確認して、もう一度お試しください。"
        >
          <Frame dependencies={dependencies} />
        </ViewerGate>
      </ClientsProvider>
    </ApolloProvider>
  )
}

function Frame({ dependencies }: { dependencies: AdministrationDependencies }) {
  const { config, session, analytics } = dependencies
  const viewer = useViewer()
  const path = useHashPath(path => screenPathOf(SCREENS, path))
  // The header is shared; without the permission to read announcements it has no bell.
  const mayRead = viewer.can('read:list', 'insight:announcement.')
  const announcements = useHeaderAnnouncements(mayRead, CONSOLE)
  return (
    <Shell
      groups={groupsFor(viewer)}
      path={path}
      screenKey={path}
      header={menu => (
        <Header
          title="ユーザー管理"
          home={addressOf(HOME)}
          menu={menu}
          services={isPublisherUser(viewer) ? [] : listServices(viewer.can, config.deployedServices)}
          currentService={CURRENT_SERVICE}
          {...(mayRead ? { announcements: announcements.items } : {})}
          // The client shows the failure; the items stay unread.
          onAnnouncementsRead={ids => void announcements.markRead(ids).catch(() => {})}
          user={{
            email: viewer.email,
            photoUrl: viewer.photoUrl,
            canChangeEmail: config.canChangeEmail,
            canChangePassword: config.canChangePassword && viewer.hasEmailPassAccount,
            canManageSignIn: config.canChangePassword,
          }}
          onSignOut={() => void session.signOut()}
        />
      )}
      footer={<ApplicationFooter screens={SCREENS} path={path} config={config} />}
    >
      <ImpersonationBanner />
      <Suspense fallback={null}>
        <SecondFactorNotice />
      </Suspense>
      <ScreenRouter screens={SCREENS} home={HOME} analytics={analytics} />
    </Shell>
  )
}

/** Link back for people whom the console's setup guide has sent here. */
const HOME_OF_CONSOLE: SidebarGroup = {
  items: [{ label: 'Publisher Centerのホーム', icon: IconArrowLeft, href: CONSOLE, isSameTab: true }],
}

function groupsFor(viewer: Viewer): SidebarGroup[] {
  const groups = MENU.map(group => ({
    ...group,
    items: group.items
      .filter(({ allow }) => viewer.can(allow.action, allow.resource))
      .map(({ label, icon, path }) => ({ label, icon, paths: [path], href: addressOf(path) })),
  })).filter(group => group.items.length > 0)
  return viewer.can('read:list', 'insight:summary_stats.') ? [HOME_OF_CONSOLE, ...groups] : groups
}
