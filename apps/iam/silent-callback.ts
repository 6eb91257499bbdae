import '@pc/ui/session/silent-callback.ts'
