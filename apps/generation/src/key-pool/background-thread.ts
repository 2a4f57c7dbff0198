import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { KeyAlgorithm } from '@rubrica/pki';
import { makeSubscriberKeyHere } from './make-key.ts';

// On Linux this is the priority of the calling thread; elsewhere it would be that of the whole service.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

parentPort?.on('message', (algorithm: KeyAlgorithm) => {
  const { spki, pkcs8 } = makeSubscriberKeyHere(algorithm);
  // Handed over and not copied: this thread keeps nothing of the private key.
  parentPort?.postMessage({ spki, pkcs8 }, [spki.buffer as ArrayBuffer, pkcs8.buffer as ArrayBuffer]);
});
