/** Playwright's own list (1.65.1): a second `--disable-features` would take its place. */
const OFF_IN_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
]

/**
 * The suggestions of the address bar, which nobody sees in a browser without a screen: pages of 400 modules of their own that
 * Chromium 156 loads for every new tab, beside the page that is visited (0.8 s of processor time; without them a tab takes 0.25).
 */
const SUGGESTIONS = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']

/** How tests and the bench start Chromium. */
export const BROWSER_ARGS: readonly string[] = [
  '--no-sandbox', // they also run as root, and visit nothing but our own pages
  '--disable-gpu',
  '--disable-dev-shm-usage', // 64 MB in a container
  '--disable-background-networking',
  '--disable-component-update',
  `--disable-features=${[...OFF_IN_PLAYWRIGHT, ...SUGGESTIONS].join(',')}`,
]
