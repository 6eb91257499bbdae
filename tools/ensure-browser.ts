import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** The headless shell renders the same pages without the visible parts of a browser, with a third less work. */
const SHELL = 'chromium-headless-shell'
const ON_LINUX = [
  SHELL,
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
]
const ON_MAC = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
  name => `/Applications/${name}.app/Contents/MacOS/${name}`,
)
const ON_WINDOWS = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe']
/** Small (3 MB) and complete for Japanese. The product itself uses the fonts of the reader's system. */
const FONT_PACKAGE = 'fonts-ipaexfont-gothic'
const JAPANESE_FONT_FILE =
  /(noto.*(cjk|jp)|ipaex?[gm]|ipag|vl-?gothic|takao|hiragino|yugoth|meiryo|msgothic|sourcehan)/i

/** @returns the executable of Chromium, Chrome or Edge; undefined when this machine has none */
export function findBrowser(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH
  return candidates(env).find(file => fs.existsSync(file))
}

function candidates(env: NodeJS.ProcessEnv): string[] {
  if (process.platform === 'darwin') return ON_MAC
  if (process.platform === 'win32')
    return [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].flatMap(folder =>
      folder ? ON_WINDOWS.map(file => path.join(folder, file)) : [],
    )
  const folders = [...(env.PATH ?? '').split(path.delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin']
  return ON_LINUX.flatMap(name => folders.filter(Boolean).map(folder => path.join(folder, name)))
}

/**
 * Makes sure that browser tests have a browser and a Japanese font. Installs both on Debian and Ubuntu as root;
 * elsewhere it says what to install.
 * @returns the executable of the browser
 */
export function ensureBrowser(): string {
  const missing = [findBrowser() ? [] : [SHELL], hasJapaneseFont() ? [] : [FONT_PACKAGE]].flat()
  if (missing.length > 0 && isDebianRoot()) aptInstall(missing)
  if (!findBrowser() && isDebianRoot()) aptInstall(['chromium']) // older releases have no shell
  const browser = findBrowser()
  if (!browser || !fs.existsSync(browser)) throw new Error(browserAdvice(browser))
  if (!hasJapaneseFont())
    console.warn(
      `[setup] no Japanese font was found: pictures will show boxes. On Debian: apt-get install ${FONT_PACKAGE}`,
    )
  return browser
}

function browserAdvice(browser: string | undefined): string {
  if (browser) return `CHROMIUM_PATH names ${browser}, which does not exist.`
  return [
    'The browser tests need Chromium, Chrome or Edge, and none was found.',
    '  Debian: apt-get install chromium-headless-shell     macOS: brew install --cask chromium     Windows: winget install Google.Chrome',
    '  Ubuntu: its chromium is a snap; where snaps do not run, install google-chrome-stable.',
    '  Installed elsewhere: set CHROMIUM_PATH to the program file.',
    'Tests without a browser: npm test -- --project node',
  ].join('\n')
}

function hasJapaneseFont(): boolean {
  if (process.platform !== 'linux') return true
  const listed = spawnSync('fc-list', [':lang=ja'], { encoding: 'utf8' })
  if (listed.status === 0) return listed.stdout.trim() !== ''
  const folders = ['/usr/share/fonts', '/usr/local/share/fonts', path.join(os.homedir(), '.fonts')]
  return folders.some(folder =>
    fs.existsSync(folder)
      ? fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).some(file => JAPANESE_FONT_FILE.test(file))
      : false,
  )
}

function isDebianRoot(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0 && fs.existsSync('/usr/bin/apt-get')
}

function aptInstall(packages: readonly string[]): void {
  console.error(`[setup] installing ${packages.join(' and ')} for the browser tests …`)
  const apt = (...args: string[]) =>
    execFileSync('apt-get', ['-qq', '-o', 'Dpkg::Use-Pty=0', '-o', 'Acquire::Retries=3', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  try {
    apt('update')
    apt('install', '--yes', '--no-install-recommends', ...packages)
  } catch {
    console.error(`[setup] apt-get could not install ${packages.join(' and ')}; the lines above say why.`)
  }
}

if (import.meta.main) console.log(ensureBrowser())
