import axe from 'axe-core'
import { expect } from 'vitest'

/** Nothing that axe counts as serious or critical, by WCAG 2.2 AA, in the present page. */
export async function expectAccessible(root: Element | Document = document): Promise<void> {
  // Half-transparent in the middle of an animation nothing has its contrast; endless ones are decoration.
  const ending = document.getAnimations().filter(one => Number.isFinite(one.effect?.getComputedTiming().endTime))
  await Promise.allSettled(ending.map(one => one.finished))
  const { violations } = await axe.run(root, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    // Parts are rendered alone here; a whole page has its landmarks and headings.
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
