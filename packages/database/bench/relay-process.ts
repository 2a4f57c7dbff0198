/** A copy of a service in a process of its own, whose relay tells the parent when it publishes what. */
import { createDatabase } from '../src/connection/index.ts';
import { createRelay } from '../src/relay/index.ts';
import { quiet } from '../test/support/quiet.ts';

const [url = '', schema = ''] = process.argv.slice(2);
const database = createDatabase({ url, schema, entities: [], logger: quiet });
const relay = createRelay({
  databaseUrl: url,
  database,
  logger: quiet,
  async publish({ id }) {
    // The system's monotonic clock, the same in every process.
    process.send?.({ id, at: process.hrtime.bigint().toString() });
    return { duplicate: false };
  },
  metrics: {
    active: (isActive) => void process.send?.({ isActive }),
    published: () => undefined,
    failed: () => undefined,
    backlog: () => undefined,
  },
});
process.on('disconnect', () => process.exit(0));
relay.start();
