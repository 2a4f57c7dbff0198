/** A process that holds a lock until it is killed. */
import { openOwnSession } from '../../src/connection/own-session.ts';
import { createSessionLock, trySessionLock } from '../../src/lock/session-lock.ts';

const [url = '', name = ''] = process.argv.slice(2);
const nothing = () => undefined;
const parts = { applicationName: 'locking', onLost: nothing, onNotification: nothing };
const session = await openOwnSession({ url, schema: 'intake', ...parts });
await createSessionLock(session, name);
process.send?.(await trySessionLock(session, { name, previous: `previous ${name}` }));
