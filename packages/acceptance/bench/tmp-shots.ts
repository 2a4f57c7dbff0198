import { readFileSync } from 'node:fs';
import { openBrowser } from '@rubrica/testkit/browser';

const info = JSON.parse(readFileSync(process.env.RUBRICA_STACK, 'utf8'));
await using b = await openBrowser();
const page = await b.page({ size: [1440, 900], language: 'en', scheme: process.argv[3] ?? 'light' });
const errors = [];
page.on('console', (m) => m.type() === 'error' && errors.push(m.text()));
page.on('pageerror', (e) => errors.push(String(e)));
await page.goto(info.consoleUrl);
await page.waitForSelector('input[type=email]');
await page.screenshot({ path: '/tmp/h/shots/signin.png' });
await page.fill('input[type=email]', info.operators.admin.email);
await page.fill('input[type=password]', info.operators.admin.password);
await page.click('button[type=submit]');
await page.waitForSelector('nav a');
const links = await page.$$eval('nav a', (as) => as.map((a) => a.getAttribute('href')));
console.log(links);
for (const l of links) {
  await page.goto(info.consoleUrl + l);
  await page.waitForLoadState('networkidle').catch(() => {});
  await page.screenshot({ path: `/tmp/h/shots/${l.replaceAll('/', '_') || '_'}.png` });
}
for (const l of ['/requests', '/partners', '/certificates', '/review', '/deliveries', '/terms']) {
  await page.goto(info.consoleUrl + l);
  const a = await page.waitForSelector('tbody tr a', { timeout: 4000 }).catch(() => null);
  if (!a) continue;
  await a.click();
  await page.waitForTimeout(1500);
  await page.screenshot({ path: `/tmp/h/shots/one${l.replaceAll('/', '_')}.png`, fullPage: true });
}
console.log(errors);
