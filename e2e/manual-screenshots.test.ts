import fs from 'node:fs'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../tools/source-tree.ts'
import { launchBrowser } from './console-visitor.ts'
import { MANUAL_PICTURES, refreshPictures } from './manual-pictures.ts'
import { ownSystem } from './own-system.ts'

const system = await ownSystem('manual')
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

/** Checked by `statement-pdf.test.ts`. */
const PAPERS = ['images/statement-returns.png']

describe('the pictures of the manual', () => {
  it('show the words of the screens', async () => {
    const { words, taken } = await refreshPictures(browser, system)
    for (const name of taken) console.warn(`docs/manual/images/${name}.png was taken again: commit it`)
    for (const { name } of MANUAL_PICTURES) expect(words[name], name).not.toBe('')
  })

  it('are those that the manual uses', () => {
    const used = fs
      .globSync('docs/manual/*.md', { cwd: ROOT })
      .flatMap(file => fs.readFileSync(path.join(ROOT, file), 'utf8').match(/images\/[\w-]+\.png/g) ?? [])
    const screens = MANUAL_PICTURES.map(({ name }) => `images/${name}.png`)
    expect(new Set(used)).toEqual(new Set([...screens, ...PAPERS]))
  })
})
