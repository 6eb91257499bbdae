// Redirect target of silent token renewals, in a hidden frame: posts the answer to the parent page.
import '@pc/ui/session/silent-callback.ts'
