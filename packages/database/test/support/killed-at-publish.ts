/** A process that places an order and is killed when its relay, which reads the table once and never again, has the message. */
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase } from '../../src/connection/index.ts';
import { createRelay } from '../../src/relay/index.ts';
import { fieldPath, order } from './orders.ts';
import { quiet } from './quiet.ts';

const [url = '', schema = ''] = process.argv.slice(2);
const database = createDatabase({ url, schema, entities: [], logger: quiet });
let hasRead = false;
const relay = createRelay({
  databaseUrl: url,
  database,
  logger: quiet,
  tuning: { gapMs: 3_600_000 },
  async publish() {
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => {});
  },
  metrics: {
    active: () => undefined,
    published: () => undefined,
    failed: () => undefined,
    // Told after the first read.
    backlog: () => {
      hasRead = true;
    },
  },
});
process.on('disconnect', () => process.exit(1));
relay.start();
while (!hasRead) await delay(5);
await fieldPath(database, order('o1'));
