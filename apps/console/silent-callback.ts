import '@pc/ui/silent-callback.ts'
