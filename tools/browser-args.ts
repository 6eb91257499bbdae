/** Playwright's own list (1.65.1). It is repeated here because a second `--disable-features` would replace it. */
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
 * Suggestions of the address bar, which is not visible without a screen. Chromium 156 loads their pages, 400 modules,
 * for every new tab (0.8 s of processor time; 0.25 s without them).
 */
const SUGGESTIONS = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']

/** Arguments with which tests and benchmarks start Chromium. */
export const BROWSER_ARGS: readonly string[] = [
  '--no-sandbox', // they also run as root, and visit nothing but our own pages
  '--disable-gpu',
  '--disable-dev-shm-usage', // 64 MB in a container
  '--disable-background-networking',
  '--disable-component-update',
  `--disable-features=${[...OFF_IN_PLAYWRIGHT, ...SUGGESTIONS].join(',')}`,
]
