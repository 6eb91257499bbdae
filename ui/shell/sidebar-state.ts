import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'

export interface SidebarState {
  readonly isPhone: boolean
  /** True: wide with labels. False: icons only or, on a phone, a closed drawer. */
  readonly isOpen: boolean
  toggle(): void
  closeDrawer(): void
}

/** Open from 1250 px on, icons only below. A choice applies until the width crosses 1250 px. */
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
