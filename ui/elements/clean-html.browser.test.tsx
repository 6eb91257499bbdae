import { hostileMarkup } from '@pc/domain/text/hostile-markup.ts'
import { ALLOWED_ATTRIBUTES, ALLOWED_LINK, ALLOWED_TAGS } from '@pc/domain/text/html-allow-list.ts'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { cleanHtml } from './clean-html.ts'
import { HtmlBody } from './html-body.tsx'

const CORPUS = hostileMarkup()
const tags = new Set<string>(ALLOWED_TAGS)
const attributes = new Set<string>([...ALLOWED_ATTRIBUTES, 'rel', 'target'])

/** Everything that the allow-list does not contain. */
function foreignIn(place: ParentNode): string[] {
  return [...place.querySelectorAll('*')].flatMap(({ localName, attributes: own }) => [
    ...(tags.has(localName) ? [] : [`<${localName}>`]),
    ...[...own]
      .filter(({ name, value }) => !attributes.has(name) || (name === 'href' && !ALLOWED_LINK.test(value)))
      .map(({ name, value }) => `${localName} ${name}=${value}`),
  ])
}

afterEach(() => vi.restoreAllMocks())

describe('the second wall, in a page without any policy', () => {
  test(`${CORPUS.length} strings: nothing runs, nothing but the allow-list is left`, async () => {
    const ran = vi.spyOn(window, 'alert').mockImplementation(() => {})
    const place = document.createElement('div')
    document.body.append(place)
    for (const markup of CORPUS) {
      place.replaceChildren(cleanHtml(markup))
      expect(foreignIn(place), markup).toEqual([])
    }
    await new Promise(requestAnimationFrame)
    expect(ran).not.toHaveBeenCalled()
    place.remove()
  })

  test('what takes the place of the whole body leaves an empty one, and the screen stands', async () => {
    const { container } = await render(
      <HtmlBody html="<frameset><frame src=//evil.example></frameset>" className="x" />,
    )
    expect(container.querySelector('.x')?.childNodes).toHaveLength(0)
  })

  test('links open elsewhere and give nothing away', () => {
    const clean = cleanHtml(
      '<a href="https://ok.example/" target="_self" rel="opener" id="x">x</a><a href="/gpc/">y</a>',
    )
    expect([...clean.querySelectorAll('a')].map(link => link.outerHTML)).toEqual([
      '<a href="https://ok.example/" rel="noopener noreferrer nofollow" target="_blank">x</a>',
      '<a>y</a>',
    ])
  })
})
