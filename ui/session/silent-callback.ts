// Runs in the hidden frame of a silent sign-in and posts the response's address to the page that created the frame. It
// is the message that oidc-client-ts sends; without the library the frame loads only a few hundred bytes. Tested by `e2e/sign-in.test.ts`.
if (window.parent !== window) {
  window.parent.postMessage({ source: 'oidc-client', url: location.href, keepOpen: false }, location.origin)
}
