import { PaletteButton } from '@pc/ui/command-palette/palette-button.tsx'
import { lazyPart } from '@pc/ui/routing/lazy-part.tsx'
import type { SidebarGroup } from '@pc/ui/shell/sidebar.tsx'

const ConsoleCommands = lazyPart(async () => (await import('./console-commands.tsx')).ConsoleCommands)

export function ConsolePalette({ groups }: { groups: readonly SidebarGroup[] }) {
  return (
    <PaletteButton load={ConsoleCommands.load}>
      {onClose => <ConsoleCommands groups={groups} onClose={onClose} />}
    </PaletteButton>
  )
}
