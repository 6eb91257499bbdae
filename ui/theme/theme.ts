import { createTheme } from '@mantine/core'

/**
 * The part of the theme that Mantine needs in JavaScript. The values are CSS variables in `tokens.css` and
 * `mantine-variables.css`, because `style-src 'self'` would block a generated <style> element.
 */
export const theme = createTheme({
  fontFamily: 'var(--font)',
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 4 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  colors: {
    brand: [
      '#EDF2FD',
      '#DCE6FA',
      '#B6CBF4',
      '#8CAEED',
      '#6592E7',
      '#4579DE',
      '#2F65D2',
      '#2457C5',
      '#1D48A6',
      '#173A87',
    ],
  },
})
