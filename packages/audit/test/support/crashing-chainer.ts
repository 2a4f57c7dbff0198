/** A process with an audit chainer: its tuning is the last argument, if any. Armed by CRASHPOINT_DIR. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { createChainer } from '../../src/chain/chainer.ts';
import { auditTable, makeKeys } from './audit.ts';
import { quiet } from './quiet.ts';

const [databaseUrl = '', schema = '', pem = '', kid = '', tuning] = process.argv.slice(2);
const privateKey = createPrivateKey(pem);
createChainer({
  databaseUrl,
  schema,
  table: auditTable,
  keys: makeKeys(kid, { privateKey, publicKey: createPublicKey(privateKey) }),
  clock: () => new Date(),
  logger: quiet,
  tuning: tuning === undefined ? { pollMs: 20, batchRows: 10, checkpointRows: 10 } : JSON.parse(tuning),
}).start();
process.on('disconnect', () => process.exit(0));
