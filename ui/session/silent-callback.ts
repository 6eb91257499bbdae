// Runs in the hidden frame of a silent sign-in: hands the answer's address to the page that made the frame.
// The same message that oidc-client-ts sends; without the library the frame loads a few hundred bytes.
if (window.parent !== window) {
  window.parent.postMessage({ source: 'oidc-client', url: location.href, keepOpen: false }, location.origin)
}
