import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { Thumbnail } from './thumbnail.tsx'

/** One transparent pixel. */
const PICTURE = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

test('no picture, one that does not load, and another one afterwards', async () => {
  const shown = await render(<Thumbnail url={null} />)
  const image = () => shown.container.querySelector('img')
  expect(image()).toBeNull()
  await shown.rerender(<Thumbnail url="data:image/gif;base64,broken" />)
  await expect.poll(image).toBeNull()
  expect(shown.container.querySelector('svg')).not.toBeNull()
  await shown.rerender(<Thumbnail url={PICTURE} />)
  await expect.poll(() => image()?.naturalWidth).toBe(1)
})
