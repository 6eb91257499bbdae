import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { useColorScheme } from './color-scheme.ts'
import { theme } from './theme.ts'

/**
 * Wraps every part that uses Mantine (calendars, forms); the provider loads with the part's chunk instead of with the
 * page. Its generated <style> elements are disabled, because `style-src 'self'` allows none; the variables are static.
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
