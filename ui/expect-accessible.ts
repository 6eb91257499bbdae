import axe from 'axe-core'
import { expect } from 'vitest'

/** Expects no finding in the current page that axe rates serious or critical under WCAG 2.2 AA. */
export async function expectAccessible(root: Element | Document = document): Promise<void> {
  // Contrast can only be measured at the end of an animation. Endless animations are decoration.
  const ending = document.getAnimations().filter(one => Number.isFinite(one.effect?.getComputedTiming().endTime))
  await Promise.allSettled(ending.map(one => one.finished))
  const { violations } = await axe.run(root, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    // Tests render parts alone; only whole pages have landmarks and headings.
    rules: {
      region: { enabled: false },
      'page-has-heading-one': { enabled: false },
      'landmark-one-main': { enabled: false },
    },
  })
  const found = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html.slice(0, 200)).join(' | ')}`)
  expect(found).toEqual([])
}
