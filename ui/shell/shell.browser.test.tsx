import '../theme/styles.ts'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Shell } from './shell.tsx'

afterEach(() => page.viewport(1440, 900))

test.each([
  ['a desktop', 1440, 900],
  ['a phone', 390, 844],
])('the footer is fixed on %s, and what is long ends above it', async (_device, width, height) => {
  await page.viewport(width, height)
  await render(
    <Shell groups={[]} path="/" screenKey="/" header={() => null} footer="フッター">
      <p style={{ height: 3000 }}>長い内容</p>
    </Shell>,
  )
  const footer = page.getByRole('contentinfo').element()
  const bottom = () => footer.getBoundingClientRect().bottom
  expect(bottom()).toBe(height)
  window.scrollTo(0, document.documentElement.scrollHeight)
  expect(bottom()).toBe(height)
  const text = page.getByText('長い内容').element()
  expect(text.getBoundingClientRect().bottom).toBeLessThanOrEqual(footer.getBoundingClientRect().top)
})
