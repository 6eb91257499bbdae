import { chromium } from 'playwright-core'
import fs from 'node:fs'
const [,, base, data, email='insight.admin@example.jp', out='/tmp/shots/a', ...paths] = process.argv
const pw = /password of all: (\S+)/.exec(fs.readFileSync(process.env.LOG ?? '/tmp/start.log','utf8'))[1]
const b = await chromium.launch({ executablePath:'/usr/bin/chromium', args:['--no-sandbox','--disable-gpu','--disable-background-networking'] })
const ctx = await b.newContext({ viewport:{ width: Number(process.env.W??1440), height: 900 }, colorScheme: process.env.DARK ? 'dark':'light', locale:'ja-JP' })
const p = await ctx.newPage()
p.on('console', m => { if (m.type()==='error' || m.type()==='warning') console.log('console', m.type(), m.text().slice(0,300)) })
p.on('pageerror', e => console.log('pageerror', e.message))
const t0=Date.now()
await p.goto(base + '/gpc/')
await p.waitForURL(/sso/, {timeout:20000}); console.log('at', p.url())
await p.waitForLoadState('networkidle'); await p.screenshot({ path: out+'-signin.png' })
await p.getByLabel('メールアドレス').fill(email); await p.getByLabel(/^パスワード/).first().fill(pw); await p.keyboard.press('Enter')
await p.waitForURL(/gpc/, {timeout:20000}); await p.waitForLoadState('networkidle'); await p.waitForTimeout(1500); console.log('at', p.url(), Date.now()-t0)
await p.screenshot({ path: out+'-home.png' }); await p.screenshot({ path: out+'-full.png', fullPage:true })
for (const [i,x] of paths.entries()) { await p.goto(base+'/gpc/#'+x); await p.waitForLoadState('networkidle'); await p.waitForTimeout(1000); await p.screenshot({ path: `${out}-${i}.png`, fullPage: true }) }
await b.close()
