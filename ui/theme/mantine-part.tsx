import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { useColorScheme } from './color-scheme.ts'
import { theme } from './theme.ts'

/**
 * Around every part that uses Mantine (calendars, forms): the provider comes with the part's chunk, not with the page.
 * Its generated <style> elements are switched off, because `style-src 'self'` allows none; the variables are static.
 */
export function MantinePart({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      forceColorScheme={useColorScheme()}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  )
}
