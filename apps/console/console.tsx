import { ApolloProvider } from '@apollo/client/react'
import { ImpersonationBanner } from '@pc/features/access/web/impersonation-banner.tsx'
import { useHeaderAnnouncements, WarningPopups } from '@pc/features/announcements/web/header-announcements.tsx'
import { ReportSlotsProvider } from '@pc/ui/chart/report-slots.tsx'
import type { Clients } from '@pc/ui/data/client.ts'
import { ClientsProvider } from '@pc/ui/data/clients.tsx'
import { FileExportsProvider, makeFileExports } from '@pc/ui/export/file-exports.tsx'
import { Header } from '@pc/ui/header/header.tsx'
import { listServices } from '@pc/ui/header/service-list.ts'
import type { Analytics } from '@pc/ui/routing/analytics.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { useHashPath } from '@pc/ui/routing/hash-location.ts'
import { lazyPart, sayNotLoaded } from '@pc/ui/routing/lazy-part.tsx'
import { screenPathOf } from '@pc/ui/routing/match-screen.ts'
import { ScreenRouter } from '@pc/ui/routing/screen-router.tsx'
import type { RuntimeConfig } from '@pc/ui/runtime-config.ts'
import type { Session, SignedInUser } from '@pc/ui/session/session.ts'
import { isPublisherUser, useViewer } from '@pc/ui/session/viewer.tsx'
import { ViewerGate } from '@pc/ui/session/viewer-gate.tsx'
import { ScreenTabs } from '@pc/ui/shell/screen-tabs.tsx'
import { Shell } from '@pc/ui/shell/shell.tsx'
import type { SidebarGroup } from '@pc/ui/shell/sidebar.tsx'
import { todayInTokyo } from '@pc/ui/text/clock-day.ts'
import { Suspense, useMemo } from 'react'
import { t } from './language.ts'
import { EXTERNAL_LINKS, homeOf, tabsOf, visibleMenu } from './menu.ts'
import { ConsolePalette } from './palette.tsx'
import { REPORT_SLOTS } from './report-slots.ts'
import { SCREENS } from './routes.ts'

export interface ConsoleDependencies {
  readonly config: RuntimeConfig
  readonly session: Session
  readonly clients: Clients
  readonly analytics: Analytics
}

const PATHS = new Set(SCREENS.map(screen => screen.path))
const CURRENT_SERVICE = '/gpc/'
const ApplicationFooter = lazyPart(async () => (await import('@pc/ui/shell/application-footer.tsx')).ApplicationFooter)

/** The console of a signed-in person. */
export function Console({ user, dependencies }: { user: SignedInUser; dependencies: ConsoleDependencies }) {
  const exports = useMemo(() => makeFileExports(dependencies.config, dependencies.session), [dependencies])
  return (
    <ApolloProvider client={dependencies.clients.insight}>
      <ClientsProvider clients={dependencies.clients}>
        <FileExportsProvider exports={exports}>
          <ViewerGate
            user={user}
            clients={dependencies.clients}
            failedTitle={t('startFailed.title')}
            failedHint={t('startFailed.hint')}
          >
            <Frame dependencies={dependencies} />
          </ViewerGate>
        </FileExportsProvider>
      </ClientsProvider>
    </ApolloProvider>
  )
}

/** Header, sidebar and footer around the current screen. They stay as they are while its filters change. */
function Frame({ dependencies }: { dependencies: ConsoleDependencies }) {
  const viewer = useViewer()
  const path = useHashPath(path => screenPathOf(SCREENS, path))
  const groups = useGroups(dependencies.config)
  const home = homeOf(viewer, PATHS)
  const { config, session } = dependencies
  const announcements = useHeaderAnnouncements(viewer.can('read:list', 'insight:announcement.'))
  // Publisher users have no service launcher.
  const services = isPublisherUser(viewer) ? [] : listServices(viewer.can, config.deployedServices)
  return (
    <Shell
      groups={groups}
      path={path}
      screenKey={path}
      header={menu => (
        <Header
          title="Publisher Center"
          home={addressOf(home)}
          menu={menu}
          services={services}
          currentService={CURRENT_SERVICE}
          announcements={announcements.items}
          // The client shows the failure; the items stay unread.
          onAnnouncementsRead={ids => void announcements.markRead(ids).catch(() => {})}
          user={{
            email: viewer.email,
            photoUrl: viewer.photoUrl,
            canChangeEmail: config.canChangeEmail,
            canChangePassword: config.canChangePassword && viewer.hasEmailPassAccount,
            canManageSignIn: config.canChangePassword,
            onShowGuide: () =>
              void import('@pc/features/setup/web/show-guide.ts')
                .then(module => module.showGuide(dependencies.clients.insight, viewer.id))
                .catch(sayNotLoaded),
          }}
          onSignOut={() => void session.signOut()}
        >
          <ConsolePalette groups={groups} />
        </Header>
      )}
      footer={
        <Suspense fallback={null}>
          <ApplicationFooter screens={SCREENS} path={path} config={config} />
        </Suspense>
      }
    >
      <ImpersonationBanner />
      <WarningPopups warnings={announcements.warnings} markRead={announcements.markRead} />
      <ReportSlotsProvider slots={REPORT_SLOTS}>
        <CurrentTabs path={path} />
        <ScreenRouter screens={SCREENS} home={home} analytics={dependencies.analytics} />
      </ReportSlotsProvider>
    </Shell>
  )
}

function CurrentTabs({ path }: { path: string }) {
  const viewer = useViewer()
  const tabs = tabsOf(viewer, SCREENS, path).map(screen => ({
    label: screen.titleFor(viewer),
    href: addressOf(screen.path),
    isCurrent: screen.path === path,
  }))
  return <ScreenTabs tabs={tabs} />
}

function useGroups(config: RuntimeConfig): SidebarGroup[] {
  const viewer = useViewer()
  const groups = visibleMenu(viewer, PATHS).map(
    (group): SidebarGroup => ({
      ...(group.key ? { label: t(`group.${group.key}`) } : {}),
      items: group.items.map(item => ({
        label: t(`menu.${item.key}`),
        icon: item.icon,
        paths: [item.path, ...(item.tabs ?? [])],
        href: addressOf(item.path, item.condition?.(todayInTokyo())),
      })),
    }),
  )
  const links = EXTERNAL_LINKS.flatMap(({ key, icon }) => {
    const href = config.links[key]
    return href ? [{ label: t(`menu.${key}`), icon, href }] : []
  })
  return links.length > 0 ? [...groups, { label: t('group.links'), items: links }] : groups
}
