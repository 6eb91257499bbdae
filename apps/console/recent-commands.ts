import type { Command } from '@pc/ui/command-palette/command-palette.tsx'

const MAX_RECENT = 5
const KEY = 'recentCommands'
const GROUP = '最近開いたもの'

/**
 * What this person opened with the palette, latest first. Kept in session storage, so that names of payees do not stay
 * on a shared computer.
 */
export function recentCommands(userId: string): readonly Command[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(`${KEY} ${userId}`) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isCommand).map(command => ({ ...command, group: GROUP })) : []
  } catch {
    return []
  }
}

export function noteRecent(userId: string, command: Command): void {
  const others = recentCommands(userId).filter(({ address }) => address !== command.address)
  try {
    sessionStorage.setItem(
      `${KEY} ${userId}`,
      JSON.stringify([command, ...others].filter(isCommand).slice(0, MAX_RECENT)),
    )
  } catch {
    // Storage is full or blocked: the palette works without recent entries.
  }
}

/** Whether it leads to a screen of ours: anything may stand in the storage, and the palette opens its address. */
function isCommand(value: unknown): value is Command {
  const { label, address } = (value ?? {}) as Partial<Record<keyof Command, unknown>>
  return typeof label === 'string' && typeof address === 'string' && /^(\/iam\/)?#\//.test(address)
}
