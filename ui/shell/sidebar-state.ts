import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'

export interface SidebarState {
  readonly isPhone: boolean
  /** Wide with labels; false: icons only, or a closed drawer on a phone. */
  readonly isOpen: boolean
  toggle(): void
  closeDrawer(): void
}

/** Open from 1250 px, icons only below. A choice holds on its side of that width. */
export function useSidebar(): SidebarState {
  const isWide = useMediaQuery('(min-width: 1250px)', false, { getInitialValueInEffect: false })
  const isPhone = useMediaQuery('(max-width: 767.98px)', false, { getInitialValueInEffect: false })
  const [chosen, setChosen] = useState<{ isWide: boolean; isOpen: boolean }>()
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const isOpen = chosen?.isWide === isWide ? chosen.isOpen : isWide
  return {
    isPhone,
    isOpen: isPhone ? isDrawerOpen : isOpen,
    toggle: () => (isPhone ? setDrawerOpen(!isDrawerOpen) : setChosen({ isWide, isOpen: !isOpen })),
    closeDrawer: () => setDrawerOpen(false),
  }
}
