import { useHashPath } from '@pc/ui/routing/hash-location.ts'
import type { RuntimeConfig } from '@pc/ui/runtime-config.ts'
import { isPublisherUser, useViewer } from '@pc/ui/session/viewer.tsx'
import { ApplicationFooter } from '@pc/ui/shell/application-footer.tsx'
import { namedHelp } from './help-links.ts'

export function ConsoleFooter({ config }: { config: RuntimeConfig }) {
  const help =
    namedHelp(
      useHashPath(path => path),
      isPublisherUser(useViewer()),
    ) ?? '/docs/index.html'
  return <ApplicationFooter help={help} contact={config.supportContact} />
}
