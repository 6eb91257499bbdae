// The page that the issuer sends a silent renewal to, within a hidden frame: it hands the answer to its parent.
// Tested by `e2e/sign-in.test.ts`.
import '@pc/ui/session/silent-callback.ts'
