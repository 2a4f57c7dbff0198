import { startHttp } from './http.ts';
import { startSmtp } from './smtp.ts';
import { openMessageStore } from './store.ts';

const { MAIL_SMTP_PORT, MAIL_HTTP_PORT, MAIL_STORE_FILE } = process.env;
const store = openMessageStore(MAIL_STORE_FILE ?? 'messages.jsonl');
const smtp = await startSmtp({ port: Number(MAIL_SMTP_PORT), store });
const http = await startHttp({ port: Number(MAIL_HTTP_PORT), store });

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, async () => {
    await Promise.all([smtp.stop(), http.stop()]);
    process.exit(0);
  });
}
