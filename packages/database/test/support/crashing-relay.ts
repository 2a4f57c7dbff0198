/** A process with an active relay that tells its parent every message it publishes. Armed by CRASHPOINT_DIR. */
import { createDatabase } from '../../src/connection/index.ts';
import { createRelay } from '../../src/relay/index.ts';
import { quiet } from './quiet.ts';

const [url = '', schema = ''] = process.argv.slice(2);
const database = createDatabase({ url, schema, entities: [], logger: quiet });
const relay = createRelay({
  databaseUrl: url,
  database,
  logger: quiet,
  publish: ({ id }) =>
    new Promise((resolve, reject) => {
      // Acknowledged only when the parent has it: a message still in this process would die with it.
      process.send?.({ id }, (error: Error | null) =>
        error ? reject(error) : resolve({ duplicate: false }),
      );
    }),
});
process.on('disconnect', () => process.exit(0));
relay.start();
